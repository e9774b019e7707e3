// SPDX-License-Identifier: Apache-2.0
#include "model/report/file_magic.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace lanescope::report {
namespace {

using namespace std::string_view_literals;

struct Known {
  std::string_view begin;
  OtherFile file;
};

constexpr OtherFile kTracy = {"is a trace of Tracy, which only Tracy reads", "open it with tracy-profiler"};
constexpr Known kKnown[] = {
    {"\x00\x05\x16\x07"sv,
     {"is what macOS keeps beside a file, not the file", "open the one whose name does not begin with ._"}},
    {"tr\xFDP", kTracy},
    {"tlZ\x04", kTracy},
    {"tZst", kTracy},
    {"HPCTOOLKIT", {"is a database of HPCToolkit, which only its viewer reads", "open its folder with hpcviewer"}},
    {"# tracer:",
     {"is a kernel trace of Linux or Android (ftrace), which holds nothing of a GPU", "open it in ui.perfetto.dev"}},
    {"PERFILE2", {"is a recording of perf, which holds nothing of a GPU", "open it with: perf report -i FILE"}},
    {"\xFF\xFE", {"is UTF-16 text", "convert it with: iconv -f UTF-16 -t UTF-8 FILE"}},
    {"\xFE\xFF", {"is UTF-16 text", "convert it with: iconv -f UTF-16 -t UTF-8 FILE"}},
    {"%PDF", {"is a PDF document, not a trace", "name the trace"}},
    {"\x7F"
     "ELF",
     {"is a program, not a trace", "record it with: lanescope profile FILE"}},
};

constexpr OtherFile kPerfetto = {"is a Perfetto trace (protobuf), which is not read",
                                 "convert it with: traceconv json FILE FILE.json, and open the result"};
constexpr OtherFile kXplane = {"is an XPlane profile of JAX or TensorFlow (protobuf), which is not read",
                               "open the trace.json.gz beside it, or save one from XProf (Trace Viewer)"};
constexpr OtherFile kWebPage = {"is a web page, not the file it is about", "download the file itself (raw)"};
constexpr OtherFile kNvvpSession = {"is a session of nvvp: settings, without a trace",
                                    "open the files that nvprof -o wrote, or record again with: lanescope profile"};
constexpr OtherFile kXml = {"is XML, not a trace", "open the trace itself"};

std::string_view withoutSpace(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

bool beginsWithWord(std::string_view text, std::string_view lowerCase) {
  return text.size() >= lowerCase.size() &&
         std::equal(lowerCase.begin(), lowerCase.end(), text.begin(),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
}

std::optional<OtherFile> markup(std::string_view head) {
  const std::string_view text = withoutSpace(head);
  if (beginsWithWord(text, "<!doctype html") || beginsWithWord(text, "<html")) return kWebPage;
  if (!text.starts_with("<?xml")) return std::nullopt;
  return text.find("<session") != std::string_view::npos ? kNvvpSession : kXml;
}

/// Reads protobuf's wire format; everything is false or empty behind the end.
class Wire {
 public:
  explicit Wire(std::string_view bytes) : rest_(bytes) {}

  bool atEnd() const { return rest_.empty(); }
  std::optional<std::uint64_t> number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }
  std::string_view take(std::uint64_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }

 private:
  std::string_view rest_;
};

/// Whether a message, of which the end may be missing, has fields as protobuf writes them; the text of field 2.
struct Fields {
  bool sound = true;
  std::string_view second;
};
Fields fieldsOf(std::string_view message) {
  constexpr std::uint64_t kGreatestField = 1 << 20;
  Wire wire(message);
  Fields fields;
  while (fields.sound && !wire.atEnd()) {
    const auto tag = wire.number();
    if (!tag) break;
    const std::uint64_t field = *tag >> 3;
    fields.sound = field != 0 && field < kGreatestField;
    switch (*tag & 7) {
      case 0:
        wire.number();
        break;
      case 1:
        wire.take(8);
        break;
      case 2:
        if (const auto size = wire.number()) {
          const std::string_view text = wire.take(*size);
          if (field == 2 && fields.second.empty()) fields.second = text;
        }
        break;
      case 5:
        wire.take(4);
        break;
      default:
        fields.sound = false;
    }
  }
  return fields;
}

/// Both are a list of messages in field 1.
std::optional<OtherFile> protobuf(std::string_view head) {
  const auto isText = [](char c) { return (c >= ' ' && c < 0x7F) || c == '\n' || c == '\t' || c == '\r'; };
  if (!head.starts_with('\n') || std::ranges::all_of(head, isText)) return std::nullopt;
  Wire wire(head);
  bool isXplane = false;
  while (!wire.atEnd()) {
    const auto tag = wire.number();
    if (!tag) break;
    const auto size = *tag == 10 ? wire.number() : std::nullopt;  // of XSpace, texts follow in other fields
    if (!size) {
      if (isXplane) break;
      return std::nullopt;
    }
    const Fields fields = fieldsOf(wire.take(*size));
    if (!fields.sound) return std::nullopt;
    isXplane |= fields.second.starts_with("/host:") || fields.second.starts_with("/device:") ||
                fields.second.starts_with("Task Environment");
  }
  return isXplane ? kXplane : kPerfetto;
}

}  // namespace

std::optional<OtherFile> otherFile(std::string_view head) {
  for (const Known& known : kKnown)
    if (head.starts_with(known.begin)) return known.file;
  if (const auto found = markup(head)) return found;
  return protobuf(head);
}

}  // namespace lanescope::report
