// SPDX-License-Identifier: GPL-3.0-or-later
// Recording from the dialog: real programs here and, over a real ssh server, elsewhere.
#include "app/ui/recorder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>
#include <future>

#include "app/ui/main_window.h"
#include "app/ui/recorder_words.h"
#include "model/remote/fetch.h"
#include "model/report/database.h"
#include "model/shell_words.h"
#include "tests/app/ui/event_loop.h"
#include "tests/app/ui/form_keys.h"
#include "tests/support/files.h"
#include "tests/support/ssh_server.h"
#include "views/dialogs/help_window.h"
#include "views/dialogs/marked_field.h"

namespace lanescope::ui {
namespace {

using test::runUntil;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using State = views::RecordConsole::State;

void clickButton(QWidget& dialog, const char* name) {
  auto* button = dialog.findChild<QPushButton*>(name);
  ASSERT_TRUE(button && button->isVisible() && button->isEnabled()) << name;
  QTest::mouseClick(button, Qt::LeftButton);
}

#ifdef LANESCOPE_NVTX_STEPS

std::vector<std::string> ranges(const std::filesystem::path& report) {
  std::vector<std::string> texts;
  const auto database = report::Database::open(report);
  EXPECT_TRUE(database.has_value()) << report;
  if (!database || !database->has("NVTX_EVENTS")) return texts;
  auto rows = database->prepare(
      "SELECT coalesce(text, (SELECT value FROM StringIds WHERE id = textId)) FROM NVTX_EVENTS WHERE eventType = 59 "
      "ORDER BY start");
  while (rows && rows->step()) texts.emplace_back(rows->text(0));
  return texts;
}

struct Recording : testing::Test {
  Recording() {
    qputenv("LANESCOPE_PROGRAM", LANESCOPE_PROGRAM);
    qputenv("XDG_CACHE_HOME", cache.path().c_str());
    qputenv("XDG_RUNTIME_DIR", sessions.path().c_str());
    QObject::connect(&recorder, &Recorder::reportReady, [this](const QString& name) { reports += name; });
  }
  ~Recording() override {
    for (const char* name : {"LANESCOPE_PROGRAM", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"}) qunsetenv(name);
  }

  void fill(const std::string& steps, const std::string& host = "") {
    recorder.show();
    views::RecordRequest request;
    request.settings.program = *readShellWords("'" LANESCOPE_NVTX_STEPS "' " + steps);
    request.settings.trace = {"nvtx"};
    request.settings.output = "x";
    request.folder = folder.path();
    request.host = host;
    recorder.dialog().form().fill(request);
  }
  void click(const char* name) { clickButton(recorder.dialog(), name); }
  void pipe(const char* name) { ASSERT_EQ(mkfifo((folder / name).c_str(), 0600), 0); }
  /// Until the program has written into a pipe.
  void hear(const char* name) {
    auto heard = std::async(std::launch::async, [path = folder / name] { return test::readFile(path); });
    EXPECT_TRUE(runUntil([&] { return heard.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }));
  }
  views::RecordConsole& console() { return recorder.dialog().console(); }
  std::string output() { return console().output().toStdString(); }
  bool ends() {
    return runUntil([this] { return console().state() == State::kEnded; });
  }

  test::TemporaryFolder folder, cache, sessions;
  Settings settings{QString::fromStdString((folder / "viewer.ini").string())};
  QWidget window;
  Recorder recorder{settings, &window};
  QStringList reports;
};

TEST_F(Recording, OfAProgramHereOpensItsReport) {
  fill("+one - +two -");
  auto* readiness = recorder.dialog().findChild<QLabel*>("readiness");
  EXPECT_TRUE(runUntil([&] { return !readiness->text().isEmpty(); })) << "what will be missing is told before";
  click("record");
  EXPECT_TRUE(console().isVisible());
  ASSERT_TRUE(ends()) << output();
  EXPECT_EQ(console().stateText(), "Recorded");
  EXPECT_THAT(output(), HasSubstr("report x.rep: 2 events"));
  ASSERT_EQ(reports, QStringList(QString::fromStdString((folder / "x.rep").string())));
  EXPECT_THAT(ranges(folder / "x.rep"), ElementsAre("one", "two"));

  const auto kept = settings.recordings();
  ASSERT_EQ(kept.size(), 1);
  Recorder another(settings, &window);
  another.show();
  EXPECT_TRUE(another.dialog().form().request() == recorder.dialog().form().request()) << "the last one stands there";
}

TEST_F(Recording, WhatTheMachineLacksIsToldInTheWordsOfItsStatus) {
  const std::filesystem::path program = folder / "lanescope";
  auto& readiness = *recorder.dialog().findChild<QLabel*>("readiness");
  const auto answering = [&](const std::string& script) {
    test::writeFile(program, "#!/bin/sh\n[ \"$*\" = 'status --environment --json' ] || exit 9\n" + script);
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    qputenv("LANESCOPE_PROGRAM", program.c_str());
    recorder.dialog().hide();
    readiness.clear();
    recorder.show();
    EXPECT_TRUE(runUntil([&] { return !readiness.text().isEmpty(); }));
    return readiness.text().toStdString();
  };
  EXPECT_EQ(answering("echo '{\"level\": \"good\", \"what\": \"CUPTI\", \"text\": \"13.0\", \"remedy\": \"\"}'\n"
                      "echo '{\"level\": \"problem\", \"what\": \"Disk\", \"text\": \"1 MB free: a; b\", \"remedy\": "
                      "\"make room\"}'\nexit 1\n"),
            "Disk: 1 MB free: a; b");
  EXPECT_THAT(readiness.toolTip().toStdString(),
              HasSubstr("good     CUPTI            13.0\nproblem  Disk             1 MB free: a; b; make room<"));
  EXPECT_EQ(answering("echo 'lanescope: --json: unknown' >&2; exit 2\n"), "lanescope: --json: unknown");
}

TEST_F(Recording, ItsHelpIsAKeyAndAButtonAway) {
  recorder.show();
  ASSERT_TRUE(runUntil([&] { return recorder.dialog().isActiveWindow(); }));
  QTest::keyClick(&recorder.dialog().form(), Qt::Key_F1);
  auto* help = recorder.dialog().findChild<views::HelpWindow*>();
  ASSERT_TRUE(help && help->isVisible());
  EXPECT_EQ(help->place(), "recording");
  help->close();
  click("recordHelp");
  EXPECT_TRUE(help->isVisible());
}

TEST_F(Recording, StopKeepsWhatThereIs) {
  pipe("begun"), pipe("on");
  fill("+one - !begun '?on'");
  click("record");
  hear("begun");
  ASSERT_TRUE(runUntil([&] { return console().state() == State::kRecording; }));
  click("closeConsole");
  EXPECT_FALSE(recorder.dialog().isVisible());
  recorder.show();
  EXPECT_EQ(console().state(), State::kRecording) << "it went on meanwhile";
  click("stopRecording");
  ASSERT_TRUE(ends()) << output();
  EXPECT_EQ(console().stateText(), "Ended with status 130");
  EXPECT_THAT(ranges(folder / "x.rep"), ElementsAre("one"));
  EXPECT_EQ(reports.size(), 1);
  click("anotherRecording");
  EXPECT_TRUE(recorder.dialog().form().isVisible());
}

TEST_F(Recording, CancelAsksAndDiscards) {
  pipe("begun"), pipe("on");
  fill("+one - !begun '?on'");
  click("record");
  hear("begun");
  ASSERT_TRUE(runUntil([&] { return console().state() == State::kRecording; }));
  QTimer::singleShot(0, &recorder.dialog(), [this] { click("discardRecording"); });
  click("cancelRecording");
  ASSERT_TRUE(ends()) << output();
  EXPECT_EQ(console().stateText(), "Discarded");
  EXPECT_THAT(reports, IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder / "x.rep"));
}

TEST_F(Recording, WhatCannotStartIsTold) {
  fill("+one -");
  views::RecordRequest request = recorder.dialog().form().request();
  request.settings.program = {(folder / "gone").string()};
  emit recorder.dialog().recordWanted(request);
  ASSERT_TRUE(ends());
  EXPECT_THAT(output(), HasSubstr("gone"));
  EXPECT_THAT(reports, IsEmpty());
}

struct RemoteRecording : Recording {
  void SetUp() override { LANESCOPE_NEEDS_SSHD(); }

