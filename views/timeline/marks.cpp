// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/marks.h"

#include <algorithm>
#include <tuple>

namespace lanescope::views {
namespace {

bool before(const Mark& a, const Mark& b) {
  return std::tuple(a.time.begin, a.time.end) < std::tuple(b.time.begin, b.time.end);
}

/// "Mark 3": one more than the greatest number that such a name has.
QString freshName(const std::vector<Mark>& marks, bool range) {
  const QString word = range ? Marks::tr("Range") : Marks::tr("Mark");
  int greatest = 0;
  for (const Mark& mark : marks)
    if (mark.name.startsWith(word + ' ')) greatest = std::max(greatest, mark.name.mid(word.size() + 1).toInt());
  return QStringLiteral("%1 %2").arg(word).arg(greatest + 1);
}

}  // namespace

void Marks::tell() {
  current_.reset();  // it may be another one now
  emit changed();
  emit currentChanged();
}

void Marks::setCurrent(std::optional<std::size_t> index) {
  if (index && *index >= all_.size()) index.reset();
  if (index == current_) return;
  current_ = index;
  emit currentChanged();
}

std::optional<std::size_t> Marks::add(Mark mark) {
  if (all_.size() >= kMost) return std::nullopt;
  mark.name = mark.name.left(kLongestText);
  mark.note = mark.note.left(kLongestText);
  if (mark.name.isEmpty()) mark.name = freshName(all_, mark.isRange());
  const auto place = all_.insert(std::upper_bound(all_.begin(), all_.end(), mark, before), std::move(mark));
  const auto index = static_cast<std::size_t>(place - all_.begin());
  tell();
  emit added(index);
  return index;
}

void Marks::remove(std::size_t index) {
  if (index >= all_.size()) return;
  all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(index));
  tell();
}

void Marks::rename(std::size_t index, const QString& name) {
  const QString shown = name.trimmed().left(kLongestText);
  if (index >= all_.size() || shown.isEmpty() || shown == all_[index].name) return;
  all_[index].name = shown;
  emit changed();
}

void Marks::setNote(std::size_t index, const QString& note) {
  if (index >= all_.size() || note.left(kLongestText) == all_[index].note) return;
  all_[index].note = note.left(kLongestText);
  emit changed();
}

void Marks::set(std::vector<Mark> marks) {
  std::stable_sort(marks.begin(), marks.end(), before);
  if (marks.size() > kMost) marks.resize(kMost);
  for (Mark& mark : marks) {
    mark.name = mark.name.left(kLongestText);
    mark.note = mark.note.left(kLongestText);
  }
  if (marks == all_) return;
  all_ = std::move(marks);
  tell();
}

std::optional<std::size_t> Marks::next(trace::Ns time, bool forward) const {
  const auto starts = [](const Mark& mark, trace::Ns at) { return mark.time.begin < at; };
  auto place = std::lower_bound(all_.begin(), all_.end(), time, starts);
  if (!forward) return place == all_.begin() ? std::nullopt : std::optional<std::size_t>(place - all_.begin() - 1);
  while (place != all_.end() && place->time.begin == time) ++place;
  return place == all_.end() ? std::nullopt : std::optional<std::size_t>(place - all_.begin());
}

}  // namespace lanescope::views
