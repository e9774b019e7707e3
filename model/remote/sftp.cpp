// SPDX-License-Identifier: Apache-2.0
#include "model/remote/sftp.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <map>

#include "model/remote/sftp_packet.h"
#include "model/utf8.h"

namespace lanescope::remote {

using enum sftp::Type;

namespace {

constexpr std::uint32_t kVersion3 = 3, kLongestPacket = 256u << 10;
constexpr std::uint32_t kForReading = 1, kForWriting = 2, kNew = 8, kEmptied = 0x10, kWithMode = 4;

std::string_view parentOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "" : path.substr(0, slash);
}

}  // namespace

/// An answer: its type and what follows its number.
struct Answer {
  std::uint8_t type = 0;
  std::string body;
};

struct Sftp::Link {
  SshProcess process;
  SshTarget host;
  std::string incoming = {}, handle = {}, openPath = {};
  std::uint32_t lastId = 0;
  std::size_t held = 0, mostHeld = 0;  // of pieces that wait for those before them
  std::map<std::string, std::string, std::less<>> extensions = {};

  std::string addressOf(const std::string& path) const { return host.at(path).address(); }

  tl::unexpected<Error> babble(const std::string& why) const {
    return tl::unexpected(Error{ErrorCode::kServerRefused, host.address(), why});
  }

  /// The next packet, whole, without its length.
  Result<std::string> packet() {
    while (true) {
      if (incoming.size() >= 4) {
        const std::uint32_t length = PacketReader(incoming).number();
        if (length > kLongestPacket || length == 0)
          return babble("what it answers is no SFTP: is there a text that its shell prints at every login?");
        if (incoming.size() >= 4 + std::size_t{length}) {
          std::string body = incoming.substr(4, length);
          incoming.erase(0, 4 + std::size_t{length});
          return body;
        }
      }
      const Result<bool> more = process.receive(incoming);
      mostHeld = std::max(mostHeld, held + incoming.size());
      if (!more) return tl::unexpected(more.error());
      if (!*more) return tl::unexpected(process.failure());
    }
  }

  struct Numbered {
    std::uint32_t id;
    Answer answer;
  };

  Result<Numbered> nextAnswer() {
    Result<std::string> body = packet();
    if (!body) return tl::unexpected(body.error());
    PacketReader reader(*body);
    Numbered numbered{};
    numbered.answer.type = reader.byte();
    numbered.id = reader.number();
    if (!reader.good()) return babble("an answer of its SFTP is cut short");
    numbered.answer.body = body->substr(body->size() - reader.left());
    return numbered;
  }

  template <class Fill>
  std::uint32_t request(sftp::Type type, const Fill& fill) {
    PacketWriter packet(type);
    packet.number(++lastId);
    fill(packet);
    process.send(packet.bytes());
    return lastId;
  }

  /// One request and its answer, with nothing else under way.
  template <class Fill>
  Result<Answer> ask(sftp::Type type, const Fill& fill) {
    const std::uint32_t id = request(type, fill);
    Result<Numbered> next = nextAnswer();
    if (!next) return tl::unexpected(next.error());
    if (next->id != id) return babble("it answers what was not asked");
    return std::move(next->answer);
  }

  Result<Answer> askOfPath(sftp::Type type, const std::string& path) {
    return ask(type, [&](PacketWriter& packet) { packet.text(path); });
  }

  /// What a refusal means for this path.
  Error refusal(const Answer& answer, const std::string& path) const {
    PacketReader reader(answer.body);
    const std::uint32_t status = answer.type == kStatus ? reader.number() : sftp::kFailed;
    const std::string_view text = answer.type == kStatus ? reader.text() : "it answers what was not asked";
    switch (status) {
      case sftp::kNoSuchFile:
        return {ErrorCode::kGoneThere, addressOf(path), ""};
      case sftp::kDenied:
        return {ErrorCode::kUnreadableThere, addressOf(path), "permission denied"};
      default:
        return {ErrorCode::kServerRefused, addressOf(path), repairUtf8(std::string(text.substr(0, 200)))};
    }
  }

