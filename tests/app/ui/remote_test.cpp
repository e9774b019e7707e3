// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of a real server in the window, by mouse and keys.
#include <gmock/gmock.h>

#include <QAbstractItemModel>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include "app/ui/compare_tab.h"
#include "app/ui/main_window.h"
#include "app/ui/open_files.h"
#include "app/ui/remote_files.h"
#include "app/ui/screenshot.h"
#include "app/ui/viewer_ssh.h"
#include "app/ui/welcome_page.h"
#include "tests/app/ui/event_loop.h"
#include "tests/support/report_builder.h"
#include "tests/support/ssh_server.h"
#include "views/dialogs/ask_pass.h"
#include "views/dialogs/help_window.h"
#include "views/dialogs/open_remote.h"
#include "views/panels/note_line.h"

namespace lanescope::ui {
namespace {

namespace fs = std::filesystem;
using test::runUntil;
using test::SshServer;
using views::AskPass;
using views::OpenRemote;

class RemoteInWindow : public testing::Test {
 protected:
  void SetUp() override {
    LANESCOPE_NEEDS_SSHD();
    server.emplace();
    fs::create_directory(*server / "runs");
    for (const char* name : {"runs/rank0.rep", "runs/rank1.rep"})
      test::ReportBuilder(*server / name)
          .add(test::K{.start = 10, .end = 20, .name = "gemm"})
          .add(test::K{.start = 10'000, .end = 20'000, .name = "gemm"})
          .write();
    test::writeFile(*server / "runs/notes.txt", "not a report");
    use(server->program());
    window = std::make_unique<MainWindow>(settings);
    window->show();
  }
  void TearDown() override {
    window.reset();
    unsetenv("LANESCOPE_SSH");
  }

  void use(const std::string& program) { setenv("LANESCOPE_SSH", program.c_str(), 1); }
  QString address(const char* name) const { return QString::fromStdString(server->target(*server / name).address()); }

  OpenRemote& dialog() { return *window->remote().dialog(); }
  template <class Widget>
  Widget& part(const char* name) {
    return *dialog().findChild<Widget*>(name);
  }
  QString line() { return part<QLabel>("line").text(); }
  void click(const char* button) { QTest::mouseClick(&part<QPushButton>(button), Qt::LeftButton); }
  QStringList rows() {
    const QAbstractItemModel& model = *part<QTreeView>("remoteEntries").model();
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row) names += model.index(row, 0).data().toString();
    return names;
  }

  /// Opens the dialog as a user does, and goes to a folder of the server.
  void browse(const fs::path& place) {
    for (QAction* action : window->findChildren<QAction*>())
      if (action->shortcut() == QKeySequence("Ctrl+Shift+O")) action->trigger();
    ASSERT_NE(window->remote().dialog(), nullptr);
    QTest::keyClicks(part<QComboBox>("host").lineEdit(), "lanescope-test");
    QTest::keyClicks(&part<QLineEdit>("path"), QString::fromStdString(place.string()));
    QTest::keyClick(&part<QLineEdit>("path"), Qt::Key_Return);
    ASSERT_TRUE(
        runUntil([&] { return line().contains("entries") || !part<QLabel>("line").property("tone").isNull(); }));
    ASSERT_TRUE(runUntil([&] { return line().contains("entries"); })) << line().toStdString();
  }

  std::optional<SshServer> server;
  QTemporaryDir folder;
  Settings settings{folder.filePath("viewer.ini")};
  std::unique_ptr<MainWindow> window;
};

TEST_F(RemoteInWindow, FoldersAreBrowsedFilteredAndSeveralFilesOpenedAtOnce) {
  browse(*server / "");
  EXPECT_EQ(rows().front(), "cache/") << "folders stand first";
  auto& table = part<QTreeView>("remoteEntries");
  const auto at = [&](const QString& name) { return table.model()->index(static_cast<int>(rows().indexOf(name)), 0); };
  table.scrollTo(at("runs/"));
  QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(at("runs/")).center());
  QTest::keyClick(&table, Qt::Key_Return);
  ASSERT_TRUE(runUntil([&] { return rows().contains("rank0.rep"); })) << line().toStdString();
  EXPECT_EQ(part<QLineEdit>("path").text().toStdString(), (*server / "runs").string());
  const QModelIndex first = at("rank0.rep");
  EXPECT_TRUE(first.siblingAtColumn(1).data().toString().endsWith("kB")) << "a size";
  EXPECT_TRUE(first.siblingAtColumn(2).data().toString().startsWith("20")) << "a date";

