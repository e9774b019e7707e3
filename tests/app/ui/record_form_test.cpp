// SPDX-License-Identifier: GPL-3.0-or-later
// The form of a recording with the recorder's own words.
#include "views/dialogs/record_form.h"

#include <gmock/gmock.h>

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include "app/ui/recorder_words.h"
#include "tests/app/ui/event_loop.h"
#include "tests/app/ui/form_keys.h"
#include "tests/support/files.h"
#include "views/dialogs/marked_field.h"

namespace lanescope::ui {
namespace {

using test::runUntil;
using testing::AllOf;
using testing::HasSubstr;

struct Form : testing::Test {
  Form() {
    form.resize(760, 900);
    form.show();
    form.fill({{}, folder.path().string(), {}});
  }
  template <class T>
  T* part(const char* name) {
    return form.findChild<T*>(name);
  }
  void type(const char* name, const QString& text) { typeInto(form, name, text); }
  std::string complaint(const char* name) { return part<views::MarkedField>(name)->complaint().toStdString(); }
  std::string line() { return part<QLabel>("commandLine")->text().toStdString(); }

  test::TemporaryFolder folder;
  views::RecordForm form{recorderWords()};
};

TEST_F(Form, WhatIsWrongStandsAtItsField) {
  type("program", "true 'a");
  EXPECT_EQ(complaint("program"), "' is not closed (at letter 6)");
  type("program", "true");
  EXPECT_TRUE(form.isComplete());
  type("delay", "soon");
  type("duration", "0");
  type("gpu-metrics-devices", "first");
  type("env-var", "A=1 B");
  EXPECT_EQ(complaint("delay"), "soon; it is a number of seconds");
  EXPECT_EQ(complaint("gpu-metrics-devices"),
            "first; it is numbers of GPUs, all, cuda-visible or none; see --gpu-metrics-devices=help");
  EXPECT_EQ(complaint("duration"), "0; it is more than 0 seconds");
  EXPECT_EQ(complaint("env-var"), "B; it is NAME=VALUE");
  EXPECT_FALSE(form.isComplete());
  for (const char* name : {"delay", "duration", "gpu-metrics-devices", "env-var"}) type(name, "");
  EXPECT_TRUE(form.isComplete());
  type("output", "");
  EXPECT_THAT(complaint("output"), HasSubstr("the value is missing"));
  type("output", "%z");
  EXPECT_TRUE(runUntil([&] { return complaint("output").find("%z") != std::string::npos; })) << complaint("output");
}

TEST_F(Form, ARangeNeedsItsName) {
  type("program", "true");
  EXPECT_FALSE(part<views::MarkedField>("nvtx-capture")->isEnabled());
  part<QComboBox>("range")->setFocus();
  QTest::keyClick(part<QComboBox>("range"), Qt::Key_End);
  EXPECT_THAT(complaint("nvtx-capture"), HasSubstr("the value is missing"));
  EXPECT_FALSE(part<views::MarkedField>("delay")->isEnabled()) << "the range says when to begin";
  type("nvtx-capture", "step");
  EXPECT_EQ(complaint("nvtx-capture"), "");
  EXPECT_THAT(line(), HasSubstr("--capture-range=nvtx --nvtx-capture=step true"));
}

TEST_F(Form, TheLineToTypeFollowsAndIsCopied) {
  type("program", "python3 'my train.py'");
  type("env-var", "A=1 B='x y'");
  clickBox(form, "memory");
  const std::string said = line();
  EXPECT_THAT(said, AllOf(HasSubstr("'--env-var=B=x y' --cuda-memory-usage=true python3 'my train.py'"),
                          HasSubstr("cd " + folder.path().string() + " && lanescope profile --env-var=A=1")));
  QTest::mouseClick(part<QPushButton>("copyLine"), Qt::LeftButton);
  EXPECT_EQ(QGuiApplication::clipboard()->text().toStdString(), said);
}

TEST_F(Form, TheCpuSideIsOfferedAndCanBeLeftOut) {
  type("program", "true");
  for (const char* box :
       {"samples", "switches", "python", "pythonOfCalls", "trace-osrt", "trace-mpi", "trace-cublas", "trace-nccl"})
    EXPECT_TRUE(part<QCheckBox>(box)->isEnabled()) << box;
  EXPECT_TRUE(part<QCheckBox>("samples")->isChecked()) << "as lanescope profile does";
  EXPECT_TRUE(part<QCheckBox>("switches")->isChecked());
  clickBox(form, "samples");
  clickBox(form, "switches");
  clickBox(form, "trace-osrt");
  clickBox(form, "python");
  clickBox(form, "pythonOfCalls");
  EXPECT_THAT(line(), HasSubstr("--trace=cuda,nvtx,osrt --sample=none --cpuctxsw=none --python-sampling=true "
                                "--python-backtrace=cuda"));
}

TEST(RecordForm, WhatIsNotRecordedYetIsGreyWithTheReason) {
  views::RecorderWords words = recorderWords();
  words.traces.push_back({"vulkan", "Vulkan", false});
  words.works = [](std::string_view option) { return option != "sample"; };
  const views::RecordForm form(std::move(words));
  const auto box = [&](const char* name) { return form.findChild<QCheckBox*>(name); };
  EXPECT_FALSE(box("samples")->isEnabled());
  EXPECT_TRUE(box("samples")->toolTip().endsWith("not recorded yet"));
  EXPECT_TRUE(box("switches")->isEnabled());
  EXPECT_FALSE(box("trace-vulkan")->isEnabled());
  EXPECT_EQ(box("trace-vulkan")->toolTip(), "Vulkan: not recorded yet");
}

TEST_F(Form, WhatFewNeedOfTheCpuUnfoldsAndStandsInTheLine) {
  type("program", "true");
  EXPECT_FALSE(part<QComboBox>("scope")->isVisible());
  QTest::mouseClick(part<QToolButton>("moreOfTheCpu"), Qt::LeftButton);
  ASSERT_TRUE(part<QComboBox>("scope")->isVisible());
  EXPECT_FALSE(part<views::MarkedField>("osrt-threshold")->isEnabled()) << "no such calls are recorded";
  clickBox(form, "trace-osrt");
  clickBox(form, "trace-cusolver");
  clickBox(form, "trace-cusparse");
  type("osrt-threshold", "0");
  type("sampling-frequency", "50");
  EXPECT_THAT(complaint("sampling-frequency"), HasSubstr("50"));
  type("sampling-frequency", "4000");
  EXPECT_EQ(complaint("sampling-frequency"), "");
  QTest::keyClick(part<QComboBox>("scope"), Qt::Key_Down);
  QTest::keyClick(part<QComboBox>("backtrace"), Qt::Key_Down);
  EXPECT_THAT(line(), HasSubstr("--trace=cuda,nvtx,osrt,cusolver,cusparse --osrt-threshold=0 --sample=system-wide "
                                "--sampling-frequency=4000 --backtrace=fp true"));
  clickBox(form, "samples");
  EXPECT_THAT(line(), HasSubstr("--sample=none --cpuctxsw=system-wide true"));
}

TEST_F(Form, TheWheelScrollsItAndChangesNothingOnItsWay) {
  auto* range = part<QComboBox>("range");
  const auto isLeftToTheForm = [range] {
    const QPointF at = range->rect().center();
    QWheelEvent turn(at, range->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(range, &turn);
    return !turn.isAccepted();
  };
  EXPECT_TRUE(isLeftToTheForm());
  EXPECT_EQ(range->currentIndex(), 0);
  EXPECT_EQ(range->focusPolicy(), Qt::StrongFocus) << "nor does the wheel give it the keyboard";
  form.activateWindow();
  range->setFocus();
  ASSERT_TRUE(runUntil([range] { return range->hasFocus(); }));
  EXPECT_FALSE(isLeftToTheForm());
  EXPECT_EQ(range->currentIndex(), 1) << "with the keyboard it is meant";
}

TEST_F(Form, WhatIsWrongWithAHalfTypedProgramMovesNothing) {
  const auto* below = part<QComboBox>("range");
  const int before = below->mapTo(&form, QPoint()).y();
  type("program", "sh -c 'true");
  QApplication::processEvents();
  EXPECT_NE(complaint("program"), "");
  EXPECT_EQ(below->mapTo(&form, QPoint()).y(), before);
}

TEST_F(Form, WhatTheReportBecomesAndWhatTheDiskLacksAreFoundOut) {
  type("program", "true");
  type("output", "run-%p");
  auto* preview = part<QLabel>("preview");
  const QString expected = QString::fromStdString("Becomes " + (folder / "run-‹process›.rep").string());
  EXPECT_TRUE(runUntil([&] { return preview->text() == expected; })) << preview->text().toStdString();
  test::writeFile(folder / "taken.rep", "x");
  type("output", "taken");
  EXPECT_TRUE(runUntil([&] { return complaint("output").find("taken.rep") != std::string::npos; }));
  type("program", "no-such-program");
  EXPECT_TRUE(runUntil([&] { return complaint("program").find("no-such-program") != std::string::npos; }));
  type("program", "A=1 true");
  EXPECT_TRUE(
      runUntil([&] { return complaint("program") == "A=1 is a variable; it belongs into the field Environment"; }));
  type("folder", "/no/such");
  EXPECT_TRUE(runUntil([&] { return complaint("folder") == "/no/such: no such folder; check the path"; }));
}

TEST_F(Form, PresetsFillWhatAndWhen) {
  type("program", "serve");
  for (QToolButton* button : form.findChildren<QToolButton*>()) {
    if (button->text() == "Training loop") QTest::mouseClick(button, Qt::LeftButton);
  }
  EXPECT_THAT(line(), HasSubstr("profile --cuda-memory-usage=true --delay=30 --duration=20 --kill=sigterm serve"));
}

}  // namespace
}  // namespace lanescope::ui
