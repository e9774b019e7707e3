// SPDX-License-Identifier: Apache-2.0
// FILE as an address, against a real server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/version.h"
#include "tests/app/cli/run_program.h"
#include "tests/support/report_builder.h"
#include "tests/support/ssh_server.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using test::K;
using test::R;
using test::SshServer;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class RemoteFile : public testing::Test {
 protected:
  void SetUp() override { LANESCOPE_NEEDS_SSHD(); }

  /// Of a server that has the reports, and the commands of `programs` (a folder) but no others of ours.
  void serve(const std::string& programs = "") {
    server_.emplace("SetEnv PATH=" + (programs.empty() ? "" : programs + ":") +
                    "/usr/bin:/bin ASAN_OPTIONS=detect_leaks=0");
    for (const char* name : {"a.rep", "b c.rep"})
      test::ReportBuilder(*server_ / name)
          .add(R{.start = 0, .end = 5, .correlation = 7})
          .add(K{.start = 10, .end = 20, .correlation = 7, .name = "gemm"})
          .write();
    use(*server_, "");
  }

  void use(const SshServer& server, const std::string& configuration) {
    setenv("LANESCOPE_SSH", server.program(configuration).c_str(), 1);
  }

  void TearDown() override { unsetenv("LANESCOPE_SSH"); }

  std::string address(const std::string& name) const { return "'" + server_->target(*server_ / name).address() + "'"; }

  std::vector<fs::path> kept() const {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(*server_ / "cache/lanescope/remote", none))
      if (entry.path().parent_path().filename() == "file") files.push_back(entry.path());
    return files;
  }

  test::TemporaryFolder folder_;
  std::optional<SshServer> server_;
};

TEST_F(RemoteFile, EveryCommandReadsIt) {
  serve();
  const Outcome info = run(folder_, "info " + address("a.rep"));
  EXPECT_EQ(info.status, 0) << info.err;
  EXPECT_THAT(info.out, testing::StartsWith(server_->target(*server_ / "a.rep").address() + "\n"));
  EXPECT_THAT(info.err, IsEmpty());
  EXPECT_EQ(kept().size(), 1u);
  const Outcome stats =
      run(folder_, "stats --per-rank -r cuda_gpu_kern_sum " + address("a.rep") + " " + address("b c.rep"));
  EXPECT_EQ(stats.status, 0) << stats.err;
  EXPECT_THAT(stats.out, AllOf(HasSubstr("gemm"), HasSubstr("\n a.rep"), HasSubstr("\n b%20c.rep")));
  const Outcome analyze = run(folder_, "analyze " + address("a.rep"));
  EXPECT_EQ(analyze.status, 0);
  EXPECT_THAT(analyze.out, HasSubstr("Processing [ssh://lanescope-test/"));
  EXPECT_EQ(run(folder_, "report -o page.html " + address("a.rep")).status, 0);
  EXPECT_THAT(test::readFile(folder_ / "page.html"), Not(HasSubstr("cache/lanescope")));
}

TEST_F(RemoteFile, WhatIsNamedAfterItLiesInTheWorkingFolder) {
  serve();
  EXPECT_EQ(run(folder_, "stats -r cuda_gpu_kern_sum -f csv -o . " + address("a.rep")).status, 0);
  const Outcome exported = run(folder_, "export -t json " + address("a.rep"));
  EXPECT_EQ(exported.status, 0) << exported.err;
  EXPECT_THAT(folder_.names(), testing::IsSupersetOf({"a.json", "a_cuda_gpu_kern_sum.csv"}));
}

TEST_F(RemoteFile, AChangedOneIsFetchedAnewAndSaid) {
  serve();
  ASSERT_EQ(run(folder_, "info " + address("a.rep")).status, 0);
  test::ReportBuilder(*server_ / "a.rep").add(K{.start = 10, .end = 20, .name = "other"}).write();
  const Outcome again = run(folder_, "stats -q -r cuda_gpu_kern_sum " + address("a.rep"));
  EXPECT_EQ(again.status, 0);
  EXPECT_THAT(again.out, HasSubstr("other"));
  EXPECT_THAT(again.err, HasSubstr("a.rep: it changed since it was last fetched; this is the new one\n"));
}