  QTest::keyClicks(&part<QLineEdit>("filter"), "RANK*.rep");
  EXPECT_EQ(rows(), (QStringList{"rank0.rep", "rank1.rep"}));
  QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(at("rank0.rep")).center());
  QTest::mouseClick(table.viewport(), Qt::LeftButton, Qt::ControlModifier, table.visualRect(at("rank1.rep")).center());
  click("open");
  ASSERT_TRUE(runUntil([&] { return window->tabs().count() == 2; })) << line().toStdString();
  EXPECT_EQ(window->tabs().tabText(0), "rank0.rep on lanescope-test");
  EXPECT_EQ(window->tabs().tabText(1), "rank1.rep on lanescope-test");
  EXPECT_EQ(window->tabs().tabToolTip(1), address("runs/rank1.rep"));
  EXPECT_EQ(window->windowTitle(), QStringLiteral("rank1.rep on lanescope-test — Lanescope"));
  ASSERT_TRUE(runUntil([&] { return settings.recentFiles().size() == 2; }));
  EXPECT_EQ(settings.recentFiles(), (QStringList{address("runs/rank1.rep"), address("runs/rank0.rep")}));
  EXPECT_EQ(settings.recentHosts(), QStringList{"lanescope-test"});
  EXPECT_TRUE(runUntil([&] { return window->remote().dialog() == nullptr; })) << "it closes after the last";
}

TEST_F(RemoteInWindow, UpLeadsToTheFolderAboveAndHostsAndFilesAreOfferedAgain) {
  settings.addRecentHost("me@gpu7:2222");
  settings.addRecentFile(address("runs/rank0.rep"));
  browse(*server / "runs");
  EXPECT_NE(part<QComboBox>("host").findText("me@gpu7:2222"), -1);
  QTest::mouseClick(&part<QToolButton>("up"), Qt::LeftButton);
  ASSERT_TRUE(runUntil([&] { return rows().contains("runs/"); }));
  part<QToolButton>("recent").menu()->actions().front()->trigger();
  ASSERT_TRUE(runUntil([&] { return window->tabs().count() == 1; })) << line().toStdString();
}

TEST_F(RemoteInWindow, ABrokenTransferSaysSoAndResumes) {
  fs::resize_file(*server / "runs/rank0.rep", 12u << 20);  // SQLite does not mind what follows
  const std::string good = server->program();
  const std::string script =
      server->program("ProxyCommand bash -c 'exec 3<>/dev/tcp/127.0.0.1/" + std::to_string(server->port()) +
                      " 4<&0; cat <&4 >&3 & dd bs=64K iflag=count_bytes count=6000000 status=none <&3'");
  use(script);
  window->tabs().openNamed(address("runs/rank0.rep"));
  ASSERT_TRUE(runUntil([&] { return part<QPushButton>("open").text() == "Resume"; })) << line().toStdString();
  EXPECT_TRUE(line().contains("the connection was lost (after ")) << line().toStdString();
  EXPECT_EQ(window->tabs().count(), 0);
  test::writeFile(script, test::readFile(good));  // the way is good again
  click("open");
  ASSERT_TRUE(runUntil([&] { return window->tabs().count() == 1; })) << line().toStdString();
  EXPECT_TRUE(window->tabs().current()->noteLine().text().contains("went on after "));
}

