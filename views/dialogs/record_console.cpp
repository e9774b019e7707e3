// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/record_console.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include "views/restyle.h"
#include "views/text.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

QString minutes(qint64 ms) {
  const qint64 seconds = ms / 1000;
  return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

}  // namespace

RecordConsole::RecordConsole(QWidget* parent)
    : QWidget(parent),
      title_(new QLabel(this)),
      stateLine_(new QLabel(this)),
      pane_(new QPlainTextEdit(this)),
      stop_(new QPushButton(tr("Stop and keep"), this)),
      cancel_(new QPushButton(tr("Cancel recording…"), this)),
      back_(new QPushButton(tr("Another recording"), this)),
      again_(new QPushButton(tr("Connect again"), this)),
      close_(new QPushButton(tr("Close"), this)) {
  for (QLabel* line : {title_, stateLine_}) {
    line->setTextFormat(Qt::PlainText);
    line->setWordWrap(true);
  }
  title_->setFont(Theme::font(1, true));
  stateLine_->setObjectName("recordState");
  pane_->setReadOnly(true);
  pane_->setMaximumBlockCount(kMostLines);
  pane_->setFont(Theme::figures());
  pane_->setAccessibleName(tr("Output of the program and the recorder"));
  stop_->setObjectName("stopRecording");
  stop_->setToolTip(
      tr("Asks the program to end, as Ctrl+C does; what is recorded becomes a report.\n"
         "A second time: the recording ends, even if the program goes on"));
  cancel_->setObjectName("cancelRecording");
  cancel_->setToolTip(tr("Ends the program and discards what is recorded"));
  back_->setObjectName("anotherRecording");
  again_->setObjectName("connectAgain");
  close_->setObjectName("closeConsole");
  close_->setToolTip(tr("A recording goes on without this window"));
  for (QPushButton* button : {stop_, cancel_, back_, again_, close_}) button->setAutoDefault(false);
  tick_.setInterval(500);
  connect(&tick_, &QTimer::timeout, this, &RecordConsole::showState);
  connect(stop_, &QPushButton::clicked, this, &RecordConsole::stopWanted);
  connect(cancel_, &QPushButton::clicked, this, &RecordConsole::cancelWanted);
  connect(back_, &QPushButton::clicked, this, &RecordConsole::backWanted);
  connect(again_, &QPushButton::clicked, this, &RecordConsole::againWanted);
  connect(close_, &QPushButton::clicked, this, &RecordConsole::closeWanted);

  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addWidget(back_);
  buttons->addStretch();
  buttons->addWidget(again_);
  buttons->addWidget(cancel_);
  buttons->addWidget(stop_);
  buttons->addWidget(close_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(20, 16, 20, 16);
  layout->setSpacing(8);
  layout->addWidget(title_);
  layout->addWidget(stateLine_);
  layout->addWidget(pane_, 1);
  layout->addLayout(buttons);
  setState(State::kEnded);
}

void RecordConsole::begin(const QString& title, qint64 since) {
  title_->setText(title);
  pane_->clear();
  soFar_.clear();
  before_ = since;
  clock_.start();
  tick_.start();
  setState(State::kStarting);
}

void RecordConsole::addOutput(const QString& text) {
  QScrollBar* bar = pane_->verticalScrollBar();
  const bool follows = bar->value() >= bar->maximum() - 1;
  QTextCursor cursor(pane_->document());
  cursor.movePosition(QTextCursor::End);
  // Lines that overwrite themselves, as progress bars do, stand below each other.
  cursor.insertText(QString(text).replace("\r\n", "\n").replace('\r', '\n'));
  if (follows) bar->setValue(bar->maximum());
}

void RecordConsole::addRemark(const QString& line) {
  const QString text = pane_->document()->lastBlock().text();
  addOutput((text.isEmpty() ? "" : "\n") + line + "\n");
}

void RecordConsole::setSoFar(std::uint64_t bytes, std::uint64_t events) {
  soFar_ = tr("%1 events · %2").arg(numberText(events), toQt(formatBytes(bytes)));
  if (state_ == State::kStarting) state_ = State::kRecording;
  setState(state_, words_);
}

void RecordConsole::setState(State state, const QString& words) {
  state_ = state;
  words_ = words;
  const bool isOver = state == State::kEnded || state == State::kLost;
  if (isOver) tick_.stop();
  stop_->setVisible(!isOver);
  cancel_->setVisible(!isOver);
  stop_->setEnabled(state != State::kCancelling);
  cancel_->setEnabled(state != State::kCancelling);
  back_->setVisible(isOver);
  again_->setVisible(state == State::kLost);
  showState();
}

QString RecordConsole::stateText() const { return stateLine_->text(); }
QString RecordConsole::output() const { return pane_->toPlainText(); }

void RecordConsole::showState() {
  QString text = words_;
  if (text.isEmpty()) {
    switch (state_) {
      case State::kStarting:
        text = tr("Starting");
        break;
      case State::kRecording:
        text = tr("Recording");
        break;
      case State::kEnding:
        text = tr("Ending");
        break;
      case State::kCancelling:
        text = tr("Discarding");
        break;
      case State::kEnded:
        text = tr("Ended");
        break;
      case State::kLost:
        text = tr("Not connected");
        break;
    }
  }
  if (tick_.isActive()) text += " · " + minutes(before_ + clock_.elapsed());
  if (!soFar_.isEmpty() && state_ != State::kEnded) text += " · " + soFar_;
  stateLine_->setText(text);
  restyle(*stateLine_, "tone", state_ == State::kLost ? "warning" : "dim");
}

}  // namespace lanescope::views
