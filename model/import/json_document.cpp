// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_document.h"

#include <algorithm>
#include <utility>

namespace lanescope::imported {

namespace {

/// An entry that has not ended after so many bytes is looked at closely: its end may have been missed.
constexpr std::size_t kLongEntry = std::size_t{64} << 10;
/// So much is cut at once behind trouble; where all is well it doubles up to the whole window.
constexpr std::size_t kLeastCut = std::size_t{4} << 10;
/// Who unpacks for so long without an entry unpacks no trace.
constexpr std::uint64_t kMostIdle = std::uint64_t{1} << 30;

}  // namespace

DocumentReader::DocumentReader(TextSource& source, EntryParser& parser, JsonVisitor& visitor, JsonTroubles& troubles,
                               JsonProgress& progress, JsonDocument& document, const Job& job)
    : window_(source, progress.base),
      source_(source),
      parser_(parser),
      visitor_(visitor),
      troubles_(troubles),
      progress_(progress),
      document_(document),
      job_(job) {}

char DocumentReader::peek() {
  for (;;) {
    at_ = skipBlanks(window_.text(), at_);
    if (at_ < window_.text().size() && !beginsComment(window_.text(), at_)) return window_.text()[at_];
    if (!more()) return '\0';
  }
}

bool DocumentReader::more() {
  if (job_.cancelled() || progress_.gaveUp) return false;
  if (window_.position(at_) > progress_.lastEntry + kMostIdle) {
    progress_.gaveUp = true;
    troubles_.add(JsonTroubles::kGaveUp, progress_.lastEntry);
    return false;
  }
  const TextWindow::More more = window_.more(at_);
  ended_ = ended_ || more == TextWindow::More::kEnd;
  return more == TextWindow::More::kText;
}

void DocumentReader::read() {
  more();
  head_ = window_.text().substr(0, 4);
  if (head_.starts_with("\xEF\xBB\xBF")) at_ += 3;
  for (char c = peek(); c != '\0' && !job_.cancelled(); c = peek()) {
    if (c == '[') {
      ++at_;
      const bool isEmpty = peek() == ']' || peek() == '\0';
      entries();
      isTrace_ = isTrace_ || isEmpty;
    } else if (c == '{') {
      object();
    } else if (c == ',' || c == ']' || c == '}') {
      ++at_;
    } else {
      if (isTrace()) troubles_.add(JsonTroubles::kNoText, window_.position(at_));
      break;
    }
  }
  do at_ = window_.text().size();
  while (more());
  progress_.base = window_.position(at_);
  if (begun_) visitor_.endDocument(document_);
}

void DocumentReader::readEntries() {
  more();
  entries();
}

bool DocumentReader::isBareEntry() {
  if (findEntry(window_.text(), at_) != at_) return false;
  const Walked walked = walkValue(window_.text(), at_);
  if (walked.stop != Walked::Stop::kWhole) return false;
  std::string padded = walked.mended;
  padded.resize(padded.size() + kParseSlack, ' ');
  return parser_.parse(std::string_view(padded).substr(0, walked.mended.size()), event_) && event_.phase != '\0';
}

void DocumentReader::object() {
  if (isBareEntry()) {  // entries one after another, without an array
    entries();
    return;
  }
  ++at_;
  while (!job_.cancelled() && member()) {
  }
}

/// A name and its value; false behind the last.
bool DocumentReader::member() {
  char c = peek();
  while (c == ',') {
    ++at_;
    c = peek();
  }
  if (c == '}' || c == '\0') {
    at_ += c == '}';
    return false;
  }
  Walked key;
  if (c != '"' || !walk(key)) return findEventsFurtherOn();
  at_ = key.end;
  if (peek() != ':') return findEventsFurtherOn();
  ++at_;
  const std::string name = key.mended.substr(1, key.mended.size() - 2);
  if (peek() == '[' && name == "traceEvents") {
    ++at_;
    isTrace_ = true;
    if (!entries()) cutOff();
    return true;
  }
  Walked value;
  if (!walk(value) && value.stop != Walked::Stop::kTooDeep) return findEventsFurtherOn();
  if (value.stop == Walked::Stop::kTooDeep) troubles_.add(JsonTroubles::kBeside, window_.position(at_));
  else document_.top[name] = std::move(value.mended);
  at_ = value.end;
  return true;
}

/// Behind damage, or a value longer than a window, beside the entries.
bool DocumentReader::findEventsFurtherOn() {
  const std::uint64_t position = window_.position(at_);
  for (;;) {
    const std::size_t found = findTraceEvents(window_.text(), at_);
    if (found != std::string_view::npos) {
      troubles_.add(JsonTroubles::kBeside, position);
      isTrace_ = true;
      at_ = found;
      if (!entries()) cutOff();
      return true;
    }
    if (window_.text().size() > at_ + kEntryBegin) at_ = window_.text().size() - kEntryBegin;
    if (!more()) break;
  }
  at_ = window_.text().size();
  if (isTrace_) cutOff();
  return false;
}

void DocumentReader::cutOff() {
  if (!std::exchange(cutOff_, true) && ended_)
    troubles_.add(JsonTroubles::kCutOff, window_.position(window_.text().size()));
}

/// The value at at_, as far as it must be read; false where it is not whole.
bool DocumentReader::walk(Walked& walked) {
  do walked = walkValue(window_.text(), at_);
  while (walked.stop == Walked::Stop::kTextEnd && more());
  return walked.stop == Walked::Stop::kWhole;
}

/// The entries up to the end of the array; false where the text ends before.
bool DocumentReader::entries() {
  if (!std::exchange(begun_, true)) visitor_.beginDocument(document_);
  searching_ = false;
  arrayEnded_ = false;
  constexpr std::uint64_t kEvery = Positions::kEvery;
  progress_.ordinal = (progress_.ordinal + kEvery - 1) / kEvery * kEvery;
  for (std::size_t most = TextWindow::kMostWindow; !job_.cancelled();) {
    cut_.clear();
    const std::string_view text = window_.text();
    const std::size_t limit = std::min(text.size(), at_ + most);
    const Cut cut = cutEntries(text.substr(0, limit), at_, cut_);
    bool sound = true;
    for (const CutEntry& entry : cut_) {
      at_ = entry.begin;
      if (parser_.parse(text.substr(entry.begin, entry.end - entry.begin), event_)) {
        handOut(window_.position(entry.begin));
        at_ = entry.end;
      } else if (slowEntry(); at_ != entry.end || window_.text().data() != text.data()) {
        sound = false;
        break;
      }
    }
    if (!sound) {
      most = kLeastCut;
      continue;
    }
    at_ = cut.at;
    if (cut.stop == Cut::Stop::kArrayEnd) {
      ++at_;
      return true;
    }
    if (cut.stop == Cut::Stop::kTextEnd) {
      most = std::min(most * 2, TextWindow::kMostWindow);
      if (limit < text.size() && text.size() - at_ <= most) continue;
      job_.progress(source_.fraction(), "Events");
      if (text.size() - at_ < kLongEntry && more()) continue;
    } else {
      most = kLeastCut;
    }
    if (!slowEntry()) return arrayEnded_;
  }
  return false;
}

/// What stands at at_, byte by byte; false behind the end of the array or of the text.
bool DocumentReader::slowEntry() {
  char c = peek();
  while (c == ',') {
    ++at_;
    c = peek();
  }
  if (c == '\0') return false;
  if (c == ']') {
    ++at_;
    arrayEnded_ = true;
    return false;
  }
  Walked walked;
  const bool whole = walk(walked);
  const std::uint64_t position = window_.position(at_);
  if (c != '{' && whole) {
    skipEntry(JsonTroubles::kNoObject);
    at_ = walked.end;
    return true;
  }
  if (!whole) {
    if (walked.stop == Walked::Stop::kTooDeep) {
      skipEntry(JsonTroubles::kTooDeep);
      at_ = walked.end;
      return true;
    }
    if (walked.stop == Walked::Stop::kTextEnd && window_.text().size() - at_ < TextWindow::kMostWindow) {
      count(position);
      at_ = window_.text().size();
      cutOff();
      return false;
    }
    skipEntry(walked.stop == Walked::Stop::kTextEnd ? JsonTroubles::kTooLong : JsonTroubles::kNoJson);
    at_ = std::max(walked.resume, at_ + 1);
    return resynchronise();
  }
  std::string padded = std::move(walked.mended);
  const std::size_t size = padded.size();
  padded.resize(size + kParseSlack, ' ');
  if (parser_.parse(std::string_view(padded).substr(0, size), event_)) {
    if (walked.controls > 0) troubles_.add(JsonTroubles::kControls, position, walked.controls);
    if (walked.badUtf8 > 0) troubles_.add(JsonTroubles::kBadUtf8, position, walked.badUtf8);
    handOut(position);
  } else {
    skipEntry(JsonTroubles::kNoJson);
  }
  at_ = walked.end;
  return true;
}

void DocumentReader::count(std::uint64_t position) {
  progress_.lastEntry = position;
  if (progress_.ordinal++ % Positions::kEvery == 0) progress_.positions.offsets.push_back(position);
}

void DocumentReader::skipEntry(JsonTroubles::Cause cause) {
  const std::uint64_t position = window_.position(at_);
  if (searching_) return;
  count(position);
  troubles_.add(cause, position);
}

void DocumentReader::handOut(std::uint64_t position) {
  if (searching_ && event_.phase == '\0') return;  // a part of what is damaged
  searching_ = false;
  sawPhase_ = sawPhase_ || event_.phase != '\0';
  event_.ordinal = progress_.ordinal;
  count(position);
  visitor_.entry(event_);
}

/// Goes to where an entry seems to begin; false at the end of the text.
bool DocumentReader::resynchronise() {
  searching_ = true;
  for (;;) {
    const std::string_view text = window_.text();
    const std::size_t found = std::min(findEntry(text, at_), findArrayEnd(text, at_, ended_));
    if (found != std::string_view::npos) {
      at_ = found;
      return true;
    }
    if (text.size() > at_ + kEntryBegin) at_ = text.size() - kEntryBegin;
    if (!more()) {
      at_ = window_.text().size();
      return false;
    }
  }
}

std::string DocumentReader::whatElse() const {
  const auto has = [this](const char* name) { return document_.top.contains(name); };
  if (head_.empty()) return "is empty";
  if (head_.starts_with("\xFF\xFE") || head_.starts_with("\xFE\xFF")) return "is UTF-16 text, and a trace is UTF-8";
  if (has("nodes")) return "is an execution trace of PyTorch, which holds no times to show";
  if (has("$schema") && document_.top.at("$schema").find("speedscope") != std::string::npos)
    return "is a speedscope profile, not a trace";
  if (begun_) return "is a JSON list, but not of trace events";
  return document_.top.empty() ? "is no JSON" : "is JSON without trace events";
}

}  // namespace lanescope::imported
