// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/advice.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "views/text.h"

namespace lanescope::views {
namespace {

using analysis::Check;
using analysis::ColumnKind;
using analysis::RuleResult;
using analysis::Verdict;

constexpr const char* kAdvice = "What to try";  // the column of rules that advise on each row

QString tr(const char* text) { return QCoreApplication::translate("Advice", text); }

void add(QStringList& paragraphs, const QString& head, std::string_view words) {
  if (!words.empty()) paragraphs += head + toQt(words);
}

AdviceLine lineOf(const Check& check) {
  QStringList paragraphs;
  add(paragraphs, {}, check.evidence);
  add(paragraphs, check.verdict == Verdict::kNote ? tr("Note: ") : tr("Try: "), check.advice);
  add(paragraphs, tr("Figure: "), check.kind->about);
  add(paragraphs, QStringLiteral("⚠ "), check.caveat);
  return {paragraphs.join('\n'), check.where, check.verdict};
}

/// The checklist as a person reads it: no line of what the report has nothing of.
void takeChecks(AdviceSection& section, const std::vector<Check>& checks) {
  auto table = std::make_shared<analysis::Table>();
  table->name = section.rule->name;
  table->columns = {{"Verdict", ColumnKind::kText}, {"Check", ColumnKind::kText}, {"Figure", ColumnKind::kText},
                    {"Of", ColumnKind::kText},      {"Goal", ColumnKind::kText},  {"Where", ColumnKind::kText}};
  QStringList none;
  int improve = 0;
  for (const Check& check : checks) {
    if (check.verdict == Verdict::kNone) {
      if (!none.contains(toQt(check.kind->title))) none += toQt(check.kind->title);
      continue;
    }
    improve += check.verdict == Verdict::kImprove;
    const QString unit = toQt(check.kind->unit);
    const QString figure = check.figure ? QString::number(*check.figure, 'f', 1) + ' ' + unit : QString();
    const std::string goal = check.kind->goal ? check.kind->goalText() + ' ' + std::string(check.kind->unit) : "";
    table->rows.push_back({std::string(nameOf(check.verdict)), std::string(check.kind->title), figure.toStdString(),
                           std::string(check.figure ? check.kind->base : ""), goal, check.of});
    section.lines.push_back(lineOf(check));
  }
  section.table = std::move(table);
  section.finds = improve > 0;
  section.summary = improve == 0 ? tr("all good") : tr("%1 to improve").arg(improve);
  section.words = none.isEmpty() ? QString() : tr("None of these: ") + none.join(QStringLiteral(", "));
}

void takeRows(AdviceSection& section, const analysis::RuleCall& call, const trace::TracePtr& trace, RuleResult result) {
  const std::size_t shown = result.table.rows.size();
  const auto column = std::ranges::find(result.table.columns, kAdvice, &analysis::Column::title);
  const auto at = static_cast<std::size_t>(column - result.table.columns.begin());
  for (std::size_t row = 0; row < shown; ++row) {
    AdviceLine line;
    if (column != result.table.columns.end())
      if (const auto words = analysis::textOf(result.table.rows[row][at]); words && !words->empty())
        line.words = tr("Try: ") + toQt(*words);
    if (row < result.evidence.size() && !result.evidence[row].time.empty()) line.where.push_back(result.evidence[row]);
    section.lines.push_back(std::move(line));
  }
  section.finds = result.found > 0;
  section.summary = numberText(result.found) + (result.found == 1 ? tr(" line") : tr(" lines"));
  section.more = result.found - std::min(shown, result.found);
  if (section.more > 0) section.summary += tr(", the first %1 of them shown").arg(numberText(shown));
  section.words = result.found > 0 ? toQt(call.rule->advice) : QString::fromStdString(cleanText(call));
  if (result.found == 0) {
    section.summary = tr("nothing found");
    return;
  }
  struct Kept {
    trace::TracePtr trace;
    analysis::Table table;
  };
  auto kept = std::make_shared<Kept>(Kept{trace, std::move(result.table)});
  section.table = {kept, &kept->table};
}

}  // namespace

AdviceSection adviceOf(const analysis::Rule& rule, std::size_t rows, const trace::TracePtr& trace,
                       const std::shared_ptr<ReportFile>& file, const Job& job) {
  AdviceSection section;
  section.rule = &rule;
  Result<report::RowValues>& values = file->values();
  if (!values) {
    section.words = QString::fromStdString(sentence(values.error()));
    return section;
  }
  analysis::RuleCall call{&rule, {}, std::string(rule.name)};
  call.arguments.rows = rows;
  auto result = analysis::apply(call, *trace, *values, {}, file->path().string(), job);
  if (!result) {
    section.words = QString::fromStdString(sentence(result.error()));
  } else if (!*result) {
    section.summary = tr("no data");
    section.words = tr("There is no %1").arg(toQt(rule.data));
  } else if (!(*result)->checks.empty()) {
    takeChecks(section, (*result)->checks);
  } else {
    takeRows(section, call, trace, std::move(**result));
  }
  return section;
}

std::vector<AdviceSection> adviceOn(const trace::TracePtr& trace, const std::shared_ptr<ReportFile>& file,
                                    const Job& job) {
  std::vector<AdviceSection> sections;
  for (const analysis::Rule& rule : analysis::rules())
    if (!job.cancelled()) sections.push_back(adviceOf(rule, analysis::RuleArguments().rows, trace, file, job));
  return sections;
}

}  // namespace lanescope::views
