// SPDX-License-Identifier: Apache-2.0
// Runs `lanescope export`: what it writes where, what it refuses, how it ends.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/app/cli/run_program.h"
#include "tests/support/report_builder.h"

namespace lanescope::cli {
namespace {

using test::K;
using test::N;
using test::ReportBuilder;
using test::TemporaryFolder;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class ExportCommand : public testing::Test {
 protected:
  ExportCommand() {
    ReportBuilder(folder / "a.sqlite")
        .add(K{.start = 1000, .end = 2000, .name = "first"})
        .add(K{.start = 5000, .end = 6000, .name = "second"})
        .add(N{.start = 4000, .end = 7000, .text = "step"})
        .write();
  }
  Outcome exported(const std::string& arguments, const std::string& redirect = " >.out") {
    return run(folder, "export " + arguments, redirect);
  }

  TemporaryFolder folder;
};

TEST_F(ExportCommand, NamesTheOutputAfterTheInput) {
  for (const char* type : {"json", "chrome", "jsonlines", "csv", "text"}) {
    const Outcome done = exported(std::string("-t ") + type + " a.sqlite");
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(done.out, "");
    EXPECT_TRUE(done.err.starts_with("lanescope: written to a")) << done.err;
  }
  for (const char* name : {"a.json", "a.trace.json", "a.jsonl", "a_csv", "a.txt"})
    EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
}

TEST_F(ExportCommand, WritesToStandardOutputAndIsQuiet) {
  const Outcome done = exported("-q --type=jsonlines -o - a.sqlite");
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.out, HasSubstr("\"demangledName\": \"first\""));
  EXPECT_EQ(done.err, "");
  EXPECT_EQ(exported("-t csv -o - a.sqlite").err,
            "lanescope: -o -: csv cannot go to standard output; name a file with -o\n");
}

TEST_F(ExportCommand, ReplacesNothingUnaskedAndNeverTheReport) {
  test::writeFile(folder / "a.json", "mine");
  const Outcome refused = exported("-t json a.sqlite");
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err,
            "lanescope: a.json: already exists; choose another name, or overwrite it with --force-overwrite\n");
  EXPECT_EQ(test::readFile(folder / "a.json"), "mine");
  EXPECT_EQ(exported("-f true -t json a.sqlite").status, 0);
  EXPECT_NE(test::readFile(folder / "a.json"), "mine");
  EXPECT_EQ(exported("-f -t json a.sqlite").status, 0);
  EXPECT_EQ(exported("-t json a.sqlite --force-overwrite=true").status, 0);
  EXPECT_EQ(exported("-t json a.sqlite -f false").status, 2);

  const std::string before = test::readFile(folder / "a.sqlite");
  for (const char* options : {"-t sqlite a.sqlite", "-f -t sqlite -o ./a.sqlite a.sqlite"}) {
    const Outcome itself = exported(options);
    EXPECT_EQ(itself.status, 2);
    EXPECT_THAT(itself.err, HasSubstr("is the report itself; name another file with -o"));
  }
  EXPECT_EQ(test::readFile(folder / "a.sqlite"), before);
}

TEST_F(ExportCommand, SaysWhichCaveatsTheReportHas) {
  ASSERT_EQ(exported("-q -t sqlite -o part.rep --filter-time 0/3us a.sqlite").status, 0);
  for (const char* type : {"json", "jsonlines", "text", "chrome", "csv"})
    EXPECT_THAT(exported(std::string("-q -f -o out_") + type + " part.rep -t " + type).err,
                HasSubstr("part.rep: A part of a recording, 0 ns to 3.000 µs"))
        << type;
}

TEST_F(ExportCommand, AnOutputWithoutANameIsBadUsage) {
  EXPECT_EQ(exported("-t json -o '' a.sqlite").status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.json"));
}

TEST_F(ExportCommand, TakesTheTablesThatMatch) {
  const Outcome done = exported("-q -t csv --tables kernel,^nothing --lazy false --include-blobs=true a.sqlite");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "a_csv/CUPTI_ACTIVITY_KIND_KERNEL.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a_csv/NVTX_EVENTS.csv"));
  EXPECT_THAT(exported("-t csv --tables '[' a.sqlite").err, HasSubstr("--tables: is no expression"));
}

TEST_F(ExportCommand, StrictRefusesDamage) {
  ReportBuilder(folder / "b.sqlite").add(K{.start = 9, .end = 3}).write();
  EXPECT_EQ(exported("-t json b.sqlite").status, 0);
  const Outcome refused = exported("--strict -f -t json b.sqlite");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("b.sqlite: is damaged"));
}

