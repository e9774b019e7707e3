// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/record_host.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <algorithm>

#include "app/version.h"
#include "model/remote/sftp.h"
#include "views/text.h"

namespace lanescope::ui {
namespace {

namespace fs = std::filesystem;
using views::toQt;

constexpr const char* kRecorder = "liblanescope-inject.so";
/// Before every script there: our folder of the user's cache.
constexpr const char* kFolderThere = "f=\"${XDG_CACHE_HOME:-$HOME/.cache}/lanescope\"; ";
/// Runs the collector that was brought there, else the one that is installed.
constexpr const char* kRunThere = "c=\"$f/collector/lanescope\"; [ -x \"$c\" ] || c=lanescope; exec \"$c\" \"$@\"";
constexpr const char* kAskThere =
    "echo \"folder=$f\"; echo \"machine=$(uname -m)\"; "
    "echo \"glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null)\"; echo \"id=$(cat \"$f/collector/id\" 2>/dev/null)\"; "
    "lanescope recordings list >/dev/null 2>&1 && echo \"installed=$(lanescope --version)\"; true";

/// "2.36" < "2.4" is wrong for versions.
std::vector<int> versionOf(const std::string& text) {
  std::vector<int> parts;
  for (const QString& part : toQt(text).split('.')) parts.push_back(part.toInt());
  return parts;
}

/// The newest "GLIBC_2.x" among a file's names of versions.
std::string newestGlibc(const QByteArray& file) {
  constexpr QByteArrayView kTag("GLIBC_2.");
  int newest = 0;
  for (qsizetype at = 0; (at = file.indexOf(kTag, at)) >= 0;) {
    at += kTag.size();
    int number = 0;
    for (qsizetype i = at; i < file.size() && number < 1000 && file[i] >= '0' && file[i] <= '9'; ++i) {
      number = 10 * number + (file[i] - '0');
    }
    newest = std::max(newest, number);
  }
  return newest > 0 ? fmt::format("2.{}", newest) : "";
}

std::optional<Collector> collectorIn(const fs::path& folder) {
  std::error_code error;
  fs::path recorder = folder / kRecorder;
  if (!fs::exists(recorder, error)) recorder = folder / "../lib/lanescope" / kRecorder;
  if (!fs::exists(folder / "lanescope", error) || !fs::exists(recorder, error)) return std::nullopt;
  Collector found{{folder / "lanescope", recorder}, {}, {}};
  for (const char* name : {"liblanescope-preload.so", "liblanescope-mpi.so"}) {  // for who asks for them
    if (fs::path more = recorder.parent_path() / name; fs::exists(more, error)) found.files.push_back(std::move(more));
  }
  QCryptographicHash hash(QCryptographicHash::Sha256);
  for (const fs::path& path : found.files) {
    QFile file(toQt(path.string()));
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    const QByteArray content = file.readAll();
    hash.addData(content);
    found.glibc = std::max(found.glibc, newestGlibc(content),
                           [](const std::string& a, const std::string& b) { return versionOf(a) < versionOf(b); });
  }
  found.id = hash.result().toHex().toStdString();
  return found;
}

/// A script of a POSIX shell there, with its arguments.
std::vector<std::string> scriptWords(const std::string& script, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"sh", "-c", kFolderThere + script, "sh"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

/// Its output.
Result<std::string> runScript(const RecordHost& host, const std::string& script, const std::vector<std::string>& words,
                              const Job& job, int* status) {
  std::string said;
  const auto take = [&said](std::string_view bytes) {
    said += bytes.substr(0, (1 << 16) - std::min<std::size_t>(said.size(), 1 << 16));
  };
  const Result<int> done = remote::run(host.ssh, *host.target, scriptWords(script, words), {{}, take, take}, job);
  if (!done) return tl::unexpected(done.error());
  *status = *done;
  return said;
}

Error notThere(const RecordHost& host, std::string why) {
  return {ErrorCode::kUnreadable, host.target->place(), std::move(why)};
}

}  // namespace

Result<RecordHost> RecordHost::named(const std::string& host, const remote::Ssh& ssh) {
  if (host.empty()) return RecordHost{ssh};
  auto target = remote::parseSshHost(host);
  if (!target) return tl::unexpected(target.error());
  return RecordHost{ssh, target->at("")};
}

QString RecordHost::place() const { return target ? toQt(target->place()) : QString(); }

QString RecordHost::nameOf(const std::string& path) const { return toQt(target ? target->at(path).address() : path); }

std::string lanescopeProgram() {
  const QString beside = QCoreApplication::applicationDirPath() + "/lanescope";
  const QString found = QFileInfo(beside).isExecutable() ? beside : QStandardPaths::findExecutable("lanescope");
  const QByteArray given = qgetenv("LANESCOPE_PROGRAM");
  return given.isEmpty() ? found.toStdString() : given.toStdString();
}

HostCommand::HostCommand(const RecordHost& host, const std::vector<std::string>& words, QObject* parent)
    : QObject(parent) {
  host.target ? runThere(host, words) : runHere(words);
}

HostCommand::~HostCommand() {
  if (!process_) return;
  process_->disconnect(this);
  process_->kill();  // who only follows a recording; that goes on
  process_->waitForFinished();
}

void HostCommand::runHere(const std::vector<std::string>& words) {
  process_ = new QProcess(this);
  QStringList arguments;
  for (const std::string& word : words) arguments += toQt(word);
  connect(process_, &QProcess::readyReadStandardOutput, this,
          [this] { emit output(process_->readAllStandardOutput()); });
  connect(process_, &QProcess::readyReadStandardError, this, [this] { emit errors(process_->readAllStandardError()); });
  connect(process_, &QProcess::finished, this, [this](int status) { emit ended(status, {}); });
  const QString program = toQt(lanescopeProgram());
  connect(process_, &QProcess::errorOccurred, this, [this, program](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    emit ended(-1, program.isEmpty() ? tr("lanescope is neither beside the viewer nor in PATH; install it")
                                     : tr("%1: cannot be started: %2").arg(program, process_->errorString()));
  });
  process_->setStandardInputFile(QProcess::nullDevice());
  // Not before somebody can hear it.
  QMetaObject::invokeMethod(
      this, [this, program, arguments] { process_->start(program, arguments); }, Qt::QueuedConnection);
}

void HostCommand::runThere(const RecordHost& host, const std::vector<std::string>& words) {
  const std::vector<std::string> all = scriptWords(kRunThere, words);
  // What is posted to an object that is gone is dropped; the thread is joined before.
  thread_ = std::jthread([this, host, all](const std::stop_token& stop) {
    const auto post = [this](auto act) { QMetaObject::invokeMethod(this, act, Qt::QueuedConnection); };
    const auto bytesOf = [](std::string_view bytes) {
      return QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()));
    };
    const remote::Streams streams{
        {},
        [&](std::string_view bytes) { post([this, copy = bytesOf(bytes)] { emit output(copy); }); },
        [&](std::string_view bytes) { post([this, copy = bytesOf(bytes)] { emit errors(copy); }); }};
    const Result<int> done = remote::run(host.ssh, *host.target, all, streams, Job(stop));
    const QString failure = done ? QString() : toQt(sentence(done.error()));
    post([this, status = done.value_or(-1), failure] { emit ended(status, failure); });
  });
}

