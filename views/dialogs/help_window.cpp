// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/help_window.h"

#include <QAbstractTextDocumentLayout>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPointer>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextList>
#include <QTextTable>
#include <QToolButton>
#include <QTreeWidget>
#include <QUrl>
#include <algorithm>

#include "views/theme.h"

namespace lanescope::views {
namespace {

constexpr int kPlaceRole = Qt::UserRole;
constexpr int kMargin = 24;

/// Markdown insists on a header row and Qt on borders; a list of keys, whose header is empty, wants neither.
void layTables(QTextDocument& document) {
  for (QTextFrame* frame : document.rootFrame()->childFrames()) {
    auto* table = qobject_cast<QTextTable*>(frame);
    if (!table) continue;
    const bool isList = table->cellAt(0, 0).firstCursorPosition().block().text().isEmpty();
    if (isList) table->removeRows(0, 1);
    QTextTableFormat format = table->format();
    format.setBorder(0);
    format.setCellSpacing(0);
    format.setCellPadding(4);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    QList<QTextLength> widths(table->columns());
    widths[0] = QTextLength(QTextLength::PercentageLength, isList ? 40 : 28);
    format.setColumnWidthConstraints(widths);
    table->setFormat(format);
  }
}

/// Air around headings and paragraphs, of which Markdown gives none; code in the font of figures.
void layText(QTextDocument& document) {
  constexpr qreal kAir = 8, kLinesApart = 125;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    QTextCursor cursor(block);
    if (cursor.currentTable()) continue;
    QTextBlockFormat format;
    const int level = block.blockFormat().headingLevel();
    const auto isFenced = [](const QTextBlock& each) {
      return each.isValid() && each.blockFormat().hasProperty(QTextFormat::BlockCodeFence);
    };
    const bool isCode = isFenced(block);
    format.setTopMargin(level > 1 ? 2.5 * kAir : 0);
    format.setBottomMargin(isCode && isFenced(block.next()) ? 0 : block.textList() ? kAir / 4 : kAir);
    if (!isCode && level == 0) format.setLineHeight(kLinesApart, QTextBlockFormat::ProportionalHeight);
    if (isCode) format.setBackground(Theme::colours().chip);
    cursor.mergeBlockFormat(format);
  }
}

QString pageIn(const QString& place) { return place.section('#', 0, 0); }
QString sectionIn(const QString& place) { return place.section('#', 1); }

}  // namespace

HelpWindow::HelpWindow(std::vector<HelpPage> pages, QWidget* parent)
    : QDialog(parent),
      pages_(std::move(pages)),
      back_(new QToolButton(this)),
      forward_(new QToolButton(this)),
      search_(new QLineEdit(this)),
      contents_(new QTreeWidget(this)),
      text_(new QTextBrowser(this)) {
  setObjectName("help");
  setWindowTitle(tr("Lanescope help"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(940, 720);

  back_->setText(tr("←"));
  back_->setToolTip(tr("Back (Alt+Left)"));
  back_->setAccessibleName(tr("Back"));
  forward_->setText(tr("→"));
  forward_->setToolTip(tr("Forward (Alt+Right)"));
  forward_->setAccessibleName(tr("Forward"));
  search_->setPlaceholderText(tr("Search the help"));
  search_->setToolTip(tr("Only pages and sections with this text; Enter goes on to the next place"));
  search_->setClearButtonEnabled(true);
  contents_->setHeaderHidden(true);
  contents_->setAccessibleName(tr("Contents"));
  text_->setFrameShape(QFrame::NoFrame);
  text_->setOpenLinks(false);

  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(8, 8, 8, 8);
  for (QWidget* each : std::initializer_list<QWidget*>{back_, forward_, search_}) bar->addWidget(each);
  auto* sides = new QSplitter(this);
  sides->addWidget(contents_);
  sides->addWidget(text_);
  sides->setStretchFactor(1, 1);
  sides->setSizes({260, 680});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(bar);
  layout->addWidget(sides, 1);

  addContents();
  text_->setFocus();
  connect(back_, &QToolButton::clicked, this, [this] { step(-1); });
  connect(forward_, &QToolButton::clicked, this, [this] { step(1); });
  connect(new QShortcut(QKeySequence("Alt+Left"), this), &QShortcut::activated, this, [this] { step(-1); });
  connect(new QShortcut(QKeySequence("Alt+Right"), this), &QShortcut::activated, this, [this] { step(1); });
  connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, search_, qOverload<>(&QWidget::setFocus));
  connect(search_, &QLineEdit::textChanged, this, &HelpWindow::search);
  connect(search_, &QLineEdit::returnPressed, this, &HelpWindow::findNext);
  connect(contents_, &QTreeWidget::itemClicked, this,
          [this](const QTreeWidgetItem* item) { open(item->data(0, kPlaceRole).toString()); });
  connect(contents_, &QTreeWidget::itemActivated, this,
          [this](const QTreeWidgetItem* item) { open(item->data(0, kPlaceRole).toString()); });
  connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) { follow(link.toString()); });
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    shownPage_.clear();  // colours of links lie in the document
    show(place_);
  });
}

void HelpWindow::addContents() {
  for (const HelpPage& page : pages_) {
    auto* item = new QTreeWidgetItem(contents_, {page.title});
    item->setData(0, kPlaceRole, page.id);
    for (const QString& section : page.sections) {
      auto* part = new QTreeWidgetItem(item, {section});
      part->setData(0, kPlaceRole, page.id + '#' + section);
    }
  }
}

