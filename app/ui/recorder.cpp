// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recorder.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMessageBox>

#include "app/ui/help_place.h"
#include "app/ui/recorder_words.h"
#include "app/ui/viewer_ssh.h"
#include "model/shell_words.h"
#include "views/text.h"

namespace lanescope::ui {
namespace {

using views::KnownRecording;
using views::RecordConsole;
using views::RecordRequest;
using views::toQt;
using State = RecordConsole::State;

std::string utf8(const QJsonValue& value) { return value.toString().toStdString(); }

KnownRecording recordingOf(const QJsonObject& json) {
  KnownRecording one{utf8(json["id"]), utf8(json["state"]), utf8(json["command"])};
  one.began = json["began_ns"].toInteger();
  for (const QJsonValue& report : json["reports"].toArray()) one.reports.push_back(utf8(report));
  one.status = json["status"].toInt();
  one.left = !json["left"].toString().isEmpty();
  return one;
}

/// Calls act(QJsonObject) for each whole line and leaves the rest.
template <class Act>
void forEachLine(QByteArray& text, Act act) {
  for (qsizetype end; (end = text.indexOf('\n')) >= 0; text.remove(0, end + 1)) {
    act(QJsonDocument::fromJson(text.left(end)).object());
  }
}

/// Calls then(output, errors, status, failure) when it has ended.
template <class Then>
void whenEnded(HostCommand* command, Then then) {
  auto said = std::make_shared<QByteArray>(), wrong = std::make_shared<QByteArray>();
  QObject::connect(command, &HostCommand::output, command, [said](const QByteArray& bytes) { *said += bytes; });
  QObject::connect(command, &HostCommand::errors, command, [wrong](const QByteArray& bytes) { *wrong += bytes; });
  QObject::connect(command, &HostCommand::ended, command,
                   [said, wrong, then = std::move(then)](int status, const QString& failure) {
                     then(*said, QString::fromUtf8(*wrong).trimmed(), status, failure);
                   });
}

}  // namespace

Recorder::Recorder(Settings& settings, QWidget* window)
    : QObject(window),
      settings_(settings),
      ssh_(viewerSsh()),
      dialog_(new views::RecordDialog(recorderWords(), window)) {
  connectDialog();
}

void Recorder::connectDialog() {
  views::RecordForm& form = dialog_->form();
  RecordConsole& console = dialog_->console();
  views::RecordList& list = dialog_->list();
  connect(dialog_, &views::RecordDialog::recordWanted, this, &Recorder::record);
  connect(dialog_, &views::RecordDialog::listWanted, this, &Recorder::list);
  connect(dialog_, &views::RecordDialog::helpWanted, this, [this] { openHelp(dialog_, "recording"); });
  connect(&form, &views::RecordForm::hostChanged, this, &Recorder::checkHost);
  connect(&form, &views::RecordForm::hostEdited, this, [this] {
    asking_.cancel();
    delete environment_;
  });
  connect(&form, &views::RecordForm::programChosen, this, [this](const QString& line) {
    for (const QStringList& kept : settings_.recordings()) {
      if (kept.value(0) != line) continue;
      fillFrom(kept);
      return checkHost(toQt(dialog_->form().request().host));
    }
  });
  connect(&console, &RecordConsole::stopWanted, this, [this] {
    dialog_->console().setState(State::kEnding);
    order("stop");
  });
  connect(&console, &RecordConsole::cancelWanted, this, &Recorder::cancel);
  connect(&console, &RecordConsole::againWanted, this, [this] {
    KnownRecording same;
    same.id = id_.toStdString();
    follow(same);
  });
  connect(&list, &views::RecordList::followWanted, this, [this](const KnownRecording& one) {
    const auto host = chosenHost(dialog_->form().request().host);
    if (!host) return;
    host_ = *host;
    follow(one);
  });
  connect(&list, &views::RecordList::openWanted, this, [this](const QString& report) {
    if (const auto host = chosenHost(dialog_->form().request().host))
      emit reportReady(host->nameOf(report.toStdString()));
  });
  connect(&list, &views::RecordList::finishWanted, this, [this](const QString& id) { tell("finish", id); });
  connect(&list, &views::RecordList::removeWanted, this, [this](const QString& id) { tell("remove", id); });
  connect(&list, &views::RecordList::removeCollectorWanted, this, [this] {
    const auto host = chosenHost(dialog_->form().request().host);
    if (!host || !host->target) return;
    asking_.start(
        [host = *host](const Job& job) { return removeCollector(host, job); },
        [this](const Result<void>& done) {
          dialog_->list().setWords(done ? tr("The collector is removed there.") : toQt(sentence(done.error())));
          dialog_->list().setCollector(!done);
        });
  });
}

void Recorder::show() {
  if (!dialog_->isVisible()) {
    offerPrograms();
    dialog_->form().setHosts(knownHosts(settings_));
    if (isOver_ && dialog_->form().request().settings.program.empty()) {
      if (const QList<QStringList> kept = settings_.recordings(); !kept.isEmpty()) fillFrom(kept.front());
    }
    checkHost(toQt(dialog_->form().request().host));
  }
  dialog_->show();
  dialog_->raise();
  dialog_->activateWindow();
}

std::optional<RecordHost> Recorder::chosenHost(const std::string& name) {
  lookAlike(ssh_);
  const Result<RecordHost> host = RecordHost::named(name, ssh_);
  if (host) return *host;
  dialog_->form().setReadiness(toQt(sentence(host.error())), {}, true);
  return std::nullopt;
}

void Recorder::checkHost(const QString& name) {
  const auto host = chosenHost(name.toStdString());
  delete environment_;
  if (!host) return;
  if (!host->target) return asking_.cancel(), showEnvironment(*host);
  dialog_->form().setReadiness(tr("Asking %1…").arg(host->place()), {}, false);
  struct Answer {
    Result<HostFacts> facts;
    std::optional<Collector> collector;
  };
  asking_.start(
      [host = *host](const Job& job) { return Answer{askHost(host, job), Collector::ofThisProgram()}; },
      [this, host = *host](const Answer& answer) {
        views::RecordForm& form = dialog_->form();
        if (!answer.facts) return form.setReadiness(toQt(sentence(answer.facts.error())), {}, true);
        const bool isThere = answer.collector ? answer.facts->has(*answer.collector) : !answer.facts->installed.empty();
        if (isThere) return showEnvironment(host);
        if (!answer.collector) {
          return form.setReadiness(tr("There is no collector here to bring to %1: liblanescope-inject.so is missing "
                                      "beside lanescope")
                                       .arg(host.place()),
                                   {}, true);
        }
        const std::string why = whyNotThere(*answer.collector, *answer.facts);
        if (!why.empty()) return form.setReadiness(tr("%1 cannot record: %2").arg(host.place(), toQt(why)), {}, true);
        form.setReadiness(
            tr("The collector will be copied to %1 there first; it can be removed again under Recordings…")
                .arg(toQt(answer.facts->folder) + "/collector"),
            {}, false);
      });
}

void Recorder::showEnvironment(const RecordHost& host) {
  delete environment_;
  environment_ = new HostCommand(host, {"status", "--environment", "--json"}, this);
  whenEnded(environment_, [this](const QByteArray& said, const QString& wrong, int status, const QString& failure) {
    constexpr int kHasProblems = 1;
    if (failure.isEmpty() && status <= kHasProblems) return showReadiness(said);
    dialog_->form().setReadiness(failure.isEmpty() ? wrong : failure, {}, true);
  });
}

void Recorder::showReadiness(QByteArray environment) {
  QStringList problems, details;
  bool hasNoGpu = false;
  forEachLine(environment, [&](const QJsonObject& json) {
    const QString level = json["level"].toString(), what = json["what"].toString(), text = json["text"].toString();
    const QString remedy = json["remedy"].toString();
    details +=
        QStringLiteral("%1 %2 %3").arg(level, -8).arg(what, -16).arg(remedy.isEmpty() ? text : text + "; " + remedy);
    if (level != "problem") return;
    if (what == "CUDA driver" || what == "GPUs") hasNoGpu = true;
    else if (what != "CUPTI" || !hasNoGpu) problems += what + ": " + text;
  });
  if (hasNoGpu) {
    problems.prepend(
        tr("No GPU is here: CUDA calls, kernels, copies and GPU metrics will be missing. NVTX ranges, CPU samples, "
           "threads that wait, calls of the OS runtime and of MPI, and Python are recorded."));
  }
  dialog_->form().setReadiness(problems.isEmpty() ? tr("Ready to record") : problems.join('\n'), details.join('\n'),
                               !problems.isEmpty());
}

void Recorder::record(const RecordRequest& request) {
  const auto host = chosenHost(request.host);
  if (!host) return;
  host_ = *host;
  id_.clear();
  isOver_ = false;
  isCancelled_ = false;
  remember(request);
  RecordConsole& console = dialog_->console();
  console.begin(toQt(shellLine(request.settings.program)));
  dialog_->showConsole();
  if (!host_.target) return begin(request);
  console.setState(State::kStarting, tr("Making sure that %1 can record").arg(host_.place()));
  preparing_.start(
      [host = host_](const Job& job) -> Result<void> {
        const Result<HostFacts> facts = askHost(host, job);
        if (!facts) return tl::unexpected(facts.error());
        const auto collector = Collector::ofThisProgram();
        if (!collector || facts->has(*collector)) return {};
        return bringCollector(host, *collector, *facts, job);
      },
      [this, request](const Result<void>& done) {
        if (done) return begin(request);
        isOver_ = true;
        dialog_->console().addRemark(toQt(sentence(done.error())));
        dialog_->console().setState(State::kEnded, tr("Nothing was recorded"));
      });
}

void Recorder::begin(const RecordRequest& request) {
  std::vector<std::string> words = {"recordings", "begin"};
  const std::string home = host_.target ? "." : QDir::homePath().toStdString();
  words.push_back("--folder=" + (request.folder.empty() ? home : request.folder));
  for (std::string& word : profileWords(request.settings)) words.push_back(std::move(word));
  dialog_->console().setState(State::kStarting);
  listen(new HostCommand(host_, words, this));
}

void Recorder::follow(const KnownRecording& recording) {
  id_ = toQt(recording.id);
  isOver_ = false;
  isCancelled_ = false;
  const qint64 since = recording.began > 0 ? QDateTime::currentMSecsSinceEpoch() - recording.began / 1'000'000 : 0;
  dialog_->console().begin(recording.command.empty() ? id_ : toQt(recording.command), since);
  dialog_->showConsole();
  listen(new HostCommand(host_, {"recordings", "follow", recording.id}, this));
}

void Recorder::listen(HostCommand* command) {
  delete command_;
  command_ = command;
  pending_.clear();
  complaints_.clear();
  connect(command, &HostCommand::output, this, [this](const QByteArray& bytes) {
    pending_ += bytes;
    forEachLine(pending_, [this](const QJsonObject& json) { take(json); });
  });
  connect(command, &HostCommand::errors, this, [this](const QByteArray& bytes) { complaints_ += bytes; });
  connect(command, &HostCommand::ended, this, &Recorder::commandEnded);
}

void Recorder::take(const QJsonObject& json) {
  RecordConsole& console = dialog_->console();
  if (json.contains("id")) {
    id_ = json["id"].toString();
    if (console.state() == State::kStarting) console.setState(State::kRecording);
  }
  if (json.contains("skipped")) {
    console.addRemark(tr("… %1 of output before this")
                          .arg(toQt(formatBytes(static_cast<std::uint64_t>(json["skipped"].toInteger())))));
  }
  if (json.contains("output")) console.addOutput(json["output"].toString());
  if (json.contains("bytes")) {
    console.setSoFar(static_cast<std::uint64_t>(json["bytes"].toInteger()),
                     static_cast<std::uint64_t>(json["events"].toInteger()));
  }
  if (json.contains("report") && !isCancelled_) emit reportReady(host_.nameOf(utf8(json["report"])));
  if (json.contains("status")) {
    isOver_ = true;
    const int status = json["status"].toInt();
    console.setState(State::kEnded, isCancelled_  ? tr("Discarded")
                                    : status == 0 ? tr("Recorded")
                                                  : tr("Ended with status %1").arg(status));
    if (!host_.target) tell("remove", id_);  // its output was shown, its report is open
  }
  if (json.contains("left")) {
    isOver_ = true;
    console.setState(State::kEnded,
                     tr("Cut off: what ran it was killed. Its report can be finished under Recordings…"));
  }
}

void Recorder::commandEnded(int, const QString& failure) {
  if (isOver_) return;
  RecordConsole& console = dialog_->console();
  if (!complaints_.isEmpty()) console.addRemark(QString::fromUtf8(complaints_).trimmed());
  if (!failure.isEmpty()) console.addRemark(failure);
  if (id_.isEmpty()) {
    isOver_ = true;
    return console.setState(State::kEnded, tr("Nothing was recorded"));
  }
  console.setState(State::kLost, tr("The connection was lost. The recording goes on there; its report can be fetched "
                                    "later"));
}

void Recorder::order(const QString& what) {
  if (id_.isEmpty()) return;
  auto* command = new HostCommand(host_, {"recordings", what.toStdString(), id_.toStdString()}, this);
  connect(command, &HostCommand::errors, this,
          [this](const QByteArray& bytes) { dialog_->console().addRemark(QString::fromUtf8(bytes).trimmed()); });
  connect(command, &HostCommand::ended, command, [this, command](int, const QString& failure) {
    if (!failure.isEmpty()) dialog_->console().addRemark(failure);
    command->deleteLater();
  });
}

void Recorder::cancel() {
  QMessageBox box(QMessageBox::Question, tr("Cancel the recording?"),
                  tr("The program is ended, and what was recorded so far is discarded."), QMessageBox::NoButton,
                  dialog_);
  QPushButton* discard = box.addButton(tr("Discard"), QMessageBox::DestructiveRole);
  discard->setObjectName("discardRecording");
  box.addButton(tr("Go on"), QMessageBox::RejectRole);
  box.exec();
  if (box.clickedButton() != discard || isOver_) return;
  if (id_.isEmpty()) {  // it has not begun
    preparing_.cancel();
    delete command_;
    isOver_ = true;
    return dialog_->console().setState(State::kEnded, tr("Nothing was recorded"));
  }
  isCancelled_ = true;
  dialog_->console().setState(State::kCancelling);
  order("cancel");
}

void Recorder::list() {
  const std::string name = dialog_->form().request().host;
  const auto host = chosenHost(name);
  if (!host) return;
  dialog_->list().show(host->place(), {});
  dialog_->list().setWords(tr("Asking…"));
  dialog_->list().setCollector(host->target.has_value());
  dialog_->showList();
  delete listing_;
  listing_ = new HostCommand(*host, {"recordings", "list", "--json"}, this);
  whenEnded(listing_, [this, host = *host](QByteArray said, const QString& wrong, int status, const QString& failure) {
    std::vector<KnownRecording> all;
    forEachLine(said, [&](const QJsonObject& json) { all.push_back(recordingOf(json)); });
    dialog_->list().show(host.place(), std::move(all));
    if (!failure.isEmpty()) dialog_->list().setWords(failure);
    else if (status == 127) dialog_->list().setWords(tr("None is there: the collector is not on %1").arg(host.place()));
    else if (status != 0) dialog_->list().setWords(wrong);
  });
}

void Recorder::tell(const std::string& what, const QString& id) {
  const auto host = chosenHost(dialog_->form().request().host);
  if (!host) return;
  auto* command = new HostCommand(*host, {"recordings", what, id.toStdString()}, this);
  whenEnded(command, [this, command](const QByteArray&, const QString& wrong, int status, const QString& failure) {
    command->deleteLater();
    if (!dialog_->list().isVisible()) return;
    if (status == 0) return list();
    dialog_->list().setWords(failure.isEmpty() ? wrong : failure);
  });
}

void Recorder::remember(const RecordRequest& request) {
  // Program, folder, host, and the words that say the rest.
  QStringList kept = {toQt(shellLine(request.settings.program)), toQt(request.folder), toQt(request.host)};
  for (const std::string& word : profileWords(request.settings)) kept += toQt(word);
  settings_.addRecording(kept);
  if (!request.host.empty()) settings_.addRecentHost(toQt(request.host));
  offerPrograms();
}

void Recorder::fillFrom(const QStringList& kept) {
  std::vector<std::string> words;
  for (const QString& word : kept.mid(3)) words.push_back(word.toStdString());
  const auto line = launch::readCommandLine(words);
  if (!line) return;
  dialog_->form().fill({settingsOf(line->options), kept.value(1).toStdString(), kept.value(2).toStdString()});
}

void Recorder::offerPrograms() {
  QStringList lines;
  for (const QStringList& kept : settings_.recordings()) lines += kept.value(0);
  dialog_->form().setPrograms(lines);
}

}  // namespace lanescope::ui
