// SPDX-License-Identifier: GPL-3.0-or-later
// One line of short phrases with dots between, each with a tooltip that says what it means. What does not fit is left
// out behind "…" and stands in the tooltip there. GUI thread only.
#pragma once

#include <QWidget>
#include <vector>

namespace lanescope::views {

struct Phrase {
  QString text;     ///< "GPU busy 97.1 %"
  QString meaning;  ///< "776.8 µs of 800.0 µs: …"
  bool warns = false;
  bool bold = false;
};

class PhraseLine : public QWidget {
  Q_OBJECT

 public:
  explicit PhraseLine(QWidget* parent = nullptr);

  void setPhrases(std::vector<Phrase> phrases);
  const std::vector<Phrase>& phrases() const { return phrases_; }
  QString text() const;
  /// What the tooltip says at a place.
  QString meaningAt(int x) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Place {
    int left = 0, right = 0;
    std::size_t phrase = 0;
    bool rest = false;  // "…", for this phrase and all behind it
  };
  std::vector<Place> places() const;
  QFont fontOf(const Phrase& phrase) const;

  std::vector<Phrase> phrases_;
};

}  // namespace lanescope::views
