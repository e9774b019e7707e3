// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/welcome_page.h"

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "model/remote/ssh_target.h"
#include "views/theme.h"

namespace lanescope::ui {
namespace {

using views::Theme;
using views::ThemeColours;

constexpr int kColumn = 560;
constexpr std::size_t kShownRecent = 6;

QLabel* dimLabel(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setProperty("tone", "dim");
  return label;
}

/// A dashed frame; filled with a breath of the accent while a file hovers over the window.
class DropZone : public QWidget {
 public:
  using QWidget::QWidget;
  bool over = false;

 protected:
  void paintEvent(QPaintEvent*) override {
    constexpr qreal kRadius = 8;
    const ThemeColours& colours = Theme::colours();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(over ? colours.accent : colours.textFaint, 1.5, Qt::DashLine);
    pen.setDashPattern({4, 4});
    painter.setPen(pen);
    painter.setBrush(over ? colours.selectionFill : colours.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kRadius, kRadius);
  }
};

QString homeShortened(const QString& folder) {
  const QString home = QDir::homePath();
  return folder == home || folder.startsWith(home + '/') ? '~' + folder.mid(home.size()) : folder;
}

}  // namespace

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent) {
  setObjectName("welcome");
  setMinimumSize(1, 1);  // behind open reports it must not make the window larger
  auto* column = new QWidget(this);
  column->setFixedWidth(kColumn);
  auto* lines = new QVBoxLayout(column);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(4);

  auto* title = new QLabel(QStringLiteral("Lanescope"), column);
  title->setFont(Theme::font(16, true));
  lines->addWidget(title);
  lines->addWidget(dimLabel(tr("See what a CUDA program does, on the CPU and on the GPU"), column));
  lines->addSpacing(20);
  lines->addWidget(makeDropZone());

  recent_ = new QWidget(column);
  recentRows_ = new QVBoxLayout(recent_);
  recentRows_->setContentsMargins(0, 20, 0, 0);
  recentRows_->setSpacing(0);
  lines->addWidget(recent_);
  lines->addSpacing(20);
  auto* keys = dimLabel(tr("<b>Ctrl+O</b> open &nbsp;·&nbsp; <b>wheel</b> zoom at the pointer &nbsp;·&nbsp; "
                           "<b>drag</b> select a range &nbsp;·&nbsp; <b>F1</b> getting around"),
                        column);
  lines->addWidget(keys);

  auto* layout = new QVBoxLayout(this);
  layout->addStretch(2);
  layout->addWidget(column, 0, Qt::AlignHCenter);
  layout->addStretch(3);
  setRecentFiles({});
  setSample({});
}

QWidget* WelcomePage::makeDropZone() {
  dropZone_ = new DropZone(this);
  open_ = new QPushButton(tr("Open a report…"), dropZone_);
  open_->setDefault(true);
  sample_ = new QPushButton(tr("Open the sample recorded on an H200"), dropZone_);
  connect(open_, &QPushButton::clicked, this, &WelcomePage::openWanted);
  connect(sample_, &QPushButton::clicked, this, [this] { emit fileChosen(sample_->property("path").toString()); });

  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addStretch();
  buttons->addWidget(open_);
  buttons->addWidget(sample_);
  buttons->addStretch();
  auto* lines = new QVBoxLayout(dropZone_);
  lines->setContentsMargins(24, 28, 24, 24);
  lines->setSpacing(4);
  auto* invitation = new QLabel(tr("Drop a report here"), dropZone_);
  invitation->setFont(Theme::font(2, true));
  lines->addWidget(invitation, 0, Qt::AlignHCenter);
  lines->addWidget(
      dimLabel(
          tr("a .rep file, an SQLite file exported by Nsight Systems, or a trace of nvprof, PyTorch, Chrome or ROCm"),
          dropZone_),
      0, Qt::AlignHCenter);
  lines->addSpacing(12);
  lines->addLayout(buttons);
  return dropZone_;
}

void WelcomePage::setSample(const QString& path) {
  sample_->setProperty("path", path);
  sample_->setVisible(!path.isEmpty());
}

void WelcomePage::setDropHint(bool over) {
  static_cast<DropZone*>(dropZone_)->over = over;
  dropZone_->update();
}

void WelcomePage::setRecentFiles(const QStringList& paths) {
  while (QLayoutItem* old = recentRows_->takeAt(0)) {
    old->widget()->deleteLater();
    old->widget()->hide();
    delete old;
  }
  QStringList existing, missing;
  for (const QString& path : paths)
    (remote::isSshAddress(path.toStdString()) || QFileInfo::exists(path) ? existing : missing) += path;
  recent_->setVisible(!paths.isEmpty());
  auto* heading = dimLabel(tr("Recent"), recent_);
  heading->setContentsMargins(0, 0, 0, 4);
  recentRows_->addWidget(heading);
  for (const QString& path : (existing + missing).mid(0, kShownRecent)) {
    recentRows_->addWidget(recentRow(path, existing.contains(path)));
  }
}

QWidget* WelcomePage::recentRow(const QString& path, bool exists) {
  constexpr int kHeight = 28, kFolderWidth = 300;
  const QFileInfo file(path);
  auto* row = new QWidget(recent_);
  row->setFixedHeight(kHeight);
  row->setToolTip(exists ? path : tr("%1 is not there any more").arg(path));
  auto* cells = new QHBoxLayout(row);
  cells->setContentsMargins(0, 0, 0, 0);
  cells->setSpacing(8);

  auto* name = new QToolButton(row);
  name->setObjectName("recentFile");
  name->setAutoRaise(true);
  name->setText(
      name->fontMetrics().elidedText(file.fileName(), Qt::ElideMiddle, kColumn - kFolderWidth - 60).replace('&', "&&"));
  name->setEnabled(exists);
  name->setFocusPolicy(Qt::StrongFocus);
  connect(name, &QToolButton::clicked, this, [this, path] { emit fileChosen(path); });
  cells->addWidget(name);
  cells->addStretch();
  auto* folder = new QLabel(row);
  folder->setTextFormat(Qt::PlainText);
  folder->setText(folder->fontMetrics().elidedText(homeShortened(file.path()), Qt::ElideMiddle, kFolderWidth));
  folder->setProperty("tone", exists ? "dim" : "faint");
  cells->addWidget(folder);
  if (!exists) {
    auto* remove = new QToolButton(row);
    remove->setAutoRaise(true);
    remove->setText(QStringLiteral("×"));
    remove->setToolTip(tr("Take it off this list"));
    remove->setAccessibleName(tr("Remove %1 from the list").arg(file.fileName()));
    connect(remove, &QToolButton::clicked, this, [this, path] { emit recentRemoved(path); });
    cells->addWidget(remove);
  }
  return row;
}

}  // namespace lanescope::ui
