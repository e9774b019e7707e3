// SPDX-License-Identifier: GPL-3.0-or-later
// The colour of an event. By name: by kind, and within the kind's hue by a stable hash of the name, so that one name has
// one colour in every row, window, file and run; Colouring says what else it may go by. A value: a canvas copies Theme::palette() and lets its copy learn the names
// of its own trace. learn() costs O(new names), colour() is a table look-up. Any thread, but not while learning.
#pragma once

#include <qrgb.h>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::views {

/// What a theme file says about the colours of events.
struct PaletteColours {
  static constexpr std::size_t kCopyKinds = 14;
  std::array<std::vector<QRgb>, trace::kEventKinds> shades;  ///< by EventKind, none empty
  std::array<QRgb, kCopyKinds> copies{};  ///< by LaneInfo::copyKind
  QRgb waitingApi = 0;  ///< calls that block until the GPU is done
  QRgb copyApi = 0;  ///< calls that copy memory
  QRgb preempted = 0;  ///< threads that would have run
  std::array<QRgb, 5> changes{};  ///< by Change, from kSame on
  QRgb darkText = 0, lightText = 0;
  QRgb canvas = 0;  ///< what bars lie on
};

/// What the user chose colours to go by. A value.
struct Colouring {
  enum class By : std::uint8_t {
    kName,
    kKind,
    kStream,  ///< what has none is grey
    kDuration,  ///< a step for each power of ten from 1 µs to 1 s
    kAuthor,  ///< NVTX colours as their author chose them; all else is grey
    kChange,  ///< against the report it is compared with; by name where there is none
  };
  /// Names with `part` in them, whatever the case, have this colour; the first rule that fits counts, before all else.
  struct Rule {
    std::string part;
    QRgb colour = 0;
    bool operator==(const Rule&) const = default;
  };
  By by = By::kName;
  bool colourBlind = false;  ///< shades of Okabe and Ito's set, which no colour blindness confuses
  std::vector<Rule> rules;
  bool operator==(const Colouring&) const = default;

  /// "name", "stream", …: as files call it.
  static std::string_view word(By by);
  static std::optional<By> byWord(std::string_view word);
};

/// One line of a legend.
struct LegendEntry {
  QRgb colour;
  std::string label;
};

/// How something of a report differs from what it is in the other one.
enum class Change : std::uint8_t { kNotCompared, kSame, kSlower, kFaster, kOnlyA, kOnlyB };

/// Likewise all of a trace: its events, and its names by all their events.
struct Changes {
  std::vector<Change> ofEvent;  ///< by EventId
  std::vector<Change> ofName;  ///< by NameId
};

/// "nccl = orange" a line; '#' begins a remark. Else the line (from 1) that is wrong.
tl::expected<std::vector<Colouring::Rule>, int> parseRules(std::string_view text);

class Palette {
 public:
  Palette() = default;
  explicit Palette(PaletteColours colours, Colouring colouring = {});

  const Colouring& colouring() const { return colouring_; }
  /// What colours mean, where they mean something that can be listed: durations, kinds, rules.
  std::vector<LegendEntry> legend() const;
  /// Colours go by length: colourOfLength() says them, where no rule does.
  bool byLength() const { return colouring_.by == Colouring::By::kDuration; }
  QRgb colourOfLength(trace::NameId name, trace::Ns length) const;

  /// Colours go by change, where there is something to tell them from: colourOfChange() says that of an event.
  bool byChange() const { return colouring_.by == Colouring::By::kChange && changes_; }
  void setChanges(std::shared_ptr<const Changes> changes) { changes_ = std::move(changes); }
  QRgb colourOfChange(trace::NameId name, trace::EventId event) const;

  /// Prepares for the names of this trace; call again for each snapshot.
  void learn(const trace::Trace& trace);

  /// Names other than this one (Name::same) step back towards the canvas; none: all are as they are.
  void choose(std::optional<trace::NameId> name) { chosen_ = name; }

  /// This name steps back, since another one was chosen.
  bool stepsBack(trace::NameId name) const { return chosen_ && table_ && (*table_)[name].same != *chosen_; }

  /// The first shade of the kind for a name that was not learned.
  QRgb colour(const trace::LaneInfo& lane, trace::NameId name) const;

  /// A colour stepped back towards the canvas, as those of names that were not chosen.
  QRgb dimmed(QRgb colour) const;

  /// The dark or the light text colour, whichever reads better on `background`: at 4.5:1 or more on every colour that
  /// colour() returns.
  QRgb textOn(QRgb background) const;

  /// A colour that its author chose, moved as little as needed to stand out from the canvas and to carry text.
  QRgb nudged(QRgb own) const;

  const PaletteColours& colours() const { return colours_; }

 private:
  enum class Role : std::uint8_t { kPlain, kWaits, kCopies, kPreempted };
  struct Learned {
    std::uint32_t hash;
    QRgb own;  // the author's colour, nudged; 0 if none
    Role role;
    QRgb rule = 0;  // of the first rule that fits; 0: none
  };
  static Role roleOf(std::string_view text);
  QRgb chosenOrBack(trace::NameId name, QRgb own) const;
  QRgb colourOf(Change change) const;
  QRgb ownColour(const trace::LaneInfo& lane, trace::NameId name) const;

  PaletteColours colours_;
  Colouring colouring_;
  std::vector<QRgb> set_, lengths_;  // of streams, of powers of ten
  std::shared_ptr<const trace::NameTable> table_;  // whose names these are
  std::vector<Learned> names_;
  std::optional<trace::NameId> chosen_;
  std::shared_ptr<const Changes> changes_;  // of the trace; null: none
};

/// FNV-1a: the same on every machine and in every run.
std::uint32_t stableHash(std::string_view text);

/// Contrast of two opaque colours by WCAG 2: 1 (none) to 21 (black on white).
double contrast(QRgb a, QRgb b);

}  // namespace lanescope::views
