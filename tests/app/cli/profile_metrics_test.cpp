// SPDX-License-Identifier: Apache-2.0
// `lanescope profile --gpu-metrics-devices` where the driver, NVML and CUPTI are stand-ins. The programs run until enough
// samples are on disk, never for a time.
#ifdef LANESCOPE_GPU_MOCKS
#include <gmock/gmock.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>

#include "model/report/database.h"
#include "tests/app/cli/run_program.h"

extern char** environ;

namespace lanescope::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A shell's condition: the file of GPU 0 has grown beyond its header.
constexpr const char* kUntilSampled =
    "until [ \"$(cat .*.recording/0.metrics 2>/dev/null | wc -c)\" -gt 40000 ]; do :; done";

class ProfileMetrics : public testing::Test {
 protected:
  /// As a shell reads it, behind the stand-ins' variables.
  Outcome profile(const std::string& options, const std::string& program, const std::string& variables = "") {
    test::writeFile(folder_ / "program", program + "\n");
    const std::string command = "cd '" + folder_.path().string() + "' && " + mocked(variables) +
                                " '" LANESCOPE_PROGRAM "' profile -t none -o x " + options + " sh program >.out 2>.err";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, test::readFile(folder_ / ".out"),
            test::readFile(folder_ / ".err")};
  }
  static std::string mocked(const std::string& variables) {
    return "CUDA_HOME='" LANESCOPE_GPU_MOCKS "' LD_LIBRARY_PATH='" LANESCOPE_GPU_MOCKS "/lib64' " + variables;
  }

  std::vector<std::string> rows(const std::string& sql, const char* report = "x.rep") {
    std::vector<std::string> all;
    const auto database = report::Database::open(folder_ / report);
    if (!database) return {"no report"};
    auto query = database->prepare(sql);
    if (!query) return {"no such table"};
    while (query->step()) {
      std::string row;
      for (int i = 0; i < query->columns(); ++i) row += (i > 0 ? "|" : "") + std::string(query->text(i));
      all.push_back(row);
    }
    return all;
  }
  std::string one(const std::string& sql) {
    const auto all = rows(sql);
    return all.empty() ? "none" : all[0];
  }
  /// A report without any has no table of them.
  std::vector<std::string> issues(const std::string& like, const char* report = "x.rep") {
    const auto all = rows("SELECT kind FROM LANESCOPE_ISSUES WHERE kind LIKE '" + like + "'", report);
    return all == std::vector<std::string>{"no such table"} ? std::vector<std::string>() : all;
  }
  std::string fact(const std::string& name) {
    return one("SELECT value FROM META_DATA_CAPTURE WHERE name = '" + name + "'");
  }

  test::TemporaryFolder folder_;
};

TEST_F(ProfileMetrics, SamplesFollowEachOtherFromTheStartToTheEnd) {
  const Outcome done = profile("--gpu-metrics-devices=all", std::string(kUntilSampled) + "; exit 5");
  EXPECT_EQ(done.status, 5) << done.err;
  EXPECT_EQ(fact("GPU_METRICS_OPTIONS:GPU_0:SOURCE"), "CUPTI");
  EXPECT_EQ(fact("GPU_METRICS_OPTIONS:GPU_0:CLOCK"), "CLOCK_REALTIME");
  EXPECT_EQ(fact("GPU_METRICS_OPTIONS:GPU_0:SAMPLING_FREQUENCY"), "10000");
  const std::string name = "FROM GPU_METRICS JOIN TARGET_INFO_GPU_METRICS USING (typeId, metricId) WHERE metricName = ";
  EXPECT_EQ(one("SELECT count(DISTINCT value), min(value), max(value) " + name + "'SMs Active [Throughput %]'"),
            "2|20|80");
  EXPECT_EQ(one("SELECT max(value) " + name + "'GPC Clock Frequency [MHz]'"), "1980000000");
  EXPECT_THAT(rows("SELECT DISTINCT next - timestamp FROM (SELECT timestamp, lead(timestamp) OVER (ORDER BY timestamp) "
                   "AS next FROM GPU_METRICS WHERE metricId = 0) WHERE next IS NOT NULL"),
              ElementsAre("100000"));
  EXPECT_THAT(issues("%metric%"), IsEmpty());
  EXPECT_THAT(run(folder_, "info x.rep").out, HasSubstr("GPU metrics     22, "));
}

