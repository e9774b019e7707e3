// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/colour_menu.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/ui/report_tab.h"

namespace lanescope::ui {
namespace {

using views::Colouring;
using views::Theme;

QString tr(const char* text) { return ColourMenu::tr(text); }

void editRules(Settings& settings, QWidget* window) {
  auto* dialog = new QDialog(window);
  dialog->setObjectName("colourRules");
  dialog->setWindowTitle(tr("Colour rules"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  auto* what = new QLabel(tr("A line each: a part of the name = a colour. The first that fits counts."), dialog);
  auto* text = new QPlainTextEdit(settings.rulesText(), dialog);
  text->setPlaceholderText("nccl = orange\nflash = #56b4e9");
  text->setAccessibleName(tr("Colour rules"));
  auto* wrong = new QLabel(dialog);
  wrong->setProperty("tone", "error");
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
  auto* layout = new QVBoxLayout(dialog);
  for (QWidget* each : std::initializer_list<QWidget*>{what, text, wrong, buttons}) layout->addWidget(each);
  const auto check = [text, wrong, buttons] {
    const auto rules = views::parseRules(text->toPlainText().toStdString());
    wrong->setText(rules ? QString() : tr("Line %1 is no rule; write it as nccl = orange").arg(rules.error()));
    buttons->button(QDialogButtonBox::Ok)->setEnabled(rules.has_value());
  };
  QObject::connect(text, &QPlainTextEdit::textChanged, dialog, check);
  check();
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, [dialog, text, &settings] {
    settings.setRulesText(text->toPlainText());
    Colouring colouring = Theme::instance().colouring();
    colouring.rules = views::parseRules(text->toPlainText().toStdString()).value_or(std::vector<Colouring::Rule>());
    Theme::instance().setColouring(std::move(colouring));
    dialog->accept();
  });
  dialog->show();
}

}  // namespace

ColourMenu::ColourMenu(QMenu& menu, ReportTabs& tabs, Settings& settings, QWidget* window)
    : QObject(&menu),
      tabs_(tabs),
      settings_(settings),
      usual_(Theme::instance().colouring().by),
      modes_(new QActionGroup(&menu)) {
  addMode(menu, tr("&Name"), Colouring::By::kName);
  addMode(menu, tr("&Kind"), Colouring::By::kKind);
  addMode(menu, tr("&Stream"), Colouring::By::kStream);
  addMode(menu, tr("&Duration"), Colouring::By::kDuration);
  addMode(menu, tr("NVTX &colours"), Colouring::By::kAuthor);
  change_ = addMode(menu, tr("C&hange (of compared reports)"), Colouring::By::kChange);
  change_->setEnabled(false);
  menu.addSeparator();
  QAction* safe = menu.addAction(tr("Colour-&blind safe"));
  safe->setCheckable(true);
  safe->setChecked(Theme::instance().colouring().colourBlind);
  connect(safe, &QAction::toggled, this, [this](bool on) {
    Colouring colouring = Theme::instance().colouring();
    colouring.colourBlind = on;
    Theme::instance().setColouring(colouring);
    colouring.by = usual_;
    settings_.setColouring(colouring);
  });
  menu.addAction(tr("&Rules…"), this, [this, window] { editRules(settings_, window); });
  connect(&tabs, &ReportTabs::currentReportChanged, this, &ColourMenu::follow);
}

/// How two compared reports are coloured says nothing of others.
void ColourMenu::choose(Colouring::By by) {
  const bool compared = tabs_.comparison();
  if (!compared) usual_ = by;
  if (tab_) tab_->view().setColourBy(by);
  show();
  if (!compared) settings_.setColouring(Theme::instance().colouring());
}

QAction* ColourMenu::addMode(QMenu& menu, const QString& text, Colouring::By by) {
  QAction* action = menu.addAction(text, this, [this, by] { choose(by); });
  action->setCheckable(true);
  action->setChecked(usual_ == by);
  action->setData(static_cast<int>(by));
  modes_->addAction(action);
  return action;
}

void ColourMenu::follow(ReportTab* tab) {
  if (tab_) tab_->view().disconnect(this);
  tab_ = tab;
  change_->setEnabled(tabs_.comparison());
  if (tab) connect(&tab->view(), &views::ViewState::colourByChanged, this, &ColourMenu::show);
  show();
}

void ColourMenu::show() {
  Colouring colouring = Theme::instance().colouring();
  colouring.by = tab_ ? tab_->view().colourBy().value_or(usual_) : usual_;
  for (QAction* action : modes_->actions())
    action->setChecked(action->data().toInt() == static_cast<int>(colouring.by));
  Theme::instance().setColouring(std::move(colouring));
}

}  // namespace lanescope::ui
