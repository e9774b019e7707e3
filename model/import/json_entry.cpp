// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_entry.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "model/import/json_number.h"

namespace lanescope::imported {

namespace {

using simdjson::ondemand::object;
using simdjson::ondemand::value;

/// A number, true or false as it is written; throws at other words.
std::string_view scalar(std::string_view token) {
  const bool isNumber = !token.empty() && ((token[0] >= '0' && token[0] <= '9') || token[0] == '-');
  if (!isNumber && token != "true" && token != "false" && token[0] != '{' && token[0] != '[')
    throw simdjson::simdjson_error(simdjson::TAPE_ERROR);
  return token;
}

std::string_view withoutBlanks(std::string_view token) {
  while (!token.empty() && static_cast<unsigned char>(token.back()) <= 0x20) token.remove_suffix(1);
  return token;
}

/// Whether events of this category may carry a correlation number or what a GPU worked on.
bool mayTellOfGpu(std::string_view category) {
  const auto has = [category](std::string_view word) {
    return std::search(category.begin(), category.end(), word.begin(), word.end(), [](char a, char b) {
             return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b;
           }) != category.end();
  };
  constexpr std::array<std::string_view, 11> kWords = {"kernel", "gpu",  "memcpy", "memset", "runtime", "cuda",
                                                       "hip",    "sync", "driver", "xpu",    "mtia"};
  return std::any_of(kWords.begin(), kWords.end(), has);
}

/// The same, remembered: a file has few categories.
class GpuCategories {
 public:
  bool has(std::string_view category) {
    if (category.empty()) return false;
    Known& known = known_[(category.size() * 7 + static_cast<unsigned char>(category[0])) % known_.size()];
    if (known.category != category) known = {std::string(category), mayTellOfGpu(category)};
    return known.tells;
  }

 private:
  struct Known {
    std::string category;
    bool tells = false;
  };
  std::array<Known, 32> known_;
};

enum Text { kName, kCategory, kScope, kBind, kFrame, kPid, kTid, kId, kTime, kTexts };

}  // namespace

struct EntryParser::Parts {
  simdjson::ondemand::parser parser, ofArgs;
  int shift = 3;  // from the unit of times to ns, as a power of ten
  GpuCategories categories;
  std::array<std::string, kTexts> unescaped;

  std::string_view text(std::string_view token, Text which) {
    if (token.empty() || token == "null") return {};
    if (token.size() < 2 || token[0] != '"') return scalar(token);
    token = token.substr(1, token.size() - 2);
    if (token.find('\\') == std::string_view::npos) return token;
    unescaped[which].clear();
    appendUnescaped(unescaped[which], token);
    return unescaped[which];
  }

  JsonId id(std::string_view token, Text which) {
    if (token.empty() || token == "null" || token[0] == '{' || token[0] == '[') return {};
    if (token[0] != '"')
      if (const std::optional<std::int64_t> number = wholeNumber(token)) return {JsonId::Kind::kNumber, *number};
    return {JsonId::Kind::kText, 0, text(token, which)};
  }

  std::optional<trace::Ns> time(std::string_view token, bool& bad) {
    if (!token.empty() && token[0] == '"') {
      token = withoutBlanks(text(token, kTime));
      while (!token.empty() && token[0] == ' ') token.remove_prefix(1);
    }
    const std::optional<trace::Ns> ns = scaledDecimal(token, shift);
    bad = bad || !ns;
    return ns;
  }

  void ofGpu(object args, JsonEvent::OfGpu& gpu) {
    gpu = {};
    for (auto field : args) {
      const char* const key = field.key().value().raw();
      const auto is = [key](std::string_view name) { return std::memcmp(key, name.data(), name.size()) == 0; };
      std::int64_t* to = nullptr;
      if (is("correlation\"")) to = &gpu.correlation;
      else if (is("device\"")) to = &gpu.device;
      else if (is("stream\"")) to = &gpu.stream;
      else if (is("context\"")) to = &gpu.context;
      else if (is("bytes\"") || is("Memory size (bytes)\"") || is("memory size (bytes)\"")) to = &gpu.bytes;
      if (to == nullptr) continue;
      const std::string_view token = withoutBlanks(value(field.value()).raw_json_token());
      if (const auto number = wholeNumber(token[0] == '"' ? text(token, kTime) : token)) *to = *number;
    }
  }

