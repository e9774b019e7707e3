// SPDX-License-Identifier: GPL-3.0-or-later
// The form of a recording: what is typed becomes record::RecordSettings at every key, what is wrong stands at its field
// in the words of the command line itself, and the line to type for the same recording is there to copy. What needs a
// look at the disk is found out in the background. GUI thread only.
#pragma once

#include <QScrollArea>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/record/record_settings.h"
#include "views/latest_job.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QToolButton;

namespace lanescope::views {

class MarkedField;

struct RecordRequest {
  record::RecordSettings settings;
  std::string folder;  ///< to record in; empty: the user's home
  std::string host;  ///< user@host, as ssh takes it; empty: this machine

  bool operator==(const RecordRequest&) const = default;
};

/// What the form cannot know: the recorder's own words.
struct RecorderWords {
  struct Trace {
    std::string name, meaning;
    bool works = false;
  };
  std::vector<Trace> traces;
  std::function<bool(std::string_view option)> works;  ///< what it asks for is recorded already
  std::function<std::string(std::string_view option)> meaning;
  /// Why `lanescope profile` would refuse these words: "--NAME: WHAT; REMEDY", or without a name; empty if it would not.
  std::function<std::string(const std::vector<std::string>& words)> refusal;
  struct Outlook {
    std::string whyNoProgram, whyNoFolder, whyNoReport;  ///< empty if there is one
    std::string report;  ///< its path
  };
  /// Looks at the disk: on any thread.
  std::function<Outlook(const RecordRequest&)> outlook;
};

class RecordForm : public QScrollArea {
  Q_OBJECT

 public:
  explicit RecordForm(RecorderWords words, QWidget* parent = nullptr);

  void fill(const RecordRequest& request);
  RecordRequest request() const;
  bool isComplete() const;  ///< nothing is known to be wrong, and there is a program

  void setPrograms(const QStringList& lines);  ///< recorded before, newest first
  void setHosts(const QStringList& hosts);
  void setReadiness(const QString& summary, const QString& details, bool isWarning);

 signals:
  void changed();
  void hostEdited();  ///< what was asked about the one before is of no use
  void hostChanged(const QString& host);  ///< empty: this machine; once it is typed to the end or chosen
  void programChosen(const QString& line);  ///< of those recorded before

 private:
  static QGridLayout* newGrid();
  QGridLayout* section(const QString& title);
  MarkedField* field(QGridLayout& grid, const QString& name, const QString& placeholder, std::string_view option);
  /// A box to tick, grey while what the option asks for is not recorded.
  QCheckBox* box(const QString& text, const char* name, std::string_view option);
  QComboBox* choice(QGridLayout& grid, const QString& name, const char* objectName, const QStringList& items,
                    std::string_view option);
  void row(QGridLayout& grid, const QString& name, QWidget* widget);
  void addPresets();
  void addProgram();
  void addWhat();
  void addMoreOfTheCpu(QGridLayout& above);
  void addWhen();
  void addReport();
  void addCommandLine();
  void update();
  void check(const RecordRequest& request);
  void lookAhead(const RecordRequest& request);
  void showOutlook(const RecorderWords::Outlook& outlook);
  QString option(std::string_view name) const;  ///< what it means

  RecorderWords words_;
  QWidget* body_;
  MarkedField *program_, *folder_, *environment_, *devices_, *hertz_, *cpuHertz_, *osThreshold_, *nvtxRange_, *delay_,
      *duration_, *output_;
  QComboBox *host_, *graphs_, *range_, *after_, *scope_, *backtrace_;
  QCheckBox *samples_, *switches_, *python_, *pythonOfCalls_, *memory_, *overwrite_;
  QLabel *readiness_, *preview_, *line_, *general_;
  QToolButton* more_;  // shows what few need
  std::vector<std::pair<std::string, QCheckBox*>> traces_;
  std::map<std::string, MarkedField*, std::less<>> byOption_;
  bool isFilling_ = false;
  LatestJob ahead_;
};

}  // namespace lanescope::views
