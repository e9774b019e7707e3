// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/record_form.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QCompleter>
#include <QFileDialog>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStringListModel>
#include <QToolButton>
#include <algorithm>

#include "model/shell_words.h"
#include "views/dialogs/marked_field.h"
#include "views/restyle.h"
#include "views/text.h"
#include "views/theme.h"
#include "views/wheel_needs_focus.h"

namespace lanescope::views {
namespace {

using record::Range;
using record::RecordSettings;

constexpr int kLabelWidth = 120;

QLabel* label(const QString& text, const char* tone, QWidget* parent) {
  auto* made = new QLabel(text, parent);
  made->setTextFormat(Qt::PlainText);
  made->setProperty("tone", tone);
  return made;
}

QLabel* wrapped(const char* tone, QWidget* parent) {
  QLabel* made = label({}, tone, parent);
  made->setWordWrap(true);
  made->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return made;
}

/// "--delay" of "--delay: soon; it is …"; empty if the sentence names no option.
std::string_view optionOf(std::string_view refusal) {
  return refusal.starts_with("--") ? refusal.substr(2, refusal.find_first_of(":= ") - 2) : std::string_view();
}

std::string_view withoutOption(std::string_view refusal) {
  const std::size_t colon = refusal.find(": ");
  return optionOf(refusal).empty() || colon == refusal.npos ? refusal : refusal.substr(colon + 2);
}

QString atField(const MarkedField& field, const ShellProblem& problem) {
  const QString before = field.edit().text().trimmed();
  return QObject::tr("%1 (at letter %2)")
      .arg(toQt(problem.text))
      .arg(QString::fromUtf8(before.toUtf8().left(static_cast<qsizetype>(problem.at))).size() + 1);
}

}  // namespace

RecordForm::RecordForm(RecorderWords words, QWidget* parent)
    : QScrollArea(parent), words_(std::move(words)), body_(new QWidget) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* column = new QVBoxLayout(body_);
  column->setContentsMargins(20, 12, 20, 12);
  column->setSpacing(6);
  addPresets();
  addProgram();
  addWhat();
  addWhen();
  addReport();
  addCommandLine();
  column->addStretch();
  setWidget(body_);
  wheelNeedsFocus(*body_);
  setFocusProxy(program_);
  fill({});
}

QGridLayout* RecordForm::newGrid() {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(6);
  grid->setColumnMinimumWidth(0, kLabelWidth);
  grid->setColumnStretch(1, 1);
  return grid;
}

QGridLayout* RecordForm::section(const QString& title) {
  auto* column = static_cast<QVBoxLayout*>(body_->layout());
  if (!title.isEmpty()) {
    column->addSpacing(10);
    QLabel* heading = label(title, "", body_);
    heading->setFont(Theme::font(1, true));
    column->addWidget(heading);
  }
  QGridLayout* grid = newGrid();
  column->addLayout(grid);
  return grid;
}

void RecordForm::row(QGridLayout& grid, const QString& name, QWidget* widget) {
  const int at = grid.rowCount();
  QLabel* caption = label(name, "dim", body_);
  // Beside the first line of a field; boxes to tick have no frame around theirs.
  const bool framed = widget->sizeHint().height() > caption->sizeHint().height() + 8;
  caption->setContentsMargins(0, framed ? 5 : 0, 0, 0);
  caption->setBuddy(widget);
  grid.addWidget(caption, at, 0, Qt::AlignTop);
  grid.addWidget(widget, at, 1);
}

QCheckBox* RecordForm::box(const QString& text, const char* name, std::string_view of) {
  auto* made = new QCheckBox(text, body_);
  const bool works = !words_.works || words_.works(of);
  made->setObjectName(name);
  made->setEnabled(works);
  made->setToolTip(works ? option(of) : tr("%1: not recorded yet").arg(option(of)));
  connect(made, &QCheckBox::toggled, this, &RecordForm::update);
  return made;
}

QString RecordForm::option(std::string_view name) const {
  return words_.meaning ? toQt(words_.meaning(name)) : QString();
}

MarkedField* RecordForm::field(QGridLayout& grid, const QString& name, const QString& placeholder,
                               std::string_view optionName) {
  auto* made = new MarkedField(name, placeholder, body_);
  if (!optionName.empty()) {
    made->setObjectName(toQt(optionName));
    made->edit().setToolTip(option(optionName));
    byOption_.emplace(optionName, made);
  }
  connect(made, &MarkedField::edited, this, &RecordForm::update);
  row(grid, name, made);
  return made;
}

QComboBox* RecordForm::choice(QGridLayout& grid, const QString& name, const char* objectName, const QStringList& items,
                              std::string_view of) {
  auto* made = new QComboBox(body_);
  made->setObjectName(objectName);
  made->setAccessibleName(name);
  made->addItems(items);
  made->setToolTip(option(of));
  connect(made, &QComboBox::currentIndexChanged, this, &RecordForm::update);
  row(grid, name, made);
  return made;
}

