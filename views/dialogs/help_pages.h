// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the help: Markdown of :/help, in which a line {{name}} stands for what the program itself knows: its
// reports and what their columns mean, the checklist, causes of idle time, rules. Pure but for the resources.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <vector>

namespace lanescope::views {

struct HelpPage {
  QString id;             ///< "statistics": its file without .md
  QString title;          ///< its heading
  QString text;           ///< Markdown
  QStringList sections;   ///< its headings of the second level

  /// The section of this title, or of its anchor as Markdown writes it ("idle-gpus"); empty if there is none.
  QString section(const QString& anchor) const;
};

/// Markdown for a name that views/ does not know; empty if nobody does.
using HelpFiller = std::function<QString(const QString& name)>;

/// All pages, those to read first first.
std::vector<HelpPage> helpPages(const HelpFiller& fill = {});

/// Text that Markdown takes for nothing else, also in a cell of a table.
QString plainMarkdown(const QString& text);

}  // namespace lanescope::views