TEST_F(ProfileMetrics, WithoutPermissionNvmlIsSampledAndOneLineSaysHowToGetMore) {
  const Outcome done =
      profile("--gpu-metrics-devices=all --gpu-metrics-frequency=20",
              "for gpu in 0 1; do until [ \"$(cat .*.recording/$gpu.metrics | wc -c)\" -gt 2500 ]; do :; done; done",
              "MOCK_GPUS=2 MOCK_PM=privileges");
  EXPECT_EQ(done.status, 0);
  const std::size_t said = done.err.find(
      "lanescope: GPU 0, 1: only utilisation, memory, clocks, power, temperature and "
      "PCIe, by NVML: cuptiPmSamplingGetCounterAvailability: "
      "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35); ");
  ASSERT_NE(said, std::string::npos) << done.err;
  EXPECT_THAT(done.err, HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
  EXPECT_EQ(done.err.find("GPU 0, 1:", said + 20), std::string::npos) << "said twice: " << done.err;
  EXPECT_THAT(rows("SELECT DISTINCT metricName, value FROM GPU_METRICS JOIN TARGET_INFO_GPU_METRICS USING (typeId, "
                   "metricId) ORDER BY metricName"),
              ElementsAre("GPU Utilization [Throughput %]|42", "Memory Clock Frequency [MHz]|2619000000",
                          "Memory Used [bytes]|1073741824", "Memory Utilization [Throughput %]|7", "Power [W]|123",
                          "SM Clock Frequency [MHz]|1980000000", "Temperature [°C]|35"));
  EXPECT_EQ(one("SELECT count(*) FROM LANESCOPE_ISSUES WHERE kind = 'gpu-metrics'"), "1");
  EXPECT_THAT(rows("SELECT DISTINCT typeId & 255 FROM GPU_METRICS ORDER BY 1"), ElementsAre("0", "1"));
}

TEST_F(ProfileMetrics, SamplesThatTheGpuOverwroteAreCountedAsLost) {
  const Outcome done = profile("--gpu-metrics-devices=0", std::string(kUntilSampled), "MOCK_PM=overflow");
  EXPECT_THAT(done.err, HasSubstr("7 samples of GPU metrics that were overwritten before they were read"));
  EXPECT_THAT(done.err, HasSubstr(", 7 lost"));
  EXPECT_THAT(done.err, HasSubstr("GPU 0: its buffer for samples was full; a lower --gpu-metrics-frequency may do"));
  EXPECT_EQ(one("SELECT count FROM LANESCOPE_ISSUES WHERE kind = 'lost-metric-samples'"), "7");
}

TEST_F(ProfileMetrics, StampsOfAnyClockEndUpOnTheTimelineOfTheReport) {
  for (const char* clock : {"monotonic", "own"}) {
    const Outcome done = profile("-f true --gpu-metrics-devices=all", kUntilSampled, std::string("MOCK_PM=") + clock);
    EXPECT_EQ(one("SELECT min(timestamp) > -1000000000 AND max(timestamp) < 1000000000 * 60 FROM GPU_METRICS"), "1")
        << clock << done.err;
    EXPECT_THAT(issues("clock-stepped"), IsEmpty());
  }
}

TEST_F(ProfileMetrics, NothingIsSampledOutsideTheCapture) {
  const Outcome done = profile("--gpu-metrics-devices=all -c cudaProfilerApi", "exit 0");
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(rows("SELECT count(*) FROM GPU_METRICS"), testing::AnyOf(ElementsAre("0"), ElementsAre("no such table")));
}

TEST_F(ProfileMetrics, EachRecordingOfASessionHasItsOwnSamples) {
  setenv("XDG_RUNTIME_DIR", folder_.path().c_str(), 1);
  // From outside: begin, wait for samples, end; twice.
  test::writeFile(folder_ / "others",
                  "set -e\nfor name in x y; do\n"
                  "  before=$(cat .*.recording/0.metrics | wc -c)\n  \"$1\" start -o $name\n"
                  "  until [ $(cat .*.recording/0.metrics | wc -c) -gt $((before + 40000)) ]; do :; done\n"
                  "  \"$1\" stop --wait\ndone\n");
  const std::string command = "cd '" + folder_.path().string() + "' && " + mocked("") +
                              " '" LANESCOPE_PROGRAM "' launch -t none --gpu-metrics-devices=all sh others '" +
                              LANESCOPE_PROGRAM "' >.out 2>.err";
  EXPECT_EQ(std::system(command.c_str()), 0) << test::readFile(folder_ / ".err");
  for (const char* report : {"x.rep", "y.rep"}) {
    EXPECT_THAT(rows("SELECT count(*) > 1000, min(timestamp) >= 0 FROM GPU_METRICS", report), ElementsAre("1|1"));
    EXPECT_THAT(rows("SELECT count(*) FROM LANESCOPE_ISSUES WHERE kind LIKE '%metric%' OR kind LIKE 'stream%'", report),
                ElementsAre("0"));
  }
}

TEST_F(ProfileMetrics, AGpuThatIsNotThereIsRefusedBeforeTheProgramStarts) {
  const Outcome done = profile("--gpu-metrics-devices=0,7", "echo ran", "MOCK_GPUS=2");
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.out, "");
  EXPECT_EQ(done.err, "lanescope: --gpu-metrics-devices: there is no GPU 7 here; see --gpu-metrics-devices=help\n");
  EXPECT_THAT(folder_.names(), Not(testing::Contains(HasSubstr("recording"))));
}