void RecordForm::addPresets() {
  auto* line = new QWidget(body_);
  auto* buttons = new QHBoxLayout(line);
  buttons->setContentsMargins({});
  buttons->setSpacing(8);
  for (const record::Preset& preset : record::presets()) {
    auto* button = new QToolButton(line);
    button->setText(toQt(preset.name));
    button->setToolTip(toQt(preset.meaning));
    button->setProperty("chip", true);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this, [this, &preset] {
      RecordRequest now = request();
      preset.apply(now.settings);
      fill(now);
    });
    buttons->addWidget(button);
  }
  buttons->addStretch();
  row(*section({}), tr("Start from"), line);
}

void RecordForm::addProgram() {
  QGridLayout& grid = *section(tr("Program"));
  program_ = field(grid, tr("Command"), tr("python3 train.py --steps 100"), {});
  program_->setObjectName("program");
  program_->keepPlaceForNote();  // half a quotation is wrong, and would push what is below up and down
  folder_ = field(grid, tr("Working folder"), tr("your home folder"), {});
  folder_->setObjectName("folder");
  folder_->keepPlaceForNote();
  auto* browse = new QPushButton(tr("Choose…"), body_);
  browse->setAutoDefault(false);
  connect(browse, &QPushButton::clicked, this, [this] {
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Working folder"), folder_->edit().text());
    if (!chosen.isEmpty()) folder_->edit().setText(chosen);
  });
  folder_->addBeside(browse);
  environment_ = field(grid, tr("Environment"), tr("NAME=VALUE OTHER='two words'"), "env-var");
  environment_->keepPlaceForNote();
  host_ = new QComboBox(body_);
  host_->setObjectName("host");
  host_->setEditable(true);
  host_->setInsertPolicy(QComboBox::NoInsert);
  host_->setAccessibleName(tr("Machine"));
  host_->setToolTip(tr("This machine, or a host as ssh takes it: name, user@name, user@name:port"));
  setHosts({});
  connect(host_, &QComboBox::currentTextChanged, this, [this, browse] {
    browse->setEnabled(request().host.empty());
    update();
    if (isFilling_) return;
    setReadiness({}, {}, false);
    emit hostEdited();
  });
  // Not at every key: half a name may be another host's.
  const auto tell = [this] { emit hostChanged(toQt(request().host)); };
  connect(host_, &QComboBox::activated, this, tell);
  connect(host_->lineEdit(), &QLineEdit::editingFinished, this, [this, tell] {
    if (!host_->lineEdit()->isModified()) return;
    host_->lineEdit()->setModified(false);
    tell();
  });
  row(grid, tr("Machine"), host_);
  readiness_ = wrapped("dim", body_);
  readiness_->setObjectName("readiness");
  readiness_->hide();
  grid.addWidget(readiness_, grid.rowCount(), 1);
}

void RecordForm::addWhat() {
  QGridLayout& grid = *section(tr("What"));
  auto* line = new QWidget(body_);
  auto* boxes = new QGridLayout(line);
  boxes->setContentsMargins(0, 4, 0, 0);
  boxes->setHorizontalSpacing(14);
  constexpr int kColumns = 5;
  for (const RecorderWords::Trace& trace : words_.traces) {
    auto* box = new QCheckBox(toQt(trace.name), line);
    box->setObjectName("trace-" + toQt(trace.name));
    box->setEnabled(trace.works);
    box->setToolTip(trace.works ? toQt(trace.meaning) : tr("%1: not recorded yet").arg(toQt(trace.meaning)));
    connect(box, &QCheckBox::toggled, this, &RecordForm::update);
    const int place = static_cast<int>(traces_.size());
    boxes->addWidget(box, place / kColumns, place % kColumns);
    traces_.emplace_back(trace.name, box);
  }
  boxes->setColumnStretch(kColumns, 1);
  row(grid, tr("Trace"), line);

  const auto sideBySide = [&](const QString& name, std::initializer_list<QCheckBox*> some) {
    auto* all = new QWidget(body_);
    auto* beside = new QHBoxLayout(all);
    beside->setContentsMargins({});
    beside->setSpacing(14);
    for (QCheckBox* each : some) beside->addWidget(each);
    beside->addStretch();
    row(grid, name, all);
  };
  samples_ = box(tr("Call stacks"), "samples", "sample");
  switches_ = box(tr("Where threads run and wait"), "switches", "cpuctxsw");
  sideBySide(tr("CPU"), {samples_, switches_});
  addMoreOfTheCpu(grid);
  python_ = box(tr("Stacks"), "python", "python-sampling");
  pythonOfCalls_ = box(tr("Lines that call CUDA"), "pythonOfCalls", "python-backtrace");
  sideBySide(tr("Python"), {python_, pythonOfCalls_});
  memory_ = box(tr("GPU memory allocated and freed"), "memory", "cuda-memory-usage");
  row(grid, tr("Memory"), memory_);
  graphs_ = choice(grid, tr("CUDA graphs"), "graphs",
                   {tr("A row for each launch"), tr("A row for each node (costs more)")}, "cuda-graph-trace");
  devices_ =
      field(grid, tr("GPU metrics of"), tr("no GPU; or numbers as 0,1; or all, cuda-visible"), "gpu-metrics-devices");
  hertz_ = field(grid, tr("Metrics rate"), {}, "gpu-metrics-frequency");
  hertz_->addBeside(label(tr("samples a second"), "dim", body_));
}