TEST_F(RemoteInWindow, AFileThatChangedSinceSaysSoWhenItIsOpenedAgain) {
  window->tabs().openNamed(address("runs/rank0.rep"));
  ASSERT_TRUE(runUntil([&] { return window->tabs().count() == 1; }));
  const QString kept = QString::fromStdString(window->tabs().current()->session().path().string());
  window->tabs().openNamed(address("runs/rank0.rep"));
  ASSERT_TRUE(runUntil([&] { return window->remote().dialog() == nullptr; }));
  EXPECT_EQ(window->tabs().count(), 1) << "unchanged: it is that tab";
  test::ReportBuilder(*server / "runs/rank0.rep").add(test::K{.start = 1, .end = 2, .name = "other"}).write();
  window->tabs().openNamed(address("runs/rank0.rep"));
  ASSERT_TRUE(runUntil([&] { return window->tabs().count() == 2; }));
  EXPECT_TRUE(window->tabs().current()->noteLine().text().contains("it changed since it was last fetched"));
  EXPECT_TRUE(fs::exists(kept.toStdString())) << "what the first tab shows is still there";
}

TEST_F(RemoteInWindow, WhatFailsIsALineInTheDialogAndNothingOpens) {
  window->tabs().openNamed(address("runs/none.rep"));
  ASSERT_TRUE(runUntil([&] { return line().contains("there is no such file"); })) << line().toStdString();
  click("cancel");
  EXPECT_EQ(window->tabs().count(), 0);
  window->tabs().openNamed("ssh://-oProxyCommand=id/x");
  EXPECT_TRUE(line().contains("is no address")) << line().toStdString();
  server->kill();
  window->tabs().openNamed(address("runs/rank0.rep"));
  ASSERT_TRUE(runUntil([&] { return line().contains("the server cannot be reached"); })) << line().toStdString();
}

TEST_F(RemoteInWindow, FilesOfTheCommandLineShowTheirRangeAndPicturesWaitForThem) {
  Options options;
  options.files = {address("runs/rank0.rep").toStdString(), address("runs/rank1.rep").toStdString()};
  options.range = trace::TimeRange{1000, 9000};
  const auto shows = [&](int tab) { return window->tabs().at(tab)->view().visible() == *options.range; };
  ASSERT_TRUE(openFiles(*window, options));
  EXPECT_TRUE(runUntil([&] { return window->tabs().count() == 2 && shows(0) && shows(1); }));
  while (window->tabs().count() > 0) window->tabs().close(0);

  options.screenshot = folder.filePath("a.png").toStdString();
  ASSERT_TRUE(openFiles(*window, options));
  ASSERT_EQ(window->tabs().count(), 2) << "no dialog comes between";
  std::optional<Result<void>> done;
  takeScreenshot(*window, *options.screenshot, [&](Result<void> result) { done = std::move(result); });
  ASSERT_TRUE(runUntil([&] { return done.has_value(); }));
  EXPECT_TRUE(*done);
  EXPECT_TRUE(fs::exists(*options.screenshot));
  EXPECT_TRUE(shows(0));

  options.files = {address("runs/none.rep").toStdString()};
  const auto none = openFiles(*window, options);
  ASSERT_FALSE(none);
  EXPECT_EQ(sentence(none.error()),
            options.files[0].string() + ": there is no such file; check the path; it may have been moved or removed");
  EXPECT_EQ(exitStatus(none.error()), 3);
}

TEST_F(RemoteInWindow, ReportsOfServersAreComparedOnceBothAreHere) {
  Options options;
  options.compared = {address("runs/rank0.rep").toStdString(), address("runs/rank1.rep").toStdString()};
  ASSERT_TRUE(openFiles(*window, options));
  ASSERT_TRUE(runUntil([&] { return window->tabs().comparison() != nullptr; }));
  EXPECT_EQ(window->tabs().comparison()->side(views::kA).shownPath(), address("runs/rank0.rep"));
  EXPECT_EQ(window->tabs().comparison()->side(views::kB).shownPath(), address("runs/rank1.rep"));
}

TEST_F(RemoteInWindow, ItsHelpIsAKeyAndAButtonAway) {
  browse(*server / "runs");
  QTest::keyClick(&part<QTreeView>("remoteEntries"), Qt::Key_F1);
  auto* help = dialog().findChild<views::HelpWindow*>();
  ASSERT_TRUE(help && help->isVisible());
  EXPECT_EQ(help->place(), "remote");
  help->close();
  click("remoteHelp");
  EXPECT_TRUE(help->isVisible());
}

