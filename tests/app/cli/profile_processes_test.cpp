// SPDX-License-Identifier: Apache-2.0
// `lanescope profile` of programs that are many processes: workers, ranks, several launchers at once; and how large a
// recording gets. Over a stand-in for libcupti; no GPU.
#ifdef LANESCOPE_CUDA_PROGRAM  // without CUDA there is no library to inject

#include <gmock/gmock.h>

#include "tests/app/cli/profile_fixture.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kMock = LANESCOPE_MOCK_CUPTI;
const std::string kProgram = LANESCOPE_CUDA_PROGRAM;

class ProfileOfProcesses : public Profile {
 protected:
  ProfileOfProcesses() {
    fs::create_directories(folder_ / "cuda/lib64");
    fs::create_symlink(kMock, folder_ / "cuda/lib64/libcupti.so.13");
  }
  Outcome profile(const std::string& options, const std::string& program, const std::string& before = "") {
    return run("profile " + options + " " + program, "CUDA_HOME='" + (folder_ / "cuda").string() + "' " + before);
  }
  static std::string cuda(const std::string& mode, int count = 100) {
    return "'" + kProgram + "' '" + kMock + "' " + mode + " " + std::to_string(count);
  }
  std::string query(const char* report, const std::string& sql) const {
    const auto database = report::Database::open(folder_ / report);
    if (!database) return "no report";
    std::string all;
    for (auto rows = database->prepare(sql); rows && rows->step();)
      all += (all.empty() ? "" : " ") + std::string(rows->text(0));
    return all;
  }
  std::string kernelsByProcess(const char* report) const {
    return query(report, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL GROUP BY globalPid ORDER BY 1");
  }
};

class ProfileOfWorkers : public ProfileOfProcesses, public testing::WithParamInterface<std::string> {};

TEST_P(ProfileOfWorkers, EachHasItsKernelsAndTheParentIsListedWithNone) {
  const Outcome done = profile("-o x", cuda("workers-" + GetParam()));
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(kernelsByProcess("x.rep"), "100 100");
  const std::string parent = query("x.rep", "SELECT value FROM META_DATA_CAPTURE WHERE name = 'LANESCOPE:PROGRAM_PID'");
  const std::string info = run("info x.rep").out;
  EXPECT_THAT(info, HasSubstr("  Processes       2 with events\n"));
  EXPECT_THAT(info,
              ContainsRegex("  " + parent + " +cuda_program, child of [0-9]+; ended with exit code 0; 0 kernels\n"));
  EXPECT_THAT(info, ContainsRegex("cuda_program, child of " + parent + "; ended in order; 100 kernels\n"));
  EXPECT_THAT(
      run("info --json x.rep").out,
      ContainsRegex("\"ppid\": " + parent +
                    ", \"name\": \"cuda_program\", \"rank\": \"\", \"ended\": \"ended in order\", \"kernels\": 100"));
}

INSTANTIATE_TEST_SUITE_P(Kinds, ProfileOfWorkers, testing::Values("fork", "exec", "vfork", "spawn"),
                         [](const auto& test) { return test.param; });

class ProfileOfPython : public ProfileOfProcesses, public testing::WithParamInterface<std::string> {};

TEST_P(ProfileOfPython, EachWorkerHasItsKernels) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a python without the sanitizer cannot load what is built with it";
#endif
  if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "needs python3";
  const Outcome done =
      profile("-o x", "python3 '" + (test::sourceFolder() / "tests/programs/cuda_workers.py").string() + "' " +
                          GetParam() + " '" + kMock + "' 100");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(kernelsByProcess("x.rep"), "100 100") << done.err;
  EXPECT_THAT(done.err, Not(HasSubstr("abruptly")));
}

INSTANTIATE_TEST_SUITE_P(Methods, ProfileOfPython, testing::Values("fork", "forkserver", "spawn"),
                         [](const auto& test) { return test.param; });

TEST_F(ProfileOfProcesses, ChildrenWithoutCudaLeaveNothingInTheReport) {
  const Outcome done = profile("-s none --cpuctxsw=none -o x", cuda("quiet-children"));
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(kernelsByProcess("x.rep"), "200");
  EXPECT_EQ(query("x.rep", "SELECT count(*) FROM PROCESSES"), "1");
}

