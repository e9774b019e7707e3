// SPDX-License-Identifier: GPL-3.0-or-later
// The machine that records, this one or a host that ssh reaches, as a place where commands of `lanescope` run; and what
// has to be there before they can. Values; what waits says so.
#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "model/job.h"
#include "model/remote/ssh_process.h"

class QProcess;

namespace lanescope::ui {

struct RecordHost {
  remote::Ssh ssh;
  std::optional<remote::SshTarget> target = {};  ///< none: this machine

  /// `host`: user@name:port, empty for this machine.
  static Result<RecordHost> named(const std::string& host, const remote::Ssh& ssh);
  QString place() const;  ///< for people; empty: this machine
  /// What opens a file there.
  QString nameOf(const std::string& path) const;
};

/// The command line beside this program, else in $PATH.
std::string lanescopeProgram();

/// A command of `lanescope` on a host, started at once; its words come as they are written. Gone with the object.
/// GUI thread only.
class HostCommand : public QObject {
  Q_OBJECT

 public:
  HostCommand(const RecordHost& host, const std::vector<std::string>& words, QObject* parent);
  ~HostCommand() override;

 signals:
  void output(const QByteArray& bytes);
  void errors(const QByteArray& bytes);
  void ended(int status, const QString& failure);  ///< failure: why it did not come to a status; empty otherwise

 private:
  void runHere(const std::vector<std::string>& words);
  void runThere(const RecordHost& host, const std::vector<std::string>& words);

  QProcess* process_ = nullptr;
  std::jthread thread_;
};

/// What records on a host: the command line and the library that is loaded into programs.
struct Collector {
  std::vector<std::filesystem::path> files;
  std::string id;  ///< of their content
  std::string glibc;  ///< the newest version of it that they need, "2.36"

  /// $LANESCOPE_COLLECTOR, else what is installed with the viewer, else with the command line. Reads the files.
  static std::optional<Collector> ofThisProgram();
  /// Of programs in this folder: ../share/lanescope/collector, which is built to run on old servers, else they.
  static std::optional<Collector> beside(const std::filesystem::path& programs);
};

/// What there is on a host.
struct HostFacts {
  std::string folder;  ///< of ours there
  std::string machine;  ///< "x86_64"
  std::string glibc;  ///< "2.28"; empty: another library
  std::string id;  ///< of the collector there; empty: none
  std::string installed;  ///< "lanescope 0.1.0", of $PATH

  bool has(const Collector& collector) const;
};

/// These wait for the host.
Result<HostFacts> askHost(const RecordHost& host, const Job& job);
/// Why the collector cannot run there; empty if it may.
std::string whyNotThere(const Collector& collector, const HostFacts& facts);
/// Copies it there and tries it; leaves nothing that does not run.
Result<void> bringCollector(const RecordHost& host, const Collector& collector, const HostFacts& facts, const Job& job);
Result<void> removeCollector(const RecordHost& host, const Job& job);

}  // namespace lanescope::ui