  void typeHost(views::RecordDialog& dialog, const std::string& name) {
    ASSERT_TRUE(runUntil([&] { return dialog.isActiveWindow(); }));
    QLineEdit& machine = *dialog.findChild<QComboBox*>("host")->lineEdit();
    machine.setFocus();
    machine.selectAll();
    QTest::keyClicks(&machine, QString::fromStdString(name));
    EXPECT_EQ(dialog.findChild<QLabel*>("readiness")->text(), "") << "half a name is no host";
    QTest::keyClick(&machine, Qt::Key_Tab);
  }
  std::string theirs() const { return "SetEnv XDG_CACHE_HOME=" + there.path().string() + "\n"; }
  std::string host(const test::SshServer& server) { return server.target().address().substr(6); }
  /// The file at an address, fetched.
  std::filesystem::path fetched(const test::SshServer& server, const QString& address) {
    const auto target = remote::parseSshTarget(address.toStdString());
    EXPECT_TRUE(target);
    auto sftp = remote::Sftp::connect(server.client(), *target, Job());
    EXPECT_TRUE(sftp);
    const auto identity = remote::identify(*sftp, target->path);
    EXPECT_TRUE(identity) << sentence(identity.error());
    const auto done = remote::fetch(*sftp, *identity, remote::RemoteCache(folder / "copies"), {}, Job());
    EXPECT_TRUE(done);
    return done->copy.file;
  }

