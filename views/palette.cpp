// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/palette.h"

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

}  // namespace

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
  if (text.starts_with("cudaMemcpy") || text.starts_with("cuMemcpy")) return Role::kCopies;
  return Role::kPlain;
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
    names_.push_back({stableHash(name.text), own, roleOf(name.text)});
  }
}

QRgb Palette::colour(const trace::LaneInfo& lane, trace::NameId name) const {
  const QRgb own = ownColour(lane, name);
  return !chosen_ || !table_ || (*table_)[name].same == *chosen_ ? own : mixed(own, colours_.canvas, kStepBack);
}

QRgb Palette::ownColour(const trace::LaneInfo& lane, trace::NameId name) const {
  const auto& shades = colours_.shades[static_cast<std::size_t>(lane.kind)];
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