const HelpPage* HelpWindow::pageOf(const QString& place) const {
  const auto at = std::ranges::find(pages_, pageIn(place), &HelpPage::id);
  return at == pages_.end() ? nullptr : &*at;
}

void HelpWindow::open(const QString& place) {
  const HelpPage* page = pageOf(place);
  if (!page) return;
  const QString section = page->section(sectionIn(place));
  const QString whole = section.isEmpty() ? page->id : page->id + '#' + section;
  if (at_ >= 0 && visited_[at_] == whole) return show(whole);
  visited_.resize(++at_);
  visited_ += whole;
  show(whole);
}

void HelpWindow::show(const QString& place) {
  const HelpPage* page = pageOf(place);
  if (!page) return;
  place_ = place;
  if (shownPage_ != page->id) {
    // Made apart, so that it is laid out once.
    auto* document = new QTextDocument(text_);
    document->setDocumentMargin(kMargin);
    document->setDefaultFont(Theme::font());
    document->setMarkdown(page->text);
    QTextCursor edit(document);
    edit.beginEditBlock();
    layText(*document);
    layTables(*document);
    edit.endEditBlock();
    const QPointer<QTextDocument> before = text_->document();
    text_->setDocument(document);
    delete before.data();  // but for the first, which the browser has deleted itself
    shownPage_ = page->id;
    markHits();
  }
  scrollTo(sectionIn(place));
  back_->setEnabled(at_ > 0);
  forward_->setEnabled(at_ + 1 < visited_.size());
  for (QTreeWidgetItemIterator it(contents_); *it; ++it) {
    if ((*it)->data(0, kPlaceRole).toString() != place) continue;
    contents_->setCurrentItem(*it);
    (*it)->setExpanded(true);
  }
}

void HelpWindow::scrollTo(const QString& section) {
  int top = 0;
  for (QTextBlock block = text_->document()->begin(); block.isValid() && !section.isEmpty(); block = block.next()) {
    if (block.blockFormat().headingLevel() != 2 || block.text() != section) continue;
    top = static_cast<int>(text_->document()->documentLayout()->blockBoundingRect(block).top()) - kMargin / 2;
    break;
  }
  text_->verticalScrollBar()->setValue(top);
}

void HelpWindow::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  scrollTo(sectionIn(place_));  // lines are as long as the window is wide
}

void HelpWindow::step(int by) {
  if (at_ + by < 0 || at_ + by >= visited_.size()) return;
  at_ += by;
  show(visited_[at_]);
}

void HelpWindow::follow(const QString& link) {
  if (link.contains("://")) {
    QDesktopServices::openUrl(QUrl(link));
    return;
  }
  QString place = link;
  place.replace(".md", "");
  open(place.startsWith('#') ? pageIn(place_) + place : place);
}

void HelpWindow::search(const QString& text) {
  const QString wanted = text.trimmed();
  for (int i = 0; i < contents_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = contents_->topLevelItem(i);
    const HelpPage& page = pages_[static_cast<std::size_t>(i)];
    item->setHidden(!wanted.isEmpty() && !page.text.contains(wanted, Qt::CaseInsensitive));
    for (int part = 0; part < item->childCount(); ++part) {
      const QString heading = QStringLiteral("\n## ") + item->child(part)->text(0) + '\n';
      const qsizetype begin = page.text.indexOf(heading);
      const qsizetype end = page.text.indexOf(QStringLiteral("\n## "), begin + heading.size());
      const bool has = page.text.mid(begin, end < 0 ? -1 : end - begin).contains(wanted, Qt::CaseInsensitive);
      item->child(part)->setHidden(!wanted.isEmpty() && !has);
    }
    item->setExpanded(!wanted.isEmpty() && !item->isHidden());
  }
  markHits();
}

void HelpWindow::findNext() {
  const QString wanted = search_->text().trimmed();
  if (wanted.isEmpty() || text_->find(wanted)) return;
  // Nothing more on this page: on to the next that has it, and round again to this one.
  const auto here = std::ranges::find(pages_, shownPage_, &HelpPage::id) - pages_.begin();
  const auto count = static_cast<std::ptrdiff_t>(pages_.size());
  for (std::ptrdiff_t i = 1; i <= count; ++i) {
    const HelpPage& page = pages_[static_cast<std::size_t>((here + i) % count)];
    if (!page.text.contains(wanted, Qt::CaseInsensitive)) continue;
    open(page.id);
    text_->moveCursor(QTextCursor::Start);
    text_->find(wanted);
    return;
  }
}

void HelpWindow::markHits() {
  const QString wanted = search_->text().trimmed();
  QList<QTextEdit::ExtraSelection> hits;
  constexpr int kShortest = 2;
  if (wanted.size() >= kShortest) {
    for (QTextCursor at = text_->document()->find(wanted); !at.isNull(); at = text_->document()->find(wanted, at)) {
      QTextEdit::ExtraSelection hit{at, {}};
      hit.format.setBackground(Theme::colours().rowHighlight);
      hits += hit;
    }
  }
  text_->setExtraSelections(hits);
}

void showHelp(QWidget* parent, const QString& place, const HelpFiller& fill) {
  auto* window = parent->findChild<HelpWindow*>(QString(), Qt::FindDirectChildrenOnly);
  if (!window) window = new HelpWindow(helpPages(fill), parent);
  window->open(place);
  window->QDialog::show();
  window->raise();
  window->activateWindow();
}

}  // namespace lanescope::views