  static bool isStatus(const Answer& answer, std::uint32_t status) {
    return answer.type == kStatus && PacketReader(answer.body).number() == status;
  }

  Result<void> expectOk(const Result<Answer>& answer, const std::string& path) const {
    if (!answer) return tl::unexpected(answer.error());
    if (!isStatus(*answer, sftp::kOk)) return tl::unexpected(refusal(*answer, path));
    return {};
  }

  Result<FileFacts> factsOf(const Result<Answer>& answer, const std::string& path) const {
    if (!answer) return tl::unexpected(answer.error());
    if (answer->type != kAttributes) return tl::unexpected(refusal(*answer, path));
    PacketReader reader(answer->body);
    const FileFacts facts = reader.attributes();
    if (!reader.good()) return babble("an answer of its SFTP is cut short");
    return facts;
  }

  Result<std::string> handleOf(const Result<Answer>& answer, const std::string& path) const {
    if (!answer) return tl::unexpected(answer.error());
    if (answer->type != kHandle) return tl::unexpected(refusal(*answer, path));
    return std::string(PacketReader(answer->body).text());
  }

  Result<void> close(const std::string& opened, const std::string& path) {
    return expectOk(askOfPath(kClose, opened), path);
  }
};

Sftp::Sftp(std::unique_ptr<Link> link) : link_(std::move(link)) {}
Sftp::Sftp(Sftp&&) noexcept = default;
Sftp& Sftp::operator=(Sftp&&) noexcept = default;
Sftp::~Sftp() = default;

const SshTarget& Sftp::host() const { return link_->host; }
std::size_t Sftp::mostHeld() const { return link_->mostHeld; }

Result<Sftp> Sftp::connect(const Ssh& ssh, const SshTarget& host, const Job& job) {
  auto process = SshProcess::start(ssh, host, "sftp", true, job);
  if (!process) return tl::unexpected(process.error());
  auto link = std::make_unique<Link>(Link{.process = std::move(*process), .host = host});
  link->process.send(PacketWriter(kInit).number(kVersion3).bytes());
  const Result<std::string> hello = link->packet();
  if (!hello) return tl::unexpected(hello.error());
  PacketReader reader(*hello);
  if (reader.byte() != kVersion || reader.number() < kVersion3)
    return link->babble("what it answers is no SFTP of version 3");
  while (reader.left() > 0 && reader.good()) {
    std::string name(reader.text());
    link->extensions.emplace(std::move(name), reader.text());
  }
  return Sftp(std::move(link));
}

Result<std::string> Sftp::realPath(const std::string& path) {
  const Result<Answer> answer = link_->askOfPath(kRealpath, path);
  if (!answer) return tl::unexpected(answer.error());
  if (answer->type != kName) return tl::unexpected(link_->refusal(*answer, path));
  PacketReader reader(answer->body);
  const bool one = reader.number() == 1;
  std::string real(reader.text());
  if (!one || !reader.good() || real.empty()) return link_->babble("an answer of its SFTP is cut short");
  return real;
}

Result<FileFacts> Sftp::look(const std::string& path) { return link_->factsOf(link_->askOfPath(kStat, path), path); }