  void id2(object ids, JsonEvent& event) {
    for (auto field : ids) {
      const std::string_view key = field.unescaped_key();
      if (key != "local" && key != "global") continue;
      if (event.id.kind != JsonId::Kind::kNone && key == "global") continue;
      event.id = id(withoutBlanks(value(field.value()).raw_json_token()), kId);
      event.idIsLocal = key == "local";
    }
  }

  void parse(std::string_view entry, JsonEvent& event);
};

void EntryParser::Parts::parse(std::string_view entry, JsonEvent& event) {
  simdjson::ondemand::document document = parser.iterate(
      simdjson::padded_string_view(entry.data(), entry.size(), entry.size() + simdjson::SIMDJSON_PADDING));
  JsonEvent::OfGpu gpu;
  bool gpuKnown = false, hasId = false;
  object fields = document.get_object();  // named: a loop over what a temporary holds outlives it
  for (auto field : fields) {
    const char* const key = field.key().value().raw();
    const auto is = [key](std::string_view name) { return std::memcmp(key, name.data(), name.size()) == 0; };
    value inside = field.value();
    const auto token = [&inside] { return withoutBlanks(inside.raw_json_token()); };
    switch (key[0]) {
      case 'p':
        if (is("ph\"")) {
          const std::string_view phase = text(token(), kTime);
          event.phase = phase.size() == 1 ? phase[0] : '\0';
        } else if (is("pid\"")) {
          event.pid = id(token(), kPid);
        }
        break;
      case 'c':
        if (is("cat\"")) event.category = text(token(), kCategory);
        break;
      case 'n':
        if (is("name\"")) event.name = text(token(), kName);
        break;
      case 't':
        if (is("ts\"")) event.ts = time(token(), event.badTime);
        else if (is("tid\"")) event.tid = id(token(), kTid);
        break;
      case 'd':
        if (is("dur\"")) event.duration = time(token(), event.badTime);
        break;
      case 'i':
        if (is("id\"")) {
          event.id = id(token(), kId);
          event.idIsLocal = false;
          hasId = true;
        } else if (is("id2\"") && !hasId && token().starts_with('{')) {
          event.id = {};
          id2(inside.get_object(), event);
        }
        break;
      case 's':
        if (is("s\"") || is("scope\"")) event.scope = text(token(), kScope);
        else if (is("sf\"")) event.stackFrame = text(token(), kFrame);
        break;
      case 'b':
        if (is("bp\"")) event.bind = text(token(), kBind);
        break;
      case 'a':
        if (is("args\"")) {
          const char* const begin = token().data();
          event.args = {};
          if (*begin != '{') break;
          object args = inside.get_object();
          gpuKnown = categories.has(event.category);
          if (gpuKnown) ofGpu(args, gpu);
          else args.raw_json().value();
          const char* const end = document.current_location();
          event.args = withoutBlanks({begin, static_cast<std::size_t>(end - begin)});
        }
        break;
      default:
        break;
    }
  }
  if (!gpuKnown && !event.args.empty() && categories.has(event.category)) {
    simdjson::ondemand::document args = ofArgs.iterate(simdjson::padded_string_view(
        event.args.data(), event.args.size(), event.args.size() + simdjson::SIMDJSON_PADDING));
    ofGpu(args.get_object(), gpu);
  }
  event.gpu = gpu;
}

EntryParser::EntryParser(bool timesAreNanoseconds) : parts_(std::make_unique<Parts>()) {
  parts_->shift = timesAreNanoseconds ? 0 : 3;
}

EntryParser::~EntryParser() = default;

bool EntryParser::parse(std::string_view text, JsonEvent& event) {
  event = {};
  try {
    parts_->parse(text, event);
    return true;
  } catch (const simdjson::simdjson_error&) {
    return false;
  }
}

}  // namespace lanescope::imported