TEST_F(RemoteInWindow, TheWelcomePageOffersARecentAddress) {
  settings.addRecentFile(address("runs/rank0.rep"));
  emit window->tabs().recentFilesChanged();
  auto* recent = window->findChild<WelcomePage*>()->findChild<QToolButton*>("recentFile");
  ASSERT_NE(recent, nullptr);
  EXPECT_TRUE(recent->isEnabled());
  QTest::mouseClick(recent, Qt::LeftButton);
  EXPECT_TRUE(runUntil([&] { return window->tabs().count() == 1; }));
}

TEST(AskPass, APasswordIsTypedUnseenAndConfirmedByEnter) {
  AskPass dialog("me@gpu7's password: ", AskPass::Kind::kSecret);
  dialog.open();
  auto* secret = dialog.findChild<QLineEdit*>();
  EXPECT_EQ(secret->echoMode(), QLineEdit::Password);
  QTest::mouseClick(dialog.findChild<QCheckBox*>(), Qt::LeftButton, {}, QPoint(8, 8));
  EXPECT_EQ(secret->echoMode(), QLineEdit::Normal);
  QTest::keyClicks(secret, "open sesame");
  QTest::keyClick(secret, Qt::Key_Return);
  EXPECT_EQ(dialog.result(), QDialog::Accepted);
  EXPECT_EQ(dialog.answer(), "open sesame");
}

TEST(AskPass, AStrayEnterTrustsNoServer) {
  const QString question =
      "The authenticity of host 'gpu7' can't be established.\nED25519 key fingerprint is SHA256:x.\nAre you sure you "
      "want to continue connecting (yes/no/[fingerprint])? ";
  ASSERT_EQ(AskPass::kindOf(question, {}), AskPass::Kind::kYesNo);
  AskPass careful(question, AskPass::Kind::kYesNo);
  careful.open();
  QTest::keyClick(&careful, Qt::Key_Return);
  EXPECT_EQ(careful.result(), QDialog::Rejected);
  AskPass sure(question, AskPass::Kind::kYesNo);
  sure.open();
  for (QPushButton* button : sure.findChildren<QPushButton*>())
    if (button->text().contains("Yes")) QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_EQ(sure.result(), QDialog::Accepted);
  EXPECT_EQ(sure.answer(), "yes");
}

TEST(AskPass, ATouchOfASecurityKeyIsOnlyShown) {
  EXPECT_EQ(AskPass::kindOf("Confirm user presence for key", "none"), AskPass::Kind::kNotice);
  EXPECT_EQ(AskPass::kindOf("Allow use of key?", "confirm"), AskPass::Kind::kYesNo);
  AskPass notice("<b>Confirm</b> user presence", AskPass::Kind::kNotice);
  EXPECT_EQ(notice.findChild<QLineEdit*>(), nullptr);
  EXPECT_EQ(notice.findChild<QLabel*>("question")->textFormat(), Qt::PlainText);
}

TEST(AskPass, ItLooksAsTheWindowThatStartedIt) {
  QTemporaryDir folder;
  Settings settings(folder.filePath("viewer.ini"));
  settings.setTheme(views::Theme::Mode::kDark);
  EXPECT_EQ(askingTheme(settings), views::Theme::Mode::kDark);
  views::Theme& theme = views::Theme::instance();
  const views::Theme::Mode before = theme.mode();
  theme.setMode(views::Theme::Mode::kLight);  // as by --theme
  const std::string told = viewerSsh().forAskpass.at(0);
  theme.setMode(before);
  const std::size_t equals = told.find('=');
  qputenv(told.substr(0, equals).c_str(), told.substr(equals + 1).c_str());
  EXPECT_EQ(askingTheme(settings), views::Theme::Mode::kLight);
  qunsetenv(told.substr(0, equals).c_str());
}

TEST(AskPass, SshStartsTheProgramAsAQuestion) {
  const char* words[] = {"lanescope-ui", "Password:"};
  EXPECT_EQ(askedBySsh(2, words), std::nullopt);
  qputenv("LANESCOPE_ASKPASS", "1");
  EXPECT_EQ(askedBySsh(2, words), "Password:");
  qunsetenv("LANESCOPE_ASKPASS");
  const char* typed[] = {"lanescope-ui", "--askpass", "Code:"};
  EXPECT_EQ(askedBySsh(3, typed), "Code:");
}

}  // namespace
}  // namespace lanescope::ui
