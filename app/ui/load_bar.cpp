// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/load_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include "views/theme.h"

namespace lanescope::ui {
namespace {

using views::Theme;

constexpr int kLine = 3;
constexpr int kPillWidth = 320, kPillHeight = 32;

}  // namespace

LoadBar::LoadBar(QWidget* parent)
    : QWidget(parent), step_(new QLabel(this)), cancel_(new QPushButton(tr("Cancel"), this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, kLine + 2, 8, 2);
  row->addWidget(step_, 1);
  row->addWidget(cancel_);
  step_->setTextFormat(Qt::PlainText);
  cancel_->setFlat(true);
  cancel_->setAccessibleName(tr("Cancel loading"));
  connect(cancel_, &QPushButton::clicked, this, [this] {
    cancel_->setEnabled(false);
    emit cancelled();
  });
  patience_.setSingleShot(true);
  patience_.setInterval(kPatience);
  connect(&patience_, &QTimer::timeout, this, &LoadBar::appear);
  parent->installEventFilter(this);
  hide();
}

void LoadBar::start() {
  fraction_ = 0;
  step_->setText(tr("Opening…"));
  cancel_->setEnabled(true);
  hide();
  patience_.start();
}

void LoadBar::setProgress(double fraction, const QString& step) {
  fraction_ = std::clamp(fraction, 0.0, 1.0);
  step_->setText(tr("Reading %1 · %2 %").arg(step).arg(static_cast<int>(fraction_ * 100)));
  update();
}

void LoadBar::stop() {
  patience_.stop();
  hide();
}

void LoadBar::appear() {
  place();
  show();
  raise();
}

void LoadBar::place() {
  setGeometry(0, 0, parentWidget()->width(), kLine + kPillHeight);
  // The pill hangs from the line at its right; what lies left of it stays free for the mouse.
  const QRect pill(width() - kPillWidth, kLine, kPillWidth, kPillHeight);
  layout()->setContentsMargins(pill.left() + 12, kLine + 2, 8, 2);
  setMask(QRegion(0, 0, width(), kLine) + pill);
}

bool LoadBar::eventFilter(QObject* parent, QEvent* event) {
  if (event->type() == QEvent::Resize) place();
  return QWidget::eventFilter(parent, event);
}

void LoadBar::paintEvent(QPaintEvent*) {
  const auto& colours = Theme::colours();
  QPainter painter(this);
  painter.fillRect(rect(), colours.panel);
  painter.fillRect(0, 0, width(), kLine, colours.hairline);
  painter.fillRect(0, 0, static_cast<int>(width() * fraction_), kLine, colours.accent);
}

}  // namespace lanescope::ui
