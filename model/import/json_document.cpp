// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_document.h"

#include <algorithm>
#include <utility>

namespace lanescope::imported {

namespace {

/// What peek() finds at the end of the text.
constexpr int kNothing = -1;
/// An entry that has not ended after so many bytes is looked at closely: its end may have been missed.
constexpr std::size_t kLongEntry = std::size_t{64} << 10;
/// So much is cut at once behind trouble; where all is well it doubles up to the whole window.
constexpr std::size_t kLeastCut = std::size_t{4} << 10;
/// In search of entries inside damage so much is read again, and so many times the text; then search goes on behind it, or
/// time would grow with the square of the length.
constexpr std::uint64_t kMostSearched = std::uint64_t{16} << 20;
constexpr std::uint64_t kSearchedTimes = 4;
/// What is kept of what stands beside the entries.
constexpr std::size_t kMostTop = std::size_t{64} << 20;

}  // namespace

DocumentReader::DocumentReader(TextSource& source, EntryParser& parser, JsonVisitor& visitor, JsonTroubles& troubles,
                               JsonProgress& progress, JsonDocument& document, const Job& job)
    : window_(source, progress.base, progress.window),
      source_(source),
      parser_(parser),
      visitor_(visitor),
      troubles_(troubles),
      progress_(progress),
      document_(document),
      job_(job) {}

int DocumentReader::peek() {
  for (;;) {
    at_ = skipBlanks(window_.text(), at_);
    if (at_ < window_.text().size() && !beginsComment(window_.text(), at_)) break;
    if (more()) continue;
    if (ended_ || at_ == window_.text().size()) {
      at_ = window_.text().size();
      return kNothing;
    }
    break;  // a comment longer than a window
  }
  return static_cast<unsigned char>(window_.text()[at_]);
}

bool DocumentReader::more() {
  if (job_.cancelled() || progress_.gaveUp) return false;
  if (window_.position(at_) > progress_.lastEntry + progress_.mostIdle) {
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
  for (int c = peek(); c != kNothing && !job_.cancelled(); c = peek()) {
    if (c == '[') {
      ++at_;
      const bool isEmpty = peek() == ']' || peek() == kNothing;
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

/// Whether the object at at_ is an entry that stands alone; such are short.
bool DocumentReader::isBareEntry() {
  if (window_.text().size() - at_ < kEntryBegin) more();
  if (findEntry(window_.text().substr(0, at_ + kEntryBegin), at_) != at_) return false;
  Walked walked;
  do walked = walkValue(window_.text(), at_);
  while (walked.stop == Walked::Stop::kTextEnd && window_.text().size() - at_ < kLongEntry && more());
  return walked.stop == Walked::Stop::kWhole && parse(std::move(walked.mended)) && event_.phase != '\0';
}

/// A text that is nowhere in the window.
bool DocumentReader::parse(std::string text) {
  const std::size_t size = text.size();
  mended_ = std::move(text);
  mended_.resize(size + kParseSlack, ' ');
  return parser_.parse(std::string_view(mended_).substr(0, size), event_);
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
  int c = peek();
  while (c == ',') {
    ++at_;
    c = peek();
  }
  if (c == '}' || c == kNothing) {
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
  topBytes_ += value.mended.size();
  if (value.stop == Walked::Stop::kTooDeep || topBytes_ > kMostTop)
    troubles_.add(JsonTroubles::kBeside, window_.position(at_));
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
    if (!handOutCut()) {
      most = kLeastCut;
      continue;
    }
    at_ = cut.at;
    most = cut.stop == Cut::Stop::kTrouble ? kLeastCut : std::min(most * 2, TextWindow::kMostWindow);
    if (cut.stop == Cut::Stop::kArrayEnd && !searching_) {
      at_ = cut.at + 1;
      return true;
    }
    if (cut.stop == Cut::Stop::kTextEnd && limit - at_ < kLongEntry) {
      if (limit < text.size()) continue;
      job_.progress(source_.fraction(), "Events");
      if (more()) continue;
    }
    if (!slowEntry()) return arrayEnded_;
  }
  return false;
}

/// The entries of cut_; false where one of them ends elsewhere than it seemed, and at_ is behind it.
bool DocumentReader::handOutCut() {
  const std::string_view text = window_.text();
  const std::uint64_t base = window_.position(0);
  for (const CutEntry& entry : cut_) {
    at_ = entry.begin;
    const std::size_t size = entry.end - entry.begin;
    if (size < kLongEntry && parser_.parse(text.substr(entry.begin, size), event_)) {
      if (handOut(window_.position(entry.begin))) continue;
      search(entry.end, entry.end);
      return false;
    }
    slowEntry();
    if (at_ != entry.end || window_.text().data() != text.data() || window_.position(0) != base) return false;
  }
  return true;
}

/// What stands at at_, byte by byte; false behind the end of the array or of the text.
bool DocumentReader::slowEntry() {
  int c = peek();
  while (c == ',') {
    ++at_;
    c = peek();
  }
  if (c == kNothing) return false;
  if (c == ']' && (!searching_ || foundEnd_)) {
    ++at_;
    arrayEnded_ = true;
    return false;
  }
  if (c != '{' && searching_) return resynchronise();
  Walked walked;
  walk(walked);
  const std::uint64_t position = window_.position(at_);
  switch (walked.stop) {
    case Walked::Stop::kWhole:
      if (c == '{') break;
      skipEntry(JsonTroubles::kNoObject);
      at_ = walked.end;
      return true;
    case Walked::Stop::kTooDeep:
      skipEntry(JsonTroubles::kTooDeep);
      at_ = walked.end;
      return true;
    case Walked::Stop::kBroken:
      skipEntry(JsonTroubles::kNoJson);
      return search(walked.end, walked.resume);
    case Walked::Stop::kTextEnd:
      if (!ended_) {
        skipEntry(JsonTroubles::kTooLong);
        return search(walked.end, walked.resume);
      }
      if (!searching_) {
        count(position);
        unfinished_ = position;
      }
      if (search(walked.end, walked.resume)) return true;
      cutOff();
      return false;
  }
  if (parse(std::move(walked.mended))) {
    if (walked.controls > 0) troubles_.add(JsonTroubles::kControls, position, walked.controls);
    if (walked.badUtf8 > 0) troubles_.add(JsonTroubles::kBadUtf8, position, walked.badUtf8);
    if (!handOut(position)) return search(walked.end, walked.end);
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

/// False for what is a part of something damaged.
bool DocumentReader::handOut(std::uint64_t position) {
  if (searching_ && event_.phase == '\0') return false;
  searching_ = false;
  if (unfinished_) troubles_.add(JsonTroubles::kNoJson, *std::exchange(unfinished_, std::nullopt));
  sawPhase_ = sawPhase_ || event_.phase != '\0';
  event_.ordinal = progress_.ordinal;
  count(position);
  visitor_.entry(event_);
  return true;
}

/// Goes on at what looks like an entry inside what stands from at_ to `end` and is none; or at least behind `behind`.
bool DocumentReader::search(std::size_t end, std::size_t behind) {
  searched_ += end - at_;
  const bool inside = searched_ < kMostSearched + kSearchedTimes * window_.position(end);
  at_ = inside ? at_ + 1 : std::max(behind, at_ + 1);
  return resynchronise();
}

/// Goes to where an entry seems to begin, or the array to end; false at the end of the text.
bool DocumentReader::resynchronise() {
  searching_ = true;
  foundEnd_ = false;
  const auto endsAt = [this](std::size_t end) {
    foundEnd_ = end != std::string_view::npos;
    at_ = std::min(end, window_.text().size());
    return foundEnd_;
  };
  for (;;) {
    const std::string_view text = window_.text();
    const std::size_t entry = findEntry(text, at_);
    const std::size_t end = findArrayEnd(text.substr(0, entry), at_, false);
    if (end != std::string_view::npos) return endsAt(end);
    if (entry != std::string_view::npos) {
      at_ = entry;
      return true;
    }
    if (text.size() > at_ + kEntryBegin) at_ = text.size() - kEntryBegin;
    if (!more()) return endsAt(findArrayEnd(window_.text(), at_, true));
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
