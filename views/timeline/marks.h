// SPDX-License-Identifier: GPL-3.0-or-later
// Marks that a person sets in a report: an instant or a range of time with a name and a note. In order of time, at most
// kMost of them, names and notes cut to kLongestText characters. GUI thread only.
#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "model/trace/time.h"

namespace lanescope::views {

struct Mark {
  trace::TimeRange time;  ///< begin == end: an instant
  QString name;
  QString note;

  bool isRange() const { return time.end > time.begin; }
  bool operator==(const Mark&) const = default;
};

class Marks : public QObject {
  Q_OBJECT

 public:
  explicit Marks(QObject* parent = nullptr) : QObject(parent) {}

  static constexpr std::size_t kMost = 10'000;
  static constexpr int kLongestText = 4096;

  const std::vector<Mark>& all() const { return all_; }
  /// A mark without a name gets one: "Mark 3", "Range 2". Its place in all(); none if there are kMost already.
  std::optional<std::size_t> add(Mark mark);
  void remove(std::size_t index);
  void rename(std::size_t index, const QString& name);  ///< an empty name is none: the old one stays
  void setNote(std::size_t index, const QString& note);
  void set(std::vector<Mark> marks);  ///< in any order, in place of all

  /// The mark that was gone to last; none after the list changed.
  std::optional<std::size_t> current() const { return current_; }
  void setCurrent(std::optional<std::size_t> index);

  /// The first mark that begins after a time, or the last one before it; none if there is none.
  std::optional<std::size_t> next(trace::Ns time, bool forward) const;

 signals:
  void changed();
  void added(std::size_t index);  ///< after changed()
  void currentChanged();

 private:
  void tell();

  std::vector<Mark> all_;
  std::optional<std::size_t> current_;
};

}  // namespace lanescope::views
