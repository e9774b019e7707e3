// SPDX-License-Identifier: GPL-3.0-or-later
// One of several reports as a view of its own, for panels that ask its file: its trace, its times, its ids. What is
// visible, selected and current follows the timeline that shows them all, and moves it: both are told apart by the
// report's offset only. GUI thread only.
#pragma once

#include <QObject>
#include <optional>

#include "app/ui/load_together.h"
#include "views/timeline/view_state.h"

namespace lanescope::ui {

class OwnView : public QObject {
  Q_OBJECT

 public:
  OwnView(views::ViewState& all, JoinedPtr joined, std::uint32_t report);

  views::ViewState& view() { return own_; }
  std::uint32_t report() const { return report_; }
  /// The same reports stand at other times.
  void setPlaced(JoinedPtr joined);

 private:
  enum class Way { kToOwn, kToAll };
  /// Runs `change` unless the change that it answers came from there.
  template <class Change>
  void pass(Way way, Change change);
  void followAll();
  void followCurrent();
  void leadAll();
  trace::Ns offset() const { return joined_->parts[report_].placement.offset; }

  views::ViewState& all_;
  JoinedPtr joined_;
  std::uint32_t report_;
  views::ViewState own_;
  std::optional<Way> passing_;
};

}  // namespace lanescope::ui
