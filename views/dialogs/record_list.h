// SPDX-License-Identifier: GPL-3.0-or-later
// The recordings that a machine knows of: those that run, whose reports can be fetched, and what killed ones left.
// GUI thread only.
#pragma once

#include <QWidget>
#include <cstdint>
#include <string>
#include <vector>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace lanescope::views {

struct KnownRecording {
  std::string id, state, command;  ///< state: "runs", "ended", "killed"
  std::int64_t began = 0;          ///< ns since 1970
  std::vector<std::string> reports;
  int status = 0;    ///< of one that ended
  bool left = false;  ///< a killed one has something to finish
};

class RecordList : public QWidget {
  Q_OBJECT

 public:
  explicit RecordList(QWidget* parent = nullptr);

  void show(const QString& place, std::vector<KnownRecording> recordings);
  void setWords(const QString& words);  ///< in place of a list
  void setCollector(bool canBeRemoved);

 signals:
  void followWanted(const lanescope::views::KnownRecording& recording);
  void openWanted(const QString& report);
  void finishWanted(const QString& id);
  void removeWanted(const QString& id);
  void removeCollectorWanted();
  void refreshWanted();
  void backWanted();

 private:
  const KnownRecording* current() const;
  void enable();

  std::vector<KnownRecording> recordings_;
  QLabel *title_, *words_;
  QTreeWidget* tree_;
  QPushButton *follow_, *open_, *finish_, *remove_, *collector_;
};

}  // namespace lanescope::views
