// SPDX-License-Identifier: GPL-3.0-or-later
// A recording under way: what the program and the recorder write, how long it takes and how much there is, stop and
// cancel. Keeps the last kMostLines lines. GUI thread only.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <cstdint>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace lanescope::views {

class RecordConsole : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kMostLines = 20'000;
  enum class State { kStarting, kRecording, kEnding, kCancelling, kEnded, kLost };

  explicit RecordConsole(QWidget* parent = nullptr);

  /// Clears what an earlier one left. `since` of one that was begun before: ms ago.
  void begin(const QString& title, qint64 since = 0);
  void addOutput(const QString& text);
  /// A line of our own, between those of the program.
  void addRemark(const QString& line);
  void setSoFar(std::uint64_t bytes, std::uint64_t events);
  void setState(State state, const QString& words = {});
  State state() const { return state_; }
  QString stateText() const;
  QString output() const;

 signals:
  void stopWanted();
  void cancelWanted();
  void backWanted();  ///< to the form
  void closeWanted();
  void againWanted();  ///< to connect anew after kLost

 private:
  void showState();

  State state_ = State::kEnded;
  QString words_, soFar_;
  QElapsedTimer clock_;
  qint64 before_ = 0;
  QTimer tick_;
  QLabel *title_, *stateLine_;
  QPlainTextEdit* pane_;
  QPushButton *stop_, *cancel_, *back_, *again_, *close_;
};

}  // namespace lanescope::views