std::optional<Collector> Collector::ofThisProgram() {
  if (const QByteArray given = qgetenv("LANESCOPE_COLLECTOR"); !given.isEmpty())
    return collectorIn(given.toStdString());
  auto found = beside(QCoreApplication::applicationDirPath().toStdString());
  return found ? found : beside(fs::path(lanescopeProgram()).parent_path());
}

std::optional<Collector> Collector::beside(const fs::path& programs) {
  auto portable = collectorIn(programs / "../share/lanescope/collector");
  return portable ? portable : collectorIn(programs);
}

bool HostFacts::has(const Collector& collector) const {
  return id.empty() ? installed == "lanescope " LANESCOPE_VERSION : id == collector.id;
}

Result<HostFacts> askHost(const RecordHost& host, const Job& job) {
  int status = 0;
  const Result<std::string> said = runScript(host, kAskThere, {}, job, &status);
  if (!said) return tl::unexpected(said.error());
  HostFacts facts;
  for (const QString& line : toQt(*said).split('\n')) {
    const std::string value = line.section('=', 1).trimmed().toStdString();
    const QString name = line.section('=', 0, 0);
    if (name == "folder") facts.folder = value;
    if (name == "machine") facts.machine = value;
    if (name == "glibc" && value.starts_with("glibc ")) facts.glibc = value.substr(6);
    if (name == "id") facts.id = value;
    if (name == "installed") facts.installed = value;
  }
  if (facts.folder.empty() || facts.folder.front() != '/') {
    return tl::unexpected(notThere(host, "no POSIX shell answers there"));
  }
  return facts;
}

std::string whyNotThere(const Collector& collector, const HostFacts& facts) {
  utsname here{};
  uname(&here);
  if (facts.machine != here.machine) {
    return fmt::format("it is a machine of {}, and this collector is for {}; install lanescope there", facts.machine,
                       here.machine);
  }
  if (facts.glibc.empty()) return "its C library is not glibc, which the collector needs";
  if (versionOf(facts.glibc) < versionOf(collector.glibc)) {
    return fmt::format(
        "it has glibc {}, and this collector, built with a newer one, needs {}; build lanescope there, or "
        "with LANESCOPE_PORTABLE=ON on a system as old",
        facts.glibc, collector.glibc);
  }
  return {};
}

Result<void> bringCollector(const RecordHost& host, const Collector& collector, const HostFacts& facts,
                            const Job& job) {
  if (std::string why = whyNotThere(collector, facts); !why.empty()) return tl::unexpected(notThere(host, why));
  auto sftp = remote::Sftp::connect(host.ssh, *host.target, job);
  if (!sftp) return tl::unexpected(sftp.error());
  const std::string place = facts.folder + "/collector";
  for (const fs::path& file : collector.files) {
    const auto done = sftp->put(file.string(), place + "/" + file.filename().string(), 0755);
    if (!done) return done;
  }
  int status = 0;
  const Result<std::string> said =
      runScript(host, "\"$1/lanescope\" --version && printf %s \"$2\" >\"$1/id\"", {place, collector.id}, job, &status);
  if (!said) return tl::unexpected(said.error());
  if (status == 0) return {};
  if (const auto removed = removeCollector(host, job); !removed) return removed;
  return tl::unexpected(
      notThere(host, fmt::format("the collector does not run there: {}; build it with LANESCOPE_PORTABLE=ON",
                                 toQt(*said).simplified().toStdString())));
}

Result<void> removeCollector(const RecordHost& host, const Job& job) {
  int status = 0;
  const Result<std::string> said = runScript(host, "rm -rf -- \"$f/collector\"", {}, job, &status);
  if (!said) return tl::unexpected(said.error());
  if (status != 0) return tl::unexpected(notThere(host, *said));
  return {};
}

}  // namespace lanescope::ui
