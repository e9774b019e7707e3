// SPDX-License-Identifier: GPL-3.0-or-later
// A table of figures to read, sort and take away: numbers right-aligned in a fixed-width font, names elided but whole
// in tooltip and copy. A click or Enter chooses a row, the arrows only move; Ctrl+C copies the selected rows with
// figures whole, with Shift below their titles. Where rows hold others, a click on the sign before the name, Left and
// Right ask to fold them. Replacing the content keeps order, selection and scroll position. Of very many rows it shows a
// window (table_model.h): Up, Down and the keys of pages go on in the next one, and what is followed, copied and saved is
// looked for among all rows. GUI thread only.
#pragma once

#include <QTableView>
#include <unordered_set>

#include "views/tables/table_model.h"

namespace lanescope::views {

class FigureDelegate;

class FigureTable : public QTableView {
  Q_OBJECT

 public:
  explicit FigureTable(QWidget* parent = nullptr);

  void setContent(TableContent content);
  const TableContent& content() const { return model_->content(); }

  void sortBy(int column, Qt::SortOrder order);
  void clear();  ///< of rows, and lets go of what they were made of

  void setWindow(std::size_t rows) { model_->setWindow(rows); }  ///< so many at most at a time; at first all
  std::size_t firstShown() const { return model_->firstShown(); }
  std::size_t shownRows() const { return static_cast<std::size_t>(model_->rowCount()); }
  void showFrom(std::size_t place);  ///< the window that holds it, from its first row

  /// Selects the row with this key and marks it, also when it moves, goes and comes back; with none, no row. Chooses
  /// nothing.
  void select(std::optional<std::uint64_t> key);
  std::optional<std::uint64_t> marked() const;
  std::optional<std::size_t> currentRow() const;  ///< of the content
  void setCurrentRow(std::size_t row);  ///< of the content; shows it

  static constexpr std::size_t kMostCopied = 200'000;  ///< rows; of more selected the first
  static constexpr std::size_t kMostKept = 4096;  ///< of more selected rows none is when the content is replaced
  QString selectedText() const;  ///< the selected rows, without titles
  QString allText() const;  ///< everything, with titles
  RowOrder order() const { return model_->order(); }  ///< of the content's rows, as shown
  bool isSorting() const { return model_->isSorting(); }
  analysis::Table figures() const { return figuresOf(content(), model_->order()); }

 public slots:
  void copySelected();
  void copyWithTitles();
  void copyMarkdown();
  void copyAllMarkdown() const;
  void copyName() const;
  void copyAll() const;

 signals:
  void chosen(std::size_t row);  ///< of the content, by a click or Enter
  void rowDoubleClicked(std::size_t row);  ///< of the content
  void sortWanted(int column, bool descending);  ///< of a content that is sorted by who makes it
  void foldWanted(std::size_t row);  ///< of the content, by a click on its sign: the other way
  void foldKeyPressed(std::size_t row, bool unfold, bool all);  ///< Right unfolds, Left folds; with Shift all
  void left();  ///< Esc
  void shownChanged();  ///< other rows, or another window of them
  void copiedFirstOf(std::size_t selected);  ///< only the first of so many selected rows

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyboardSearch(const QString& text) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// What stays when rows move or are others.
  struct Kept {
    std::unordered_set<std::uint64_t> selected;
    std::optional<std::uint64_t> current;
    int column = 0, down = 0, right = 0;
  };
  void keep();
  void bringBack();
  void goToPlace(std::size_t place);
  bool goesBeyond(int key);
  std::vector<std::size_t> shownColumns() const;
  std::size_t selectedCount() const;
  RowOrder selectedRows() const;  // of the content
  void copyText(const QString& text);
  int longestText(std::size_t column) const;
  int nameSection() const { return static_cast<int>(content().nameColumn); }
  bool isOnFoldSign(const QModelIndex& index, QPoint at) const;
  void hover(int row);
  QStringList titles() const;
  void measure();
  void placeName();
  bool isLastShown(int section) const;
  void giveRestToNames();
  void offerColumns(QPoint at);

  TableModel* model_;
  FigureDelegate* delegate_;
  QAction *copyTable_, *copyTableMarkdown_;
  Kept kept_;
  QStringList measured_;  // titles of the columns that the widths are of
  bool measuring_ = false;
  bool doubleClick_ = false;  // its second release chooses nothing again
  bool namesSized_ = false;  // by the user
};

}  // namespace lanescope::views