TEST_F(ProfileOfProcesses, RanksUnderOneLauncherShareAReportAndAreCalledByTheirNumbers) {
  const std::string ranks = "sh -c 'for r in 0 1 2; do RANK=$r LOCAL_RANK=0 " + kProgram + " " + kMock +
                            " return 10 & done; wait; SLURM_PROCID=7 " + kProgram + " " + kMock + " kill 10; exit 3'";
  EXPECT_EQ(profile("-o x", ranks).status, 3);
  EXPECT_EQ(kernelsByProcess("x.rep"), "10 10 10 10");
  const std::string info = run("info x.rep").out;
  for (const char* rank : {"0", "1", "2"})
    EXPECT_THAT(info,
                ContainsRegex("cuda_program, rank " + std::string(rank) + ", child of [0-9]+; ended in order; 10 k"));
  EXPECT_THAT(info, ContainsRegex("cuda_program, rank 7, child of [0-9]+; ended abruptly; 10 kernels\n"));
  EXPECT_THAT(info, ContainsRegex("  [0-9]+ +[a-z]*sh, child of [0-9]+; ended with exit code 3; 0 kernels\n"));
}

TEST_F(ProfileOfProcesses, ANameForAllRanksGetsTheirNumbers) {
  for (const char* rank : {"0", "1"}) {
    const std::string variables = std::string("WORLD_SIZE=2 RANK=") + rank;
    EXPECT_THAT(profile("-o run", "true", variables).err,
                HasSubstr(std::string("one of several ranks: the report is to be run.rank") + rank + ".rep\n"));
    profile("-o own.%q{RANK}", "true", variables);
  }
  profile("-o alone", "true", "WORLD_SIZE=1 RANK=0");
  EXPECT_THAT(reports(), ElementsAre("alone.rep", "own.0.rep", "own.1.rep", "run.rank0.rep", "run.rank1.rep"));
}

TEST_F(ProfileOfProcesses, OverwritingSparesWhatOthersRecordMeanwhile) {
  test::writeFile(folder_ / "run.rep", "of yesterday");
  std::vector<pid_t> launchers;
  const std::vector<std::string> all = {"0", "1", "2", "3"};
  for (const std::string& each : all) {
    pipe(("there" + each).c_str()), pipe(("go" + each).c_str());
    launchers.push_back(
        start("profile -f true -o run sh -c 'echo >there" + each + "; read line <go" + each + "; exit " + each + "'"));
    hear(("there" + each).c_str());
  }
  for (const std::string& each : all) tell(("go" + each).c_str(), "on\n");
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(end(launchers[i]).status, static_cast<int>(i));
  ASSERT_THAT(reports(), testing::SizeIs(4));
  std::vector<std::string> codes;
  for (const std::string& report : reports()) codes.push_back(fact(report.c_str(), "LANESCOPE:EXIT_CODE"));
  EXPECT_THAT(codes, testing::UnorderedElementsAre("0", "1", "2", "3"));
  EXPECT_EQ(fact("run.rep", "LANESCOPE:EXIT_CODE"), "0") << "the one that came first";
}

TEST_F(ProfileOfProcesses, ARecordingStopsAtItsSizeAndTheProgramGoesOn) {
  const Outcome done = profile("--max-size=1M -o x", cuda("return", 100'000));
  EXPECT_EQ(done.status, 0) << done.err;
  if (fact("x.rep", "LANESCOPE:STOPPED_BY") == "program") GTEST_SKIP() << "the program was over before";
  EXPECT_EQ(fact("x.rep", "LANESCOPE:STOPPED_BY"), "max size");
  EXPECT_THAT(done.err, HasSubstr("The recording reached --max-size=1.00 MB and stopped there"));
  EXPECT_THAT(run("info x.rep").out, AllOf(ContainsRegex("the recording,? by max size"),
                                           HasSubstr("The recording reached --max-size=1.00 MB")));
}

TEST_F(ProfileOfProcesses, ARingKeepsTheLastOfAProgram) {
  // The program waits after its first launches until they are gone, then launches some more.
  const Outcome done = profile("--max-size=1M,ring -o x", cuda("until-cut", 20'000));
  if (done.status == 10) GTEST_SKIP() << "this file system makes no holes";
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(query("x.rep", "SELECT max(correlationId) FROM CUPTI_ACTIVITY_KIND_KERNEL"), "20010");
  EXPECT_EQ(query("x.rep", "SELECT min(correlationId) > 1 FROM CUPTI_ACTIVITY_KIND_KERNEL"), "1");
  EXPECT_THAT(run("info x.rep").out, HasSubstr("--max-size=1.00 MB kept the newest of the recording"));
}

}  // namespace
}  // namespace lanescope::cli

#endif