TEST_F(ProfileMetrics, WithoutAGpuTheProgramIsRecordedAllTheSame) {
  const Outcome done = profile("--gpu-metrics-devices=all", "exit 3", "MOCK_GPUS=0");
  EXPECT_EQ(done.status, 3);
  EXPECT_THAT(done.err,
              HasSubstr("lanescope: no GPU metrics: the CUDA driver finds no GPU: CUDA_ERROR_NO_DEVICE (100)"));
}

TEST_F(ProfileMetrics, HelpListsTheGpusAndTheSets) {
  const auto help = [&](const char* option) {
    const std::string command = mocked("MOCK_GPUS=2") + " '" LANESCOPE_PROGRAM "' profile --" + option + "=help >'" +
                                (folder_ / ".out").string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return test::readFile(folder_ / ".out");
  };
  EXPECT_THAT(help("gpu-metrics-devices"), HasSubstr("  1  NVIDIA Mock  PCI 0000:07:00.0\n"));
  EXPECT_THAT(help("gpu-metrics-device"), HasSubstr("  0  NVIDIA Mock  PCI 0000:06:00.0\n"));
  EXPECT_THAT(help("gpu-metrics-set"), HasSubstr("  graphics  "));
}

TEST_F(ProfileMetrics, WhenTheLauncherIsKilledTheSamplesCanBeRecoveredAndTheSamplerEnds) {
  ASSERT_EQ(mkfifo((folder_ / "never").c_str(), 0600), 0);
  test::writeFile(folder_ / "program", std::string(kUntilSampled) + "; kill -9 $PPID; read line <never\n");
  const std::string command =
      "cd '" + folder_.path().string() + "' && " + mocked("") +
      " '" LANESCOPE_PROGRAM
      "' profile -t none -o x --gpu-metrics-devices=all sh program "
      ">.out 2>.err; for d in .x.rep.*; do mv $d session; done; "
      "until tail -c 40 session/0.metrics | head -c 6 | od -An -tx1 | grep -q '4c 43 4b 31 06 00'; "
      "do :; done";
  [[maybe_unused]] const int status = std::system(command.c_str());  // returns once the file has its end
  const Outcome done = run(folder_, "recover session -o r.rep");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(rows("SELECT count(*) > 100 FROM GPU_METRICS", "r.rep"), std::vector<std::string>{"0"});
  EXPECT_THAT(issues("sampler%", "r.rep"), IsEmpty());
  test::writeFile(folder_ / "never", "\n");
}

}  // namespace
}  // namespace lanescope::cli
#endif