TEST_F(RemoteFile, WhatGoesWrongIsOneLineAndThree) {
  serve();
  const auto failed = [&](const std::string& words) {
    const Outcome outcome = run(folder_, words);
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(failed("info " + address("none.rep")), HasSubstr("none.rep: there is no such file; "));
  test::writeFile(*server_ / "a.rep-wal", "pages");
  EXPECT_THAT(failed("stats " + address("a.rep")), HasSubstr("it is still being written (a.rep-wal lies beside it)"));
  const Outcome full = run(folder_, "info " + address("b c.rep"), " >.out", "ulimit -f 1; ");
  EXPECT_EQ(full.status, 3) << full.err;
  EXPECT_THAT(full.err, HasSubstr("ulimit -f"));
  EXPECT_THAT(kept(), IsEmpty());
  server_->kill();
  EXPECT_THAT(failed("export -t json " + address("b c.rep")), HasSubstr("the server cannot be reached ("));
  server_->changeHostKey();
  server_->start();
  EXPECT_THAT(failed("info " + address("b c.rep")),
              HasSubstr("the server's key is another than the one that is known"));

  EXPECT_EQ(run(folder_, "info ssh://-oProxyCommand=id/x").status, 2);
  EXPECT_THAT(run(folder_, "info ssh://host").err, HasSubstr("lanescope: "));
  server_->kill();
}

TEST_F(RemoteFile, WhatIsNoReportIsNamedByItsAddress) {
  serve();
  test::writeFile(*server_ / "x.rep", "no report");
  const Outcome outcome = run(folder_, "info " + address("x.rep"));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("lanescope: " + server_->target(*server_ / "x.rep").address() + ": is neither a .rep"));
}

TEST_F(RemoteFile, WhereLanescopeIsOnlyTheAnswerTravels) {
  serve(fs::path(LANESCOPE_PROGRAM).parent_path());
  const Outcome stats = run(folder_, "stats -r cuda_gpu_kern_sum " + address("b c.rep") + " " + address("a.rep"));
  EXPECT_EQ(stats.status, 0) << stats.err;
  EXPECT_THAT(stats.out, HasSubstr("gemm"));
  EXPECT_THAT(kept(), IsEmpty());
  EXPECT_EQ(run(folder_, "analyze -r gpu_gaps --fail-on gpu_gaps:0 " + address("a.rep")).status,
            run(folder_, "analyze -r gpu_gaps --fail-on gpu_gaps:0 '" + (*server_ / "a.rep").string() + "'").status);
  EXPECT_THAT(run(folder_, "info --json " + address("a.rep")).out,
              run(folder_, "info --json '" + (*server_ / "a.rep").string() + "'").out);
  EXPECT_THAT(kept(), IsEmpty());
  EXPECT_EQ(run(folder_, "stats -r cuda_gpu_kern_sum -f csv -o out " + address("a.rep")).status, 0);
  EXPECT_TRUE(fs::exists(folder_ / "out_cuda_gpu_kern_sum.csv")) << "files are written here";
}

TEST_F(RemoteFile, WhatRunsThereNamesAddresses) {
  serve(fs::path(LANESCOPE_PROGRAM).parent_path());
  const std::string a = server_->target(*server_ / "a.rep").address(),
                    b = server_->target(*server_ / "b c.rep").address(), path = (*server_ / "").string();
  const Outcome info = run(folder_, "info " + address("a.rep") + " " + address("b c.rep"));
  EXPECT_THAT(info.out, AllOf(testing::StartsWith(a + "\n"), HasSubstr(b + "\n"), Not(HasSubstr("\n" + path))));
  EXPECT_THAT(run(folder_, "stats -r cuda_gpu_kern_sum " + address("a.rep")).out, HasSubstr("Processing [" + a + "]"));
  EXPECT_THAT(run(folder_, "analyze -r gpu_gaps " + address("a.rep")).out, HasSubstr("Processing [" + a + "]"));
  test::writeFile(*server_ / "x.rep", "no report");
  const Outcome none = run(folder_, "info " + address("x.rep"));
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, testing::StartsWith("lanescope: " + server_->target(*server_ / "x.rep").address() + ": is"));
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(RemoteFile, WhatVanishesBeforeTheCommandThereIsOneLineAndThree) {
  // One that removes it between the look at it and the command.
  test::writeFile(folder_ / "lanescope",
                  "#!/bin/sh\n[ \"$1\" = --version ] || rm -f -- \"$2\"\nexec '" LANESCOPE_PROGRAM "' \"$@\"\n");
  fs::permissions(folder_ / "lanescope", fs::perms::owner_all);
  serve(folder_.path());
  for (const char* command : {"info ", "stats ", "analyze "}) {
    test::ReportBuilder(*server_ / "a.rep").add(K{.start = 10, .end = 20, .name = "gemm"}).write();
    const Outcome gone = run(folder_, command + address("a.rep"));
    EXPECT_EQ(gone.status, 3) << gone.err;
    EXPECT_EQ(gone.err, "lanescope: " + server_->target(*server_ / "a.rep").address() +
                            ": there is no such file; check the path; it may have been moved or removed\n");
  }
}

TEST_F(RemoteFile, WhereAnotherLanescopeIsTheFileComesOver) {
  test::writeFile(folder_ / "lanescope", "#!/bin/sh\necho lanescope 0.0.1\n");
  fs::permissions(folder_ / "lanescope", fs::perms::owner_all);
  serve(folder_.path());
  const Outcome info = run(folder_, "info " + address("a.rep"));
  EXPECT_EQ(info.status, 0) << info.err;
  EXPECT_THAT(info.out, HasSubstr("ssh://lanescope-test"));
  EXPECT_EQ(kept().size(), 1u);
}

}  // namespace
}  // namespace lanescope::cli