void RecordForm::addMoreOfTheCpu(QGridLayout& above) {
  more_ = new QToolButton(body_);
  more_->setObjectName("moreOfTheCpu");
  more_->setText(tr("More about the CPU"));
  more_->setCheckable(true);
  more_->setProperty("chip", true);
  more_->setFocusPolicy(Qt::StrongFocus);
  above.addWidget(more_, above.rowCount(), 1, Qt::AlignLeft);
  auto* rest = new QWidget(body_);
  auto& grid = *newGrid();
  rest->setLayout(&grid);
  grid.setContentsMargins({});
  above.addWidget(rest, above.rowCount(), 0, 1, 2);
  scope_ = choice(grid, tr("CPU of"), "scope",
                  {tr("The program and what it starts"), tr("All processes (needs rights)")}, "sample");
  cpuHertz_ = field(grid, tr("Sampling rate"), {}, "sampling-frequency");
  cpuHertz_->addBeside(label(tr("samples a second of each CPU"), "dim", rest));
  backtrace_ = choice(grid, tr("Stacks by"), "backtrace", {}, "backtrace");
  const QSignalBlocker quiet(backtrace_);  // what update() looks at is not there yet
  for (const auto& [word, label] : {std::pair("auto", tr("What suits this machine best")),
                                    {"fp", tr("Frame pointers")},
                                    {"dwarf", tr("Unwind tables (DWARF)")},
                                    {"lbr", tr("The processor's branch records (LBR)")},
                                    {"none", tr("No stacks")}})
    backtrace_->addItem(label, QString::fromLatin1(word));
  osThreshold_ = field(grid, tr("OS runtime from"), {}, "osrt-threshold");
  osThreshold_->addBeside(label(tr("ns a call, with osrt"), "dim", rest));
  rest->hide();
  connect(more_, &QToolButton::toggled, rest, &QWidget::setVisible);
}

void RecordForm::addWhen() {
  QGridLayout& grid = *section(tr("When"));
  range_ =
      choice(grid, tr("Record"), "range",
             {tr("All the time"), tr("Between cudaProfilerStart and cudaProfilerStop"), tr("Inside an NVTX range")},
             "capture-range");
  nvtxRange_ = field(grid, tr("NVTX range"), tr("RANGE, RANGE@DOMAIN or RANGE@*"), "nvtx-capture");
  byOption_.emplace("capture-range", nvtxRange_);
  delay_ = field(grid, tr("Begin after"), tr("at once"), "delay");
  delay_->addBeside(label(tr("seconds"), "dim", body_));
  duration_ = field(grid, tr("Record for"), tr("to the end"), "duration");
  duration_->addBeside(label(tr("seconds"), "dim", body_));
  after_ =
      choice(grid, tr("Afterwards"), "after", {tr("Let the program go on"), tr("End the program (SIGTERM)")}, "kill");
}

void RecordForm::addReport() {
  QGridLayout& grid = *section(tr("Report"));
  output_ = field(grid, tr("Name"), {}, "output");
  preview_ = wrapped("dim", body_);
  preview_->setObjectName("preview");
  grid.addWidget(preview_, grid.rowCount(), 1);
  overwrite_ = new QCheckBox(tr("Overwrite a report of that name"), body_);
  overwrite_->setObjectName("overwrite");
  connect(overwrite_, &QCheckBox::toggled, this, &RecordForm::update);
  grid.addWidget(overwrite_, grid.rowCount(), 1);
}

void RecordForm::addCommandLine() {
  QGridLayout& grid = *section(tr("The same by hand"));
  auto* box = new QWidget(body_);
  line_ = wrapped("dim", box);
  line_->setObjectName("commandLine");
  line_->setFont(Theme::figures());
  auto* copy = new QPushButton(tr("Copy"), box);
  copy->setObjectName("copyLine");
  copy->setAutoDefault(false);
  connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(line_->text()); });
  auto* side = new QHBoxLayout(box);
  side->setContentsMargins({});
  side->addWidget(line_, 1);
  side->addWidget(copy, 0, Qt::AlignTop);
  grid.addWidget(box, 0, 0, 1, 2);
  general_ = wrapped("error", body_);
  grid.addWidget(general_, 1, 0, 1, 2);
}

