// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/ticks.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "model/wide.h"

namespace lanescope::views {
namespace {

using trace::Ns;

constexpr Ns kMicro = 1'000, kMilli = 1'000'000, kSecond = 1'000'000'000, kMinute = 60 * kSecond, kHour = 60 * kMinute;
constexpr int kMaxDigits = 5;  // an absolute label with more is written as a distance from the base

struct Step {
  Ns step, minor;
};

// 1, 2, 5 × 10^k up to a second, then what clocks show, then 1, 2, 5 × 10^k hours.
constexpr std::array<Step, 12> kClockSteps{{{kSecond, kSecond / 5},
                                            {2 * kSecond, kSecond / 2},
                                            {5 * kSecond, kSecond},
                                            {10 * kSecond, 2 * kSecond},
                                            {15 * kSecond, 5 * kSecond},
                                            {30 * kSecond, 10 * kSecond},
                                            {kMinute, 15 * kSecond},
                                            {2 * kMinute, 30 * kSecond},
                                            {5 * kMinute, kMinute},
                                            {10 * kMinute, 2 * kMinute},
                                            {15 * kMinute, 5 * kMinute},
                                            {30 * kMinute, 10 * kMinute}}};

Step decimalStep(Ns unit, Wide least, Ns most) {
  for (Ns power = unit; power < most; power *= 10) {
    if (power >= least) return {power, power >= 5 ? power / 5 : power};
    if (2 * power >= least) return {2 * power, power / 2 > 0 ? power / 2 : power};
    if (5 * power >= least) return {5 * power, power};
  }
  return {most, most};
}

Step stepFor(Wide least) {
  if (least <= kSecond / 2) return decimalStep(1, least, kSecond);
  for (const Step& s : kClockSteps)
    if (s.step >= least) return s;
  return decimalStep(kHour, least, trace::kMaxTime);
}

Ns floorTo(Ns t, Ns step) {
  const Ns rest = t % step;
  return t - (rest < 0 ? rest + step : rest);
}

std::string grouped(Ns whole) {
  std::string text = std::to_string(whole);
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), 1, ' ');
  return text;
}

/// magnitude / unit with as many decimals as a multiple of step can need, in groups of three.
std::string decimal(Ns magnitude, Ns unit, Ns step) {
  std::string text = grouped(magnitude / unit);
  Ns rest = magnitude % unit;
  if (rest == 0 && (step % unit == 0 || magnitude == 0)) return text;  // "0 ms", not "0.00 ms"
  std::string decimals;
  for (Ns place = unit / 10; place > 0; place /= 10) {
    decimals += static_cast<char>('0' + rest / place);
    rest %= place;
    if (step % place == 0 && rest == 0) break;
  }
  text += '.';
  for (std::size_t i = 0; i < decimals.size(); ++i) {
    if (i > 0 && i % 3 == 0) text += ' ';
    text += decimals[i];
  }
  return text;
}

std::string clock(Ns magnitude, Ns step) {
  const Ns hours = magnitude / kHour, minutes = magnitude / kMinute % 60, rest = magnitude % kMinute;
  std::string text;
  if (hours > 0) text = grouped(hours) + " h";
  if (hours == 0 || step < kHour || magnitude % kHour != 0) {
    char part[24];
    std::snprintf(part, sizeof part, hours > 0 ? " %02d min" : "%d min", static_cast<int>(minutes));
    text += part;
  }
  if (step < kMinute || rest != 0) {
    const std::string seconds = decimal(rest, kSecond, std::min(step, kSecond));
    text += rest < 10 * kSecond ? " 0" : " ";
    text += (step % kSecond == 0 && rest % kSecond == 0 ? std::to_string(rest / kSecond) : seconds) + " s";
  }
  return text;
}

/// The unit that the largest label of a ruler is written in, so that all of them agree.
std::string label(Ns time, Ns step, Ns largest) {
  const Ns magnitude = time < 0 ? -time : time;
  const std::string sign = time < 0 ? "-" : "";
  if (largest >= kMinute) return magnitude == 0 ? "0 s" : sign + clock(magnitude, step);
  if (largest >= kSecond) return sign + decimal(magnitude, kSecond, step) + " s";
  if (largest >= kMilli) return sign + decimal(magnitude, kMilli, step) + " ms";
  if (largest >= kMicro) return sign + decimal(magnitude, kMicro, step) + " µs";
  return sign + std::to_string(magnitude) + " ns";
}

int digitsOf(const std::string& text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }));
}

Ns largestOf(trace::TimeRange range) { return std::max(std::abs(range.begin), std::abs(range.end)); }

}  // namespace

std::string timeLabel(Ns time, Ns step) { return label(time, step, time < 0 ? -time : time); }

Ticks ticksFor(trace::TimeRange visible, int width, int minGap) {
  Ticks result;
  if (visible.empty() || width <= 0) return result;
  const Wide least = (static_cast<Wide>(visible.length()) * minGap + width - 1) / width;
  const auto [step, minor] = stepFor(std::max<Wide>(least, 1));
  result.step = step;
  result.minorStep = minor;

  const Ns first = floorTo(visible.begin, step);
  Ns largest = largestOf({first, floorTo(visible.end, step)});
  if (digitsOf(label(first + step, step, largest)) > kMaxDigits) {
    // A whole number of the unit above what is visible: the base stays while one pans within it.
    for (const Ns unit : {kMicro, kMilli, kSecond, kMinute, kHour}) {
      if (unit < visible.length()) continue;
      result.base = floorTo(visible.begin, unit);
      result.baseLabel = timeLabel(result.base, unit);
      largest = visible.end - result.base;
      break;
    }
  }
  for (Ns t = floorTo(visible.begin, minor); t <= visible.end; t += minor) {
    if (t < visible.begin) continue;
    std::string text;
    if (floorTo(t, step) == t)
      text = result.baseLabel.empty() ? label(t, step, largest) : "+" + label(t - result.base, step, largest);
    result.ticks.push_back({t, std::move(text)});
  }
  return result;
}

}  // namespace lanescope::views
