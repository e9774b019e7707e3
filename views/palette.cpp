// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/palette.h"

#include <QColor>
#include <algorithm>
#include <cmath>

namespace lanescope::views {
namespace {

constexpr double kReadable = 4.5;   // text on a bar
constexpr double kVisible = 1.6;    // a bar on the canvas
constexpr int kStepBack = 78;       // per cent of the way to the canvas, for what was not chosen

double linear(int channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(QRgb c) { return 0.2126 * linear(qRed(c)) + 0.7152 * linear(qGreen(c)) + 0.0722 * linear(qBlue(c)); }

QRgb mixed(QRgb from, QRgb to, int percent) {
  const auto mix = [percent](int a, int b) { return a + (b - a) * percent / 100; };
  return qRgb(mix(qRed(from), qRed(to)), mix(qGreen(from), qGreen(to)), mix(qBlue(from), qBlue(to)));
}

bool isNvtx(trace::EventKind kind) {
  return kind == trace::EventKind::kNvtxRange || kind == trace::EventKind::kNvtxStartEnd ||
         kind == trace::EventKind::kNvtxMark || kind == trace::EventKind::kNvtxProjection;
}

/// Okabe and Ito's set but for black ("Color Universal Design", 2008).
constexpr QRgb kOkabeIto[] = {0xFF0072B2, 0xFFE69F00, 0xFF009E73, 0xFFCC79A7, 0xFF56B4E9, 0xFFD55E00, 0xFFF0E442};
enum : std::size_t { kBlue, kOrange, kGreen, kPurple, kSky, kVermillion, kYellow };

/// By Colouring::By.
constexpr std::string_view kByWords[] = {"name", "kind", "stream", "duration", "author", "change"};

constexpr QRgb kGrey = 0xFF808a99;
/// From dark to light, as lightness is what every eye tells apart (viridis).
constexpr QRgb kLengths[] = {0xFF46327e, 0xFF365c8d, 0xFF277f8e, 0xFF1fa187, 0xFF4ac16d, 0xFFa0da39, 0xFFfde725};
constexpr const char* kChangeLabels[] = {"same", "slower", "faster", "only in A", "only in B"};
constexpr const char* kLengthLabels[] = {"under 1 µs", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms and more"};

bool hasPart(std::string_view text, std::string_view part) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [&](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
}

PaletteColours colourBlindSafe(PaletteColours colours) {
  using enum trace::EventKind;
  const auto set = [&](std::initializer_list<trace::EventKind> kinds, std::vector<QRgb> shades) {
    for (const trace::EventKind kind : kinds) colours.shades[static_cast<std::size_t>(kind)] = shades;
  };
  set({kKernel, kGraphLaunch}, {kOkabeIto[kBlue], kOkabeIto[kSky]});
  set({kCopy, kMemset}, {kOkabeIto[kGreen]});
  set({kCudaApi, kLibraryCall}, {kOkabeIto[kSky], kOkabeIto[kBlue]});
  set({kSync, kOverhead, kGpuPageFault, kCpuPageFault}, {kOkabeIto[kVermillion]});
  set({kIdle}, {kOkabeIto[kOrange], kOkabeIto[kPurple], kGrey, kOkabeIto[kSky], kOkabeIto[kVermillion]});
  set({kNvtxRange, kNvtxStartEnd, kNvtxMark, kNvtxProjection},
      {kOkabeIto[kOrange], kOkabeIto[kPurple], kOkabeIto[kYellow], kOkabeIto[kGreen]});
  set({kOsRuntime, kThreadState, kThreadWait, kCpuSample, kCpuCore}, {kGrey});
  set({kPythonSample, kGilWait}, {kOkabeIto[kYellow]});
  colours.copies.fill(kOkabeIto[kPurple]);
  constexpr std::size_t kHostToDevice = 1, kDeviceToHost = 2;
  colours.copies[kHostToDevice] = kOkabeIto[kGreen];
  colours.copies[kDeviceToHost] = kOkabeIto[kVermillion];
  colours.waitingApi = kOkabeIto[kOrange];
  colours.copyApi = kOkabeIto[kPurple];
  colours.preempted = kOkabeIto[kOrange];
  return colours;
}

}  // namespace

Palette::Palette(PaletteColours colours, Colouring colouring)
    : colours_(colouring.colourBlind ? colourBlindSafe(std::move(colours)) : std::move(colours)),
      colouring_(std::move(colouring)) {
  if (colouring_.colourBlind) {
    for (auto& shades : colours_.shades)
      for (QRgb& shade : shades) shade = nudged(shade);
    for (QRgb& copy : colours_.copies) copy = nudged(copy);
    colours_.waitingApi = nudged(colours_.waitingApi);
    colours_.copyApi = nudged(colours_.copyApi);
    colours_.preempted = nudged(colours_.preempted);
  }
  for (const QRgb each : kOkabeIto) set_.push_back(nudged(each));
  for (const QRgb each : kLengths) lengths_.push_back(nudged(each));
  for (Colouring::Rule& rule : colouring_.rules) rule.colour = nudged(rule.colour);
}

std::string_view Colouring::word(By by) { return kByWords[static_cast<std::size_t>(by)]; }

std::optional<Colouring::By> Colouring::byWord(std::string_view word) {
  const auto found = std::ranges::find(kByWords, word);
  if (found == std::end(kByWords)) return std::nullopt;
  return static_cast<By>(found - std::begin(kByWords));
}

tl::expected<std::vector<Colouring::Rule>, int> parseRules(std::string_view text) {
  std::vector<Colouring::Rule> rules;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view one = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (one.empty() || one.front() == '#') continue;
    const std::size_t equals = one.rfind('=');
    const std::string_view part = trimmed(one.substr(0, equals));
    const QColor colour(
        equals == std::string_view::npos
            ? QString()
            : QString::fromUtf8(one.data() + equals + 1, static_cast<qsizetype>(one.size() - equals - 1)).trimmed());
    if (part.empty() || !colour.isValid()) return tl::unexpected(line);
    rules.push_back({std::string(part), colour.rgb()});
  }
  return rules;
}

std::vector<LegendEntry> Palette::legend() const {
  std::vector<LegendEntry> entries;
  if (colouring_.by == Colouring::By::kChange) {
    for (std::size_t i = 0; i < colours_.changes.size(); ++i)
      entries.push_back({colours_.changes[i], kChangeLabels[i]});
    return entries;
  }
  for (const Colouring::Rule& rule : colouring_.rules) entries.push_back({rule.colour, rule.part});
  if (byLength())
    for (std::size_t i = 0; i < lengths_.size(); ++i) entries.push_back({lengths_[i], kLengthLabels[i]});
  if (colouring_.by == Colouring::By::kKind)
    for (const auto kind : {trace::EventKind::kKernel, trace::EventKind::kCopy, trace::EventKind::kMemset,
                            trace::EventKind::kCudaApi, trace::EventKind::kSync, trace::EventKind::kNvtxRange,
                            trace::EventKind::kOsRuntime, trace::EventKind::kOverhead})
      entries.push_back({ownColour({.kind = kind, .copyKind = 1}, 0), std::string(trace::kindName(kind))});
  return entries;
}

QRgb Palette::colourOfLength(trace::NameId name, trace::Ns length) const {
  if (name < names_.size() && names_[name].rule) return chosenOrBack(name, names_[name].rule);
  std::size_t step = 0;
  for (trace::Ns limit = 1000; step + 1 < lengths_.size() && length >= limit; limit *= 10) ++step;
  return chosenOrBack(name, lengths_.empty() ? kGrey : lengths_[step]);
}

QRgb Palette::colourOf(Change change) const {
  return change == Change::kNotCompared ? dimmed(colours_.changes.front())
                                        : colours_.changes[static_cast<std::size_t>(change) - 1];
}

QRgb Palette::colourOfChange(trace::NameId name, trace::EventId event) const {
  return chosenOrBack(name,
                      colourOf(event < changes_->ofEvent.size() ? changes_->ofEvent[event] : Change::kNotCompared));
}

std::uint32_t stableHash(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const unsigned char c : text) hash = (hash ^ c) * 16777619u;
  return hash;
}

double contrast(QRgb a, QRgb b) {
  const double la = luminance(a) + 0.05, lb = luminance(b) + 0.05;
  return la > lb ? la / lb : lb / la;
}

Palette::Role Palette::roleOf(std::string_view text) {
  const auto has = [text](std::string_view part) { return text.find(part) != std::string_view::npos; };
  // cudaStreamWaitEvent and its like make the stream wait, not the thread that calls.
  if (has("Synchronize")) return Role::kWaits;
  for (const std::string_view prefix : {"cudaMemcpy", "cuMemcpy", "hipMemcpy"})
    if (text.starts_with(prefix)) return Role::kCopies;
  return text == "Preempted" ? Role::kPreempted : Role::kPlain;
}

void Palette::learn(const trace::Trace& trace) {
  if (!trace.names) return;
  if (table_ != trace.names) names_.clear();
  table_ = trace.names;
  const std::uint32_t count = table_->size();
  names_.reserve(count);
  for (auto id = static_cast<trace::NameId>(names_.size()); id < count; ++id) {
    const trace::Name& name = (*table_)[id];
    // Many authors leave the alpha byte at 0: a colour is a colour.
    const QRgb own = name.argb ? nudged(name.argb | 0xFF000000) : 0;
    const auto rule = std::ranges::find_if(colouring_.rules, [&](const auto& r) { return hasPart(name.text, r.part); });
    names_.push_back(
        {stableHash(name.text), own, roleOf(name.text), rule == colouring_.rules.end() ? 0 : rule->colour});
  }
}

QRgb Palette::colour(const trace::LaneInfo& lane, trace::NameId name) const {
  return chosenOrBack(name, ownColour(lane, name));
}

QRgb Palette::chosenOrBack(trace::NameId name, QRgb own) const { return stepsBack(name) ? dimmed(own) : own; }

QRgb Palette::dimmed(QRgb colour) const { return mixed(colour, colours_.canvas, kStepBack); }

QRgb Palette::ownColour(const trace::LaneInfo& lane, trace::NameId name) const {
  const auto& shades = colours_.shades[static_cast<std::size_t>(lane.kind)];
  if (byChange()) return colourOf(name < changes_->ofName.size() ? changes_->ofName[name] : Change::kNotCompared);
  if (name < names_.size() && names_[name].rule) return names_[name].rule;
  switch (colouring_.by) {
    case Colouring::By::kName:
    case Colouring::By::kChange:
    case Colouring::By::kDuration:  // what no length is asked of: a line of a table
      break;
    case Colouring::By::kKind:
      return lane.kind == trace::EventKind::kCopy ? colours_.copies[1] : shades.empty() ? kGrey : shades.front();
    case Colouring::By::kStream:
      return lane.stream == trace::kNone ? kGrey : set_[lane.stream % set_.size()];
    case Colouring::By::kAuthor:
      return name < names_.size() && names_[name].own ? names_[name].own : kGrey;
  }
  if (lane.kind == trace::EventKind::kCopy)
    return colours_.copies[lane.copyKind < PaletteColours::kCopyKinds ? lane.copyKind : 0];
  if (shades.empty()) return 0xFF808080;
  if (name >= names_.size()) return shades.front();

  const Learned& learned = names_[name];
  if (learned.own && isNvtx(lane.kind)) return learned.own;
  if (lane.kind == trace::EventKind::kCudaApi) {
    if (learned.role == Role::kWaits) return colours_.waitingApi;
    if (learned.role == Role::kCopies) return colours_.copyApi;
  }
  if (lane.kind == trace::EventKind::kThreadWait && learned.role == Role::kPreempted) return colours_.preempted;
  return shades[learned.hash % shades.size()];
}

QRgb Palette::textOn(QRgb background) const {
  return contrast(background, colours_.darkText) >= contrast(background, colours_.lightText) ? colours_.darkText
                                                                                             : colours_.lightText;
}

QRgb Palette::nudged(QRgb own) const {
  const QRgb away = luminance(colours_.canvas) < 0.18 ? qRgb(255, 255, 255) : qRgb(0, 0, 0);
  for (int percent = 0; percent < 100; percent += 4) {
    const QRgb candidate = mixed(own, away, percent);
    if (contrast(candidate, colours_.canvas) >= kVisible && contrast(candidate, textOn(candidate)) >= kReadable)
      return candidate;
  }
  return away;
}

}  // namespace lanescope::views
