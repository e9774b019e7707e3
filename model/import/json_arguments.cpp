// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "model/import/archive_text.h"
#include "model/import/json_document.h"
#include "model/import/json_number.h"
#include "model/import/json_reader.h"
#include "model/import/json_text.h"
#include "model/import/json_walk.h"

namespace lanescope::imported {

namespace {

/// A string without quotes and escapes; anything else as it is written.
std::string plainText(std::string_view token) {
  if (token.size() < 2 || token[0] != '"') return std::string(token);
  std::string text;
  appendUnescaped(text, token.substr(1, token.size() - 2));
  return text;
}

/// Keeps the args of one entry.
class OneEntry : public JsonVisitor {
 public:
  OneEntry(std::uint64_t ordinal, std::stop_source& enough) : ordinal_(ordinal), enough_(enough) {}
  void entry(const JsonEvent& event) override {
    if (event.ordinal == ordinal_) args = event.args;
    if (event.ordinal >= ordinal_) enough_.request_stop();
  }
  std::string args;

 private:
  std::uint64_t ordinal_;
  std::stop_source& enough_;
};

}  // namespace

JsonArguments::JsonArguments(std::string_view args) {
  std::size_t at = skipBlanks(args, 0);
  if (at >= args.size() || args[at] != '{') return;
  const auto step = [&](char wanted) {
    at = skipBlanks(args, at);
    if (at >= args.size() || args[at] != wanted) return false;
    ++at;
    return true;
  };
  for (step('{'); !step('}');) {
    while (step(',')) {
    }
    if (at >= args.size() || args[at] != '"') return;
    const Walked key = walkValue(args, at);
    at = key.end;
    if (key.stop != Walked::Stop::kWhole || !step(':')) return;
    at = skipBlanks(args, at);
    const Walked value = walkValue(args, at);
    if (value.stop == Walked::Stop::kTooDeep)
      fields_.emplace_back(plainText(key.mended), args.substr(at, value.end - at));
    else if (value.stop == Walked::Stop::kWhole) fields_.emplace_back(plainText(key.mended), plainText(value.mended));
    else return;
    at = value.end;
  }
}

const std::string* JsonArguments::find(std::string_view key) const {
  const auto found = std::find_if(fields_.rbegin(), fields_.rend(), [&](const auto& f) { return f.first == key; });
  return found == fields_.rend() ? nullptr : &found->second;
}

std::optional<std::int64_t> JsonArguments::integer(std::string_view key) const {
  const std::string* const text = find(key);
  return text == nullptr ? std::nullopt : wholeNumber(*text);
}

std::optional<double> JsonArguments::real(std::string_view key) const {
  const std::string* const text = find(key);
  if (text == nullptr) return std::nullopt;
  double value = 0;
  const char* const end = text->data() + text->size();
  const auto [stop, problem] = std::from_chars(text->data(), end, value);
  return problem == std::errc() && stop == end && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string JsonArguments::text(std::string_view key) const {
  const std::string* const text = find(key);
  return text == nullptr ? std::string() : *text;
}

std::array<std::int64_t, 3> JsonArguments::size3(std::string_view key) const {
  std::array<std::int64_t, 3> size = {-1, -1, -1};
  const std::string* const text = find(key);
  if (text == nullptr || text->empty() || (*text)[0] != '[') return size;
  std::size_t at = 1;
  for (std::int64_t& one : size) {
    at = std::min(text->find_first_not_of(" ,\n\r\t", at), text->size());
    const std::size_t end = std::min(text->find_first_of(" ,]\n\r\t", at), text->size());
    one = wholeNumber(std::string_view(*text).substr(at, end - at)).value_or(-1);
    at = end;
  }
  return size;
}

Result<std::vector<std::pair<std::string, std::string>>> argumentsOf(const std::filesystem::path& path,
                                                                     const Positions& positions, std::uint64_t ordinal,
                                                                     const std::filesystem::path& unpacked,
                                                                     const Job& outer) {
  const std::uint64_t block = ordinal / Positions::kEvery;
  if (block >= positions.offsets.size()) return std::vector<std::pair<std::string, std::string>>();
  std::error_code none;
  const Result<bool> packed = isPackedFile(path);
  if (!packed) return tl::unexpected(packed.error());
  if (*packed && !std::filesystem::exists(unpacked, none))
    if (const Result<void> done = unpackInto(path, unpacked, positions.offsets.back() + TextWindow::kMostWindow, outer);
        !done)
      return tl::unexpected(done.error());
  auto source = openPlainText(*packed ? unpacked : path, positions.offsets[block]);
  if (!source) return tl::unexpected(source.error());
  std::stop_source enough;
  const Job job(enough.get_token());
  OneEntry visitor(ordinal, enough);
  JsonTroubles troubles;
  JsonDocument document;
  Positions unused;
  JsonProgress progress{block * Positions::kEvery, 0, unused};
  EntryParser parser(false);
  DocumentReader(**source, parser, visitor, troubles, progress, document, job).readEntries();
  if (const auto& failure = (*source)->failure()) return tl::unexpected(*failure);
  return JsonArguments(visitor.args).all();
}

}  // namespace lanescope::imported
