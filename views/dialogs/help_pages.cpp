// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/help_pages.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <algorithm>
#include <array>

#include "model/analysis/column_glossary.h"
#include "model/analysis/idle_causes.h"
#include "model/analysis/reports.h"
#include "model/analysis/rules.h"
#include "views/text.h"

namespace lanescope::views {
namespace {

/// In the order of reading; others stand behind these.
constexpr std::array kOrder{
    "index",     "first-recording", "recording", "reading-the-timeline", "cpu-side", "statistics",     "analysis",
    "comparing", "several-reports", "ranks",     "other-traces",         "remote",   "getting-around", "keyboard"};

QString row(const QStringList& cells) {
  return QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
}

QString head(const QStringList& titles) { return row(titles) + row(QStringList(titles.size(), QStringLiteral("---"))); }

QString plain(std::string_view text) { return plainMarkdown(toQt(text)); }

QString reports() {
  QString text = head({"Report", "Table", "What of"});
  for (const analysis::StatsReport& report : analysis::statsReports())
    text += row({'`' + toQt(report.name) + '`', plain(report.title), plain(report.about)});
  return text;
}

/// "only there", for a meaning that a column has in one report.
QString reportsOf(std::string_view name) {
  for (const analysis::StatsReport& report : analysis::statsReports())
    if (report.name == name) return '`' + toQt(name) + '`';
  return '`' + toQt(name) + QStringLiteral("…`");
}

QString columns() {
  QString text = head({"Column", "What it says"});
  for (const analysis::ColumnMeaning& each : analysis::columnGlossary()) {
    QString titles = toQt(each.title).replace('|', QStringLiteral(", "));
    QString meaning = plain(each.meaning);
    if (!each.report.empty()) meaning += QStringLiteral(" (in %1)").arg(reportsOf(each.report));
    text += row({QStringLiteral("**%1**").arg(plainMarkdown(titles.trimmed())), meaning});
  }
  return text;
}

QString checklist() {
  QString text = head({"Line", "Goal", "How the figure is made"});
  for (const analysis::CheckKind& check : analysis::checkKinds()) {
    const QString goal = check.goal ? toQt(check.goalText()) + ' ' + toQt(check.unit) : QStringLiteral("none");
    text += row(
        {plain(check.title) + QStringLiteral(" (`%1`)").arg(toQt(check.id)), plainMarkdown(goal), plain(check.about)});
  }
  return text;
}

QString idleCauses() {
  QString text = head({"Cause", "What to try"});
  for (std::size_t i = 0; i < analysis::kIdleCauses; ++i) {
    const auto cause = static_cast<analysis::IdleCause>(i);
    const std::string_view advice = analysis::adviceOn({}, cause);
    text += row({plain(analysis::nameOf(cause)), advice.empty() ? QStringLiteral("–") : plain(advice)});
  }
  return text;
}

QString rules() {
  QString text = head({"Rule", "What it finds"});
  for (const analysis::Rule& rule : analysis::rules())
    text += row({plain(rule.title) + QStringLiteral(" (`%1`)").arg(toQt(rule.name)), plain(rule.about)});
  return text;
}

QString knownHere(const QString& name) {
  if (name == "reports") return reports();
  if (name == "columns") return columns();
  if (name == "checklist") return checklist();
  if (name == "idle-causes") return idleCauses();
  if (name == "idle-algorithm") return plain(analysis::kIdleAlgorithm) + '\n';
  if (name == "rules") return rules();
  return {};
}

QString filled(const QString& markdown, const HelpFiller& fill) {
  static const QRegularExpression kName(QStringLiteral("^\\{\\{([a-z-]+)\\}\\}$"));
  QStringList lines;
  for (const QString& line : markdown.split('\n')) {
    const auto match = kName.match(line);
    if (!match.hasMatch()) {
      lines += line;
      continue;
    }
    const QString known = knownHere(match.captured(1));
    lines += known.isEmpty() && fill ? fill(match.captured(1)) : known;
  }
  return lines.join('\n');
}

HelpPage readPage(const QString& id, const HelpFiller& fill) {
  static const QRegularExpression kComment(QStringLiteral("<!--.*?-->\\s*"),
                                           QRegularExpression::DotMatchesEverythingOption);
  HelpPage page{id, id, {}, {}};
  QFile file(QStringLiteral(":/help/%1.md").arg(id));
  if (!file.open(QIODevice::ReadOnly)) return page;
  page.text = filled(QString::fromUtf8(file.readAll()).remove(kComment), fill);
  for (const QString& line : page.text.split('\n')) {
    if (line.startsWith("# ")) page.title = line.mid(2).trimmed();
    if (line.startsWith("## ")) page.sections += line.mid(3).trimmed();
  }
  return page;
}

}  // namespace

QString HelpPage::section(const QString& anchor) const {
  const auto written = [](QString words) { return words.toLower().replace(' ', '-'); };
  const auto at = std::ranges::find_if(sections, [&](const QString& each) { return written(each) == written(anchor); });
  return at == sections.end() ? QString() : *at;
}

std::vector<HelpPage> helpPages(const HelpFiller& fill) {
  QStringList ids;
  for (const char* id : kOrder) ids += QString::fromLatin1(id);
  const QStringList there = QDir(QStringLiteral(":/help")).entryList({"*.md"}, QDir::Files, QDir::Name);
  for (const QString& name : there)
    if (const QString id = name.chopped(3); !ids.contains(id)) ids += id;
  std::vector<HelpPage> pages;
  for (const QString& id : ids)
    if (there.contains(id + QStringLiteral(".md"))) pages.push_back(readPage(id, fill));
  return pages;
}

QString plainMarkdown(const QString& text) {
  QString out;
  for (const QChar c : text) {
    if (QStringLiteral("\\`*_[]<>|#~").contains(c)) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace lanescope::views
