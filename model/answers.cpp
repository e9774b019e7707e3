// SPDX-License-Identifier: Apache-2.0
#include "model/answers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <vector>

#include "model/fnv.h"
#include "model/user_folders.h"

namespace lanescope {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMost = std::uintmax_t{256} << 20, kMostOfOne = std::uintmax_t{32} << 20;
constexpr std::string_view kMagic = "lanescope answer 1\n";

std::string timesOf(const struct stat& file) {
  return fmt::format("{}:{}:{}:{}.{:09}:{}.{:09}", file.st_dev, file.st_ino, file.st_size, file.st_mtim.tv_sec,
                     file.st_mtim.tv_nsec, file.st_ctim.tv_sec, file.st_ctim.tv_nsec);
}

/// What the file's samples hold; less of one that became shorter meanwhile.
std::string sampled(int file, std::uint64_t size) {
  std::string bytes;
  for (const FilePart& sample : samplesOf(size)) {
    const std::size_t before = bytes.size(), wanted = sample.end - sample.begin;
    bytes.resize(before + wanted);
    const ssize_t got = pread(file, bytes.data() + before, wanted, static_cast<off_t>(sample.begin));
    bytes.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  }
  return bytes;
}

std::string lengthOf(std::string_view text) {
  const std::uint64_t length = text.size();
  return {reinterpret_cast<const char*>(&length), sizeof length};
}

}  // namespace

std::string fileState(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  const int file = error ? -1 : open(real.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  struct stat status{}, journal{};
  const bool known = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  std::string print =
      known ? fmt::format("{}|{}|{:x}", real.native(), timesOf(status), fnv1a(sampled(file, status.st_size))) : "";
  close(file);
  if (known && stat((real.native() + "-wal").c_str(), &journal) == 0) print += "|" + timesOf(journal);
  return print;
}

std::string fingerprint(const fs::path& path) {
  std::string print = fileState(path);
  struct stat program{};
  if (!print.empty() && stat("/proc/self/exe", &program) == 0) print += "|" + timesOf(program);
  return print;
}

std::string contentKey(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a FIFO must not keep us waiting
  if (file < 0) return {};
  struct stat status{};
  std::string key;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode))
    key = contentKey(static_cast<std::uint64_t>(status.st_size), sampled(file, status.st_size));
  close(file);
  return key;
}

std::vector<FilePart> samplesOf(std::uint64_t size) {
  constexpr std::uint64_t kPages = 64, kPage = 4096;
  const std::uint64_t pages = (size + kPage - 1) / kPage, count = std::min(pages, kPages);
  std::vector<FilePart> samples;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t begin = (pages - 1) * i / std::max<std::uint64_t>(count - 1, 1) * kPage;
    samples.push_back({begin, std::min(begin + kPage, size)});
  }
  return samples;
}

std::string contentKey(std::uint64_t size, std::string_view sampled) {
  return fmt::format("{:x}-{:016x}", size, fnv1a(sampled));
}

std::string nameFor(std::string_view text) {
  return fmt::format("{:016x}{:016x}", fnv1a(text), fnv1a(text, 0x9E3779B97F4A7C15ull));
}

std::string packed(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += lengthOf(text) + text;
  return all;
}

std::optional<std::vector<std::string>> unpacked(std::string_view text) {
  std::vector<std::string> texts;
  while (!text.empty()) {
    std::uint64_t length = 0;
    if (text.size() < sizeof length) return std::nullopt;
    std::memcpy(&length, text.data(), sizeof length);
    text.remove_prefix(sizeof length);
    if (text.size() < length) return std::nullopt;
    texts.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return texts;
}

Answers::Answers(fs::path folder) : folder_(folder.empty() ? cacheFolder("answers") : std::move(folder)) {}

fs::path Answers::placeOf(std::string_view question) const { return folder_ / nameFor(question); }

std::optional<std::string> Answers::find(std::string_view question) const {
  if (folder_.empty()) return std::nullopt;
  std::error_code error;
  const std::uintmax_t size = fs::file_size(placeOf(question), error);
  const std::string head = std::string(kMagic) + lengthOf(question) + std::string(question);
  if (error || size < head.size() + sizeof(std::uint64_t) || size > kMostOfOne + head.size() + sizeof(std::uint64_t)) {
    return std::nullopt;
  }
  std::string text(static_cast<std::size_t>(size), '\0');
  std::ifstream in(placeOf(question), std::ios::binary);
  if (!in.read(text.data(), static_cast<std::streamsize>(text.size())) || !text.starts_with(head)) return std::nullopt;
  std::uint64_t sum = 0;
  std::memcpy(&sum, text.data() + head.size(), sizeof sum);
  text.erase(0, head.size() + sizeof sum);
  if (sum != fnv1a(text)) return std::nullopt;
  fs::last_write_time(placeOf(question), fs::file_time_type::clock::now(), error);  // so that it is not the oldest
  return text;
}

void Answers::keep(std::string_view question, std::string_view answer) const {
  if (folder_.empty() || answer.size() > kMostOfOne) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return;
  fs::permissions(folder_, fs::perms::owner_all, error);
  makeRoom(answer.size());
  const std::uint64_t sum = fnv1a(answer);
  const fs::path place = placeOf(question), temporary = fmt::format("{}.{}", place.native(), getpid());
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out << kMagic << lengthOf(question) << question;
    out.write(reinterpret_cast<const char*>(&sum), sizeof sum);
    out << answer;
    if (!out.flush()) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) fs::rename(temporary, place, error);
  if (error) fs::remove(temporary, error);
}

void Answers::makeRoom(std::uintmax_t bytes) const {
  struct Kept {
    fs::file_time_type used;
    std::uintmax_t size;
    fs::path path;
  };
  std::vector<Kept> kept;
  std::error_code error;
  std::uintmax_t total = bytes;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    std::error_code gone;
    kept.push_back({entry.last_write_time(gone), entry.file_size(gone), entry.path()});
    if (gone) kept.pop_back();
    else total += kept.back().size;
  }
  std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  for (std::size_t i = 0; i < kept.size() && total > kMost; ++i) {
    if (fs::remove(kept[i].path, error)) total -= kept[i].size;
  }
}

}  // namespace lanescope