TEST_F(ExportCommand, CutsAPartByTimeAndByNvtxRange) {
  ASSERT_EQ(exported("-t sqlite -o part.rep --filter-time 0/3us a.sqlite").status, 0);
  const Outcome info = run(folder, "info part.rep");
  EXPECT_THAT(info.out, HasSubstr("A part of a recording, 0 ns to 3.000 µs: 2 events outside it were left out"));
  EXPECT_THAT(exported("-q -t jsonlines -o - part.rep").out, HasSubstr("\"start\": 1000"));

  const Outcome step = exported("-q -t jsonlines -o - --filter-nvtx=step a.sqlite");
  EXPECT_THAT(step.out, HasSubstr("\"start\": 5000"));
  EXPECT_THAT(step.out, Not(HasSubstr("\"start\": 1000")));
}

TEST_F(ExportCommand, RefusesFiltersThatLeaveNothing) {
  const auto refused = [&](const char* filter) {
    const Outcome done = exported(std::string("-t json ") + filter + " a.sqlite");
    EXPECT_EQ(done.status, 2) << filter;
    return done.err;
  };
  EXPECT_EQ(refused("--filter-time 1s/2s"),
            "lanescope: a.sqlite: nothing was recorded in that time: it was recorded in 1000/7000 ns; choose a part of "
            "that\n");
  EXPECT_THAT(refused("--filter-time 2/1"), HasSubstr("ends before it begins"));
  EXPECT_THAT(refused("--filter-time 1"), HasSubstr("write [START]/[END]"));
  EXPECT_THAT(refused("--filter-nvtx nothing"), HasSubstr("has no NVTX range “nothing”"));
  EXPECT_THAT(refused("--filter-nvtx step --filter-time 0/3us"), HasSubstr("the NVTX range lies in 4000/7000 ns"));
  EXPECT_THAT(folder.names(), Not(Contains(HasSubstr("json"))));
}

TEST_F(ExportCommand, RefusesWhatIsNoTypeOrNoReport) {
  EXPECT_EQ(exported("-t hdf a.sqlite").err,
            "lanescope: hdf: no such type of export; there are: sqlite, json, chrome, jsonlines, csv, text\n");
  test::writeFile(folder / "not.rep", "text");
  const Outcome done = exported("-t json not.rep");
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.err, HasSubstr("not.rep: is neither a .rep nor"));
}

TEST_F(ExportCommand, AFullDiskEndsInThree) {
  const Outcome done = exported("-t json -o - a.sqlite", " >/dev/full");
  EXPECT_EQ(done.status, 3);
  EXPECT_EQ(done.err, "lanescope: standard output: the disk is full; free some space, or choose another place\n");
}

TEST_F(ExportCommand, WritesThroughAFifoAndLeavesItThere) {
  ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  const std::string whole = exported("-q -t json -o - a.sqlite").out;
  for (const char* options : {"-f -t json -o fifo a.sqlite", "-t json -o fifo a.sqlite"}) {
    const Outcome done = run(folder, std::string("export -q ") + options, " >.out; status=$?; wait; exit $status",
                             "{ timeout 60 cat fifo >got & }; ");
    EXPECT_EQ(done.status, 0);
    EXPECT_EQ(test::readFile(folder / "got"), whole);
    EXPECT_TRUE(std::filesystem::is_fifo(folder / "fifo"));
  }
  for (const auto& [type, wanted] : {std::pair("sqlite", "file"), {"csv", "folder"}}) {
    const Outcome refused = exported(std::string("-f -o fifo a.sqlite -t ") + type);
    EXPECT_EQ(refused.status, 3);
    EXPECT_EQ(refused.err, std::string("lanescope: fifo: cannot be written (a FIFO where a ") + wanted +
                               " is wanted); choose another place\n");
  }
}

TEST_F(ExportCommand, ReplacesWhatALinkStandsFor) {
  test::writeFile(folder / "target.json", "mine");
  std::filesystem::create_symlink("target.json", folder / "link");
  EXPECT_EQ(exported("-t json -o link a.sqlite").status, 2);
  EXPECT_EQ(exported("-f -t json -o link a.sqlite").status, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_THAT(test::readFile(folder / "target.json"), HasSubstr("first"));
}

TEST_F(ExportCommand, ALimitOnFileSizesEndsInThreeAndLeavesNothing) {
  for (const char* type : {"json", "chrome", "csv", "sqlite"}) {
    const Outcome done = run(folder, std::string("export -o out a.sqlite -t ") + type, " >.out", "ulimit -f 1; ");
    EXPECT_EQ(done.status, 3) << type;
    EXPECT_EQ(done.err,
              "lanescope: out: grows beyond the limit on file sizes (ulimit -f); free some space, or choose another "
              "place\n");
    EXPECT_THAT(folder.names(), Not(Contains(HasSubstr("partial"))));
  }
}

TEST_F(ExportCommand, LeavesNothingHalfWritten) {
  const Outcome done = exported("-t json -o missing/a.json a.sqlite");
  EXPECT_EQ(done.status, 3);
  EXPECT_THAT(done.err, HasSubstr("missing/a.json: cannot be written"));
  EXPECT_THAT(folder.names(), Not(Contains(HasSubstr("partial"))));
}

}  // namespace
}  // namespace lanescope::cli