Result<std::vector<FolderEntry>> Sftp::list(const std::string& path) {
  const Result<std::string> folder = link_->handleOf(link_->askOfPath(kOpendir, path), path);
  if (!folder) return tl::unexpected(folder.error());
  std::vector<FolderEntry> entries;
  std::vector<std::size_t> others;  // neither file nor folder: links, perhaps
  while (entries.size() < kMostEntries) {
    const Result<Answer> answer = link_->askOfPath(kReaddir, *folder);
    if (!answer) return tl::unexpected(answer.error());
    if (Link::isStatus(*answer, sftp::kEof)) break;
    if (answer->type != kName) return tl::unexpected(link_->refusal(*answer, path));
    PacketReader reader(answer->body);
    for (std::uint32_t left = reader.number(); left > 0 && entries.size() < kMostEntries; --left) {
      FolderEntry entry{.name = std::string(reader.text())};
      reader.text();  // as `ls -l` has it
      entry.facts = reader.attributes();
      if (!reader.good()) return link_->babble("an answer of its SFTP is cut short");
      if (entry.name == "." || entry.name == ".." || entry.name.find('/') != std::string::npos) continue;
      if (!entry.facts.isFile && !entry.facts.isFolder) others.push_back(entries.size());
      entries.push_back(std::move(entry));
    }
  }
  if (const auto closed = link_->close(*folder, path); !closed) return tl::unexpected(closed.error());
  constexpr std::size_t kMostLinks = 1000;  // each costs a question
  for (std::size_t i = 0; i < std::min(others.size(), kMostLinks); ++i) {
    FolderEntry& entry = entries[others[i]];
    const auto facts = look((path.ends_with('/') ? path : path + "/") + entry.name);
    if (facts) entry.facts = *facts;
    else if (facts.error().code == ErrorCode::kConnectionLost || facts.error().code == ErrorCode::kCancelled)
      return tl::unexpected(facts.error());
  }
  std::ranges::sort(entries, {}, &FolderEntry::name);
  return entries;
}

Result<FileFacts> Sftp::open(const std::string& path) {
  if (!link_->handle.empty())
    if (const auto closed = link_->close(link_->handle, link_->openPath); !closed)
      return tl::unexpected(closed.error());
  link_->handle.clear();
  auto handle = link_->handleOf(
      link_->ask(kOpen, [&](PacketWriter& packet) { packet.text(path).number(kForReading).number(0); }), path);
  if (!handle) return tl::unexpected(handle.error());
  link_->handle = std::move(*handle);
  link_->openPath = path;
  return lookAtOpen();
}

Result<FileFacts> Sftp::lookAtOpen() {
  return link_->factsOf(link_->askOfPath(kFstat, link_->handle), link_->openPath);
}

Result<void> Sftp::read(const std::vector<FilePart>& parts,
                        const std::function<Result<void>(std::string_view bytes)>& take) {
  struct Asked {
    std::uint32_t id;
    std::uint64_t begin;
    std::size_t size;
    bool here = false;
    std::string bytes = {};
  };
  std::deque<Asked> asked;  // in the order of the parts; answers may come in another
  const auto askFor = [&](std::uint64_t at, std::size_t size) {
    const std::uint32_t id = link_->request(kRead, [&](PacketWriter& packet) {
      packet.text(link_->handle).large(at).number(static_cast<std::uint32_t>(size));
    });
    return Asked{id, at, size};
  };
  Result<void> taken;
  auto part = parts.begin();
  std::uint64_t next = parts.empty() ? 0 : part->begin;
  bool ended = false;
  while (true) {
    while (taken && !ended && part != parts.end() && asked.size() < kWindow / kPiece) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, part->end - next));
      if (size > 0) asked.push_back(askFor(next, size));
      next += size;
      if (next < part->end) continue;
      ++part;
      if (part != parts.end()) next = part->begin;
    }
    if (asked.empty()) return taken;
    auto came = link_->nextAnswer();
    if (!came) return tl::unexpected(came.error());
    const auto piece = std::ranges::find(asked, came->id, &Asked::id);
    if (piece == asked.end()) return link_->babble("it answers what was not asked");
    piece->here = true;
    if (came->answer.type == kData) {
      PacketReader reader(came->answer.body);
      piece->bytes = reader.text();
      if (!reader.good() || piece->bytes.empty() || piece->bytes.size() > piece->size)
        return link_->babble("an answer of its SFTP is not as long as asked");
      link_->held += piece->bytes.size();
      if (const std::size_t got = piece->bytes.size(); got < piece->size && !ended) {
        Asked rest = askFor(piece->begin + got, piece->size - got);
        piece->size = got;
        asked.insert(piece + 1, std::move(rest));
      }
    } else if (Link::isStatus(came->answer, sftp::kEof)) {
      ended = true;
    } else if (taken) {  // what is under way is waited for, so that the link stays of use
      taken = tl::unexpected(link_->refusal(came->answer, link_->openPath));
    }
    for (; !asked.empty() && asked.front().here; asked.pop_front()) {
      link_->held -= asked.front().bytes.size();
      if (taken && !asked.front().bytes.empty()) taken = take(asked.front().bytes);
    }
  }
}