bool RecordForm::isComplete() const {
  const auto fields = findChildren<MarkedField*>();
  return !program_->words().empty() && general_->text().isEmpty() &&
         std::ranges::all_of(fields, [](const MarkedField* one) { return one->complaint().isEmpty(); });
}

void RecordForm::setPrograms(const QStringList& lines) {
  auto* completer = new QCompleter(lines, program_);
  completer->setCompletionMode(QCompleter::PopupCompletion);
  completer->setFilterMode(Qt::MatchContains);
  connect(completer, qOverload<const QString&>(&QCompleter::activated), this, &RecordForm::programChosen);
  delete program_->edit().completer();
  program_->edit().setCompleter(completer);
}

void RecordForm::setHosts(const QStringList& hosts) {
  const QSignalBlocker quiet(host_);
  const QString now = host_->currentText();
  host_->clear();
  host_->addItem(tr("This machine"));
  host_->addItems(hosts);
  if (!now.isEmpty()) host_->setCurrentText(now);
}

void RecordForm::setReadiness(const QString& summary, const QString& details, bool isWarning) {
  readiness_->setText(summary);
  readiness_->setToolTip(details.isEmpty() ? QString() : "<pre>" + details.toHtmlEscaped() + "</pre>");
  readiness_->setVisible(!summary.isEmpty());
  restyle(*readiness_, "tone", isWarning ? "warning" : "dim");
}

void RecordForm::update() {
  if (isFilling_) return;
  const RecordRequest now = request();
  nvtxRange_->setEnabled(now.settings.range == Range::kNvtx);
  delay_->setEnabled(now.settings.range == Range::kNone);
  hertz_->setEnabled(!now.settings.gpuMetrics.empty());
  scope_->setEnabled(now.settings.cpuSamples || now.settings.contextSwitches);
  cpuHertz_->setEnabled(now.settings.cpuSamples);
  backtrace_->setEnabled(now.settings.cpuSamples);
  osThreshold_->setEnabled(std::ranges::find(now.settings.trace, "osrt") != now.settings.trace.end());
  line_->setText(toQt(record::commandLine(now.settings, now.folder, now.host)));
  check(now);
  lookAhead(now);
  emit changed();
}

void RecordForm::check(const RecordRequest& request) {
  for (MarkedField* one : findChildren<MarkedField*>()) one->setComplaint({});
  general_->clear();
  general_->hide();
  for (MarkedField* one : {program_, environment_}) {
    const auto read = readShellWords(one->text());
    if (!read) one->setComplaint(atField(*one, read.error()));
  }
  for (const std::string& word : environment_->words()) {
    if (word.find('=') == word.npos) environment_->setComplaint(tr("%1; it is NAME=VALUE").arg(toQt(word)));
  }
  if (!words_.refusal) return;
  RecordSettings settings = request.settings;
  settings.program = {"program"};
  // Each refusal names one option; without that one, the next is told.
  std::vector<std::string> words = profileWords(settings);
  for (std::string refusal; !(refusal = words_.refusal(words)).empty();) {
    const std::string name(optionOf(refusal));
    const auto found = byOption_.find(name);
    if (found == byOption_.end()) {
      general_->setText(toQt(refusal));
      general_->show();
      return;
    }
    if (found->second == cpuHertz_ || found->second == osThreshold_) more_->setChecked(true);  // or it says nothing
    if (found->second->complaint().isEmpty()) found->second->setComplaint(toQt(withoutOption(refusal)));
    const auto isIt = [&](const std::string& word) { return word.starts_with("--" + name + "="); };
    if (std::erase_if(words, isIt) == 0) return;
  }
}

void RecordForm::lookAhead(const RecordRequest& request) {
  preview_->clear();
  if (!words_.outlook) return;
  ahead_.start([look = words_.outlook, request](const Job&) { return look(request); },
               [this](const RecorderWords::Outlook& outlook) { showOutlook(outlook); });
}

void RecordForm::showOutlook(const RecorderWords::Outlook& outlook) {
  const auto complain = [](MarkedField& field, const std::string& why) {
    if (!why.empty() && field.complaint().isEmpty()) field.setComplaint(toQt(why));
  };
  complain(*program_, outlook.whyNoProgram);
  complain(*folder_, outlook.whyNoFolder);
  complain(*output_, outlook.whyNoReport);
  preview_->setText(outlook.report.empty() ? QString() : tr("Becomes %1").arg(toQt(outlook.report)));
  preview_->setVisible(!outlook.report.empty());
  emit changed();
}

}  // namespace lanescope::views