  test::TemporaryFolder there;
};

TEST_F(RemoteRecording, BringsTheCollectorRecordsThereAndNamesTheReport) {
  test::SshServer server(theirs());
  recorder.setSsh(server.client());
  fill("+far - +away -", host(server));
  EXPECT_EQ(recorder.dialog().findChild<QLabel*>("preview")->text(), "") << "its disk is another";
  click("record");
  ASSERT_TRUE(ends()) << output();
  EXPECT_EQ(console().stateText(), "Recorded") << output();
  ASSERT_EQ(reports.size(), 1);
  EXPECT_TRUE(reports[0].startsWith("ssh://") && reports[0].endsWith("/x.rep")) << reports[0].toStdString();
  EXPECT_THAT(ranges(fetched(server, reports[0])), ElementsAre("far", "away"));
  EXPECT_TRUE(std::filesystem::exists(there.path() / "lanescope/collector/id"));

  click("anotherRecording");
  click("showRecordings");
  auto* list = recorder.dialog().findChild<QTreeWidget*>("recordings");
  ASSERT_TRUE(runUntil([&] { return list->topLevelItemCount() == 1; }));
  EXPECT_EQ(list->topLevelItem(0)->text(1), "ended");
  click("openRecording");
  EXPECT_EQ(reports.size(), 2);
  click("removeRecording");
  ASSERT_TRUE(runUntil([&] { return list->topLevelItemCount() == 0; }));
  click("removeCollector");
  ASSERT_TRUE(runUntil([&] { return !std::filesystem::exists(there.path() / "lanescope/collector"); }));
}

TEST_F(RemoteRecording, InTheWindowItsReportBecomesATab) {
  test::SshServer server(theirs());
  setenv("LANESCOPE_SSH", server.program().c_str(), 1);
  {
    MainWindow viewer(settings);
    viewer.show();
    ASSERT_TRUE(runUntil([&] { return viewer.isActiveWindow(); }));
    QTest::keyClick(&viewer, Qt::Key_N, Qt::ControlModifier);
    views::RecordDialog& dialog = viewer.recorder().dialog();
    ASSERT_TRUE(dialog.isVisible());
    typeInto(dialog, "program", QStringLiteral("'%1' +far - +away -").arg(LANESCOPE_NVTX_STEPS));
    typeInto(dialog, "folder", QString::fromStdString(folder.path().string()));
    typeInto(dialog, "output", "x");
    clickBox(dialog, "trace-cuda");
    typeHost(dialog, host(server));
    auto* readiness = dialog.findChild<QLabel*>("readiness");
    EXPECT_TRUE(runUntil([&] { return readiness->text().startsWith("The collector will be copied to "); }))
        << readiness->text().toStdString();
    clickButton(dialog, "record");
    ASSERT_TRUE(runUntil([&] { return viewer.tabs().count() == 1; })) << dialog.console().output().toStdString();
    ReportTab& tab = *viewer.tabs().current();
    ASSERT_TRUE(runUntil([&] { return tab.session().phase() == Session::Phase::kReady; }));
    EXPECT_EQ(viewer.tabs().tabText(0), "x.rep on lanescope-test");
    EXPECT_EQ(viewer.tabs().tabToolTip(0).toStdString(), server.target(folder / "x.rep").address());
    EXPECT_THAT(ranges(tab.session().path()), ElementsAre("far", "away"));
    EXPECT_EQ(dialog.console().stateText(), "Recorded");
  }
  unsetenv("LANESCOPE_SSH");
}

TEST_F(RemoteRecording, OneWhoseConnectionIsCutGoesOnAndIsFetchedLater) {
  test::SshServer server(theirs());
  recorder.setSsh(server.client());
  pipe("begun"), pipe("on");
  fill("+before - !begun '?on' +after -", host(server));
  click("record");
  hear("begun");
  ASSERT_TRUE(runUntil([&] { return console().state() == State::kRecording; }));
  server.kill();
  ASSERT_TRUE(runUntil([&] { return console().state() == State::kLost; })) << output();
  EXPECT_THAT(console().stateText().toStdString(), HasSubstr("The recording goes on there"));
  server.start();

  click("anotherRecording");
  click("showRecordings");
  auto* list = recorder.dialog().findChild<QTreeWidget*>("recordings");
  ASSERT_TRUE(runUntil([&] { return list->topLevelItemCount() == 1; }));
  EXPECT_EQ(list->topLevelItem(0)->text(1), "runs");
  click("followRecording");
  test::writeFile(folder / "on", "on\n");
  ASSERT_TRUE(ends()) << output();
  ASSERT_EQ(reports.size(), 1) << output();
  EXPECT_THAT(ranges(fetched(server, reports[0])), ElementsAre("before", "after"));
}

TEST(Collector, OfAnInstalledViewerIsThePortableOne) {
  const test::TemporaryFolder prefix;
  const auto install = [&](const char* folder, const char* glibc) {
    std::filesystem::create_directories(prefix / folder);
    for (const char* name : {"lanescope", "liblanescope-inject.so"})
      test::writeFile(prefix / folder / name, std::string("GLIBC_2.2.5 GLIBC_") + glibc + '\0');
  };
  EXPECT_FALSE(Collector::beside(prefix / "bin"));
  install("bin", "2.36");
  EXPECT_EQ(Collector::beside(prefix / "bin")->glibc, "2.36") << "in a build folder";
  install("share/lanescope/collector", "2.28");
  EXPECT_EQ(Collector::beside(prefix / "bin")->glibc, "2.28");
  std::filesystem::remove(prefix / "share/lanescope/collector/liblanescope-inject.so");
  EXPECT_EQ(Collector::beside(prefix / "bin")->glibc, "2.36") << "one that is not whole is none";
}

TEST_F(RemoteRecording, AServerWithAnOlderGlibcIsToldOfBeforeAnythingIsCopied) {
  test::writeFile(folder / "getconf", "#!/bin/sh\necho glibc 2.5\n");
  std::filesystem::permissions(folder / "getconf", std::filesystem::perms::owner_all);
  test::SshServer server("SetEnv XDG_CACHE_HOME=" + there.path().string() + " PATH=" + folder.path().string() +
                         ":/usr/bin:/bin\n");
  recorder.setSsh(server.client());
  fill("+far -");
  typeHost(recorder.dialog(), host(server));
  const auto* readiness = recorder.dialog().findChild<QLabel*>("readiness");
  EXPECT_TRUE(runUntil([&] { return readiness->text().contains("cannot record"); }));
  const std::string why = "it has glibc 2.5, and this collector, built with a newer one, needs 2.";
  EXPECT_THAT(readiness->text().toStdString(), testing::StartsWith("lanescope-test cannot record: " + why));
  click("record");
  ASSERT_TRUE(ends());
  EXPECT_THAT(output(), HasSubstr(why));
  EXPECT_FALSE(std::filesystem::exists(there.path() / "lanescope")) << "nothing was copied";
}

TEST_F(RemoteRecording, AHostThatCannotRunTheCollectorIsRefusedWithTheReason) {
  const Collector collector{{}, "1", "2.36"};
  EXPECT_EQ(whyNotThere(collector, {"/c", "x86_64", "2.36", "", ""}), "");
  EXPECT_THAT(whyNotThere(collector, {"/c", "x86_64", "2.9", "", ""}),
              HasSubstr("it has glibc 2.9, and this collector, built with a newer one, needs 2.36"));
  EXPECT_THAT(whyNotThere(collector, {"/c", "aarch64", "2.36", "", ""}), HasSubstr("it is a machine of aarch64"));
  EXPECT_THAT(whyNotThere(collector, {"/c", "x86_64", "", "", ""}), HasSubstr("is not glibc"));
}

#endif

}  // namespace
}  // namespace lanescope::ui