Result<void> Sftp::makeFolder(const std::string& path) {
  if (path.empty() || path == "/") return {};
  if (const auto facts = look(path)) {
    if (facts->isFolder) return {};
    return tl::unexpected(
        Error{ErrorCode::kServerRefused, link_->addressOf(path), "a file is where a folder is wanted"});
  } else if (facts.error().code != ErrorCode::kGoneThere) {
    return tl::unexpected(facts.error());
  }
  if (const auto above = makeFolder(std::string(parentOf(path))); !above) return above;
  return link_->expectOk(link_->ask(kMkdir, [&](PacketWriter& packet) { packet.text(path).number(0); }), path);
}

Result<void> Sftp::remove(const std::string& path) { return link_->expectOk(link_->askOfPath(kRemove, path), path); }

Result<void> Sftp::put(const std::string& localFile, const std::string& path, unsigned mode,
                       const std::function<void(std::uint64_t done, std::uint64_t whole)>& progress) {
  const UniqueFd file(::open(localFile.c_str(), O_RDONLY | O_CLOEXEC));
  const auto unreadable = [&] {
    return tl::unexpected(Error{ErrorCode::kUnreadable, localFile, std::strerror(errno)});
  };
  const off_t whole = file ? lseek(file.get(), 0, SEEK_END) : -1;
  if (whole < 0) return unreadable();
  if (const auto above = makeFolder(std::string(parentOf(path))); !above) return above;
  const std::string temporary = fmt::format("{}.partial-{}", path, getpid());
  const Result<std::string> handle = link_->handleOf(
      link_->ask(kOpen,
                 [&](PacketWriter& packet) {
                   packet.text(temporary).number(kForWriting | kNew | kEmptied).number(kWithMode).number(mode);
                 }),
      path);
  if (!handle) return tl::unexpected(handle.error());

  std::string piece(kPiece, '\0');
  std::size_t underWay = 0;
  std::uint64_t done = 0;
  Result<void> put;
  for (off_t at = 0; (put && at < whole) || underWay > 0;) {
    while (put && at < whole && underWay < kWindow / kPiece) {
      const ssize_t got = pread(file.get(), piece.data(), piece.size(), at);
      if (got <= 0) {
        put = unreadable();
        break;
      }
      const std::string_view bytes(piece.data(), static_cast<std::size_t>(got));
      link_->request(kWrite, [&](PacketWriter& packet) {
        packet.text(*handle).large(static_cast<std::uint64_t>(at)).text(bytes);
      });
      at += got;
      ++underWay;
    }
    if (underWay == 0) break;
    const auto came = link_->nextAnswer();
    if (!came) return tl::unexpected(came.error());
    if (put && !Link::isStatus(came->answer, sftp::kOk)) put = tl::unexpected(link_->refusal(came->answer, path));
    --underWay;
    done = std::min(done + kPiece, static_cast<std::uint64_t>(whole));
    if (progress) progress(done, static_cast<std::uint64_t>(whole));
  }
  if (const auto closed = link_->close(*handle, path); put && !closed) put = closed;
  if (!put) {
    (void)remove(temporary);
    return put;
  }
  // Plain rename refuses to replace.
  constexpr std::string_view kRenameOver = "posix-rename@openssh.com";
  if (link_->extensions.contains(kRenameOver))
    return link_->expectOk(
        link_->ask(kExtended, [&](PacketWriter& packet) { packet.text(kRenameOver).text(temporary).text(path); }),
        path);
  if (const auto removed = remove(path); !removed && removed.error().code != ErrorCode::kGoneThere) return removed;
  return link_->expectOk(link_->ask(kRename, [&](PacketWriter& packet) { packet.text(temporary).text(path); }), path);
}

}  // namespace lanescope::remote
