// SPDX-License-Identifier: Apache-2.0
// Reports of MPI's calls and of where the CPU was.
#include <gmock/gmock.h>

#include "model/analysis/reports.h"
#include "model/analysis/table_text.h"
#include "tests/support/loaded_report.h"

namespace lanescope::analysis {
namespace {

using namespace lanescope::test;
using testing::HasSubstr;

class CpuReports : public LoadedReport {
 protected:
  CpuReports() : builder(folder / "report.sqlite") {}

  std::string csv(const char* asked, const Scope& scope = {}) {
    const ReportCall call = findReports(asked).at(0);
    if (file.empty()) file = builder.write();
    const auto trace = report::load(file, {.only = call.kinds()}, {}, Job{}).value();
    auto values = report::RowValues::open(file).value();
    const auto table = makeReport(call, *trace, values, scope);
    return table ? toText(*table, TableFormat::kCsv) : "no table: " + missingFrom(call, *trace, scope);
  }
  void message(std::int64_t start, std::int64_t end, const char* name, std::int64_t bytes) {
    builder.insert("MPI_P2P_EVENTS", {{"start", start},
                                      {"end", end},
                                      {"globalTid", gtid(1, 2)},
                                      {"textId", builder.id(name)},
                                      {"tag", std::int64_t{7}},
                                      {"remoteRank", std::int64_t{1}},
                                      {"size", bytes}});
  }
  void mpi() {
    builder.insert("MPI_RANKS", {{"globalTid", gtid(1, 2)}, {"rank", 3}});
    message(10, 20, "MPI_Send", 100), message(30, 60, "MPI_Send", 300);
    builder.insert("MPI_COLLECTIVES_EVENTS", {{"start", 100},
                                              {"end", 160},
                                              {"globalTid", gtid(1, 2)},
                                              {"textId", builder.id("MPI_Allreduce")},
                                              {"size", std::int64_t{8}},
                                              {"recvSize", std::int64_t{16}}});
    builder.insert("MPI_START_WAIT_EVENTS",
                   {{"start", 200}, {"end", 300}, {"globalTid", gtid(1, 2)}, {"textId", builder.id("MPI_Wait")}});
    builder.insert("CUBLAS_EVENTS",
                   {{"start", 1}, {"end", 2}, {"globalTid", gtid(1, 2)}, {"nameId", builder.id("gemm")}});
  }
  void sample(const char* table, std::int64_t id, std::int64_t start) {
    if (std::string_view(table) == "COMPOSITE_EVENTS")
      builder.insert(table, {{"id", id}, {"start", start}, {"globalTid", gtid(1, 2)}, {"cpuCycles", std::int64_t{1}}});
    else builder.insert(table, {{"id", id}, {"start", start}, {"globalTid", gtid(1, 2)}});
  }

  ReportBuilder builder;
  std::filesystem::path file;
};

TEST_F(CpuReports, MpiCallsAreSummedByNameAndBySource) {
  mpi();
  EXPECT_EQ(csv("mpi_event_sum"),
            "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Source,Name\n"
            "50.0,100,1,100.0,100.0,100,100,0.0,start_wait,MPI_Wait\n"
            "30.0,60,1,60.0,60.0,60,60,0.0,coll,MPI_Allreduce\n"
            "20.0,40,2,20.0,20.0,10,30,14.1,p2p,MPI_Send\n");
}

TEST_F(CpuReports, EveryMpiCallStandsWithItsMessage) {
  mpi();
  EXPECT_EQ(csv("mpi_event_trace"),
            "Start (ns),End (ns),Duration (ns),Event,Pid,Tid,Tag,Rank,PeerRank,RootRank,Size (B),CollSendSize (B),"
            "CollRecvSize (B)\n"
            "10,20,10,MPI_Send,1,2,7,3,1,,100,,\n"
            "30,60,30,MPI_Send,1,2,7,3,1,,300,,\n"
            "100,160,60,MPI_Allreduce,1,2,,3,,,,8,16\n"
            "200,300,100,MPI_Wait,1,2,,3,,,,,\n");
}

TEST_F(CpuReports, MpiMessagesAreSummedBySize) {
  mpi();
  EXPECT_EQ(csv("mpi_msg_size_sum"),
            "Total Message Volume (B),Instances,Avg (B),Med (B),Min (B),Max (B),StdDev (B),Source,Name\n"
            "400,2,200,200,100,300,141.4213562373095,p2p,MPI_Send\n"
            "16,1,16,16,16,16,0,coll_recv,MPI_Allreduce\n"
            "8,1,8,8,8,8,0,coll_send,MPI_Allreduce\n");
}

TEST_F(CpuReports, WithoutMpiThereIsNoTableOfIt) {
  builder.insert("CUBLAS_EVENTS",
                 {{"start", 1}, {"end", 2}, {"globalTid", gtid(1, 2)}, {"nameId", builder.id("gemm")}});
  EXPECT_EQ(csv("mpi_event_sum"), "no table: MPI event data");
  EXPECT_EQ(csv("mpi_event_trace"), "no table: MPI event data");
  EXPECT_EQ(csv("mpi_msg_size_sum"), "no table: MPI event data");
}

TEST_F(CpuReports, FunctionsStandBySelfAndTotalSamplesOfEachSource) {
  for (const std::int64_t id : {1, 2, 3, 4}) sample("COMPOSITE_EVENTS", id, 10 * id);
  const F main{"main", "/opt/train"}, spin{"spin", "/opt/train"};
  builder.stack("SAMPLING_CALLCHAINS", 1, {spin, main});
  builder.stack("SAMPLING_CALLCHAINS", 2, {spin, spin, main});
  builder.stack("SAMPLING_CALLCHAINS", 3, {{"forward", "/opt/net.py", 12}, {"forward", "/opt/net.py", 80}, main});
  sample("LANESCOPE_PYTHON_SAMPLES", 1, 5);
  builder.stack("LANESCOPE_PYTHON_CALLCHAINS", 1, {{"forward", "/opt/net.py", 13}});
  EXPECT_EQ(csv("lanescope_cpu_hot"),
            "Self (%),Self Samples,Total (%),Total Samples,Source,Function,Module\n"
            "50.0,2,50.0,2,CPU,spin,/opt/train\n"
            "25.0,1,25.0,1,CPU,forward,/opt/net.py\n"
            "0.0,0,75.0,3,CPU,main,/opt/train\n"
            "100.0,1,100.0,1,Python,forward,/opt/net.py\n");
  EXPECT_THAT(csv("lanescope_cpu_hot:rows=1"), HasSubstr("spin,/opt/train\n100.0"));
}

TEST_F(CpuReports, TotalIsOfTheSamplesWhoseStackWasTaken) {
  for (const std::int64_t id : {1, 2, 3, 4}) sample("COMPOSITE_EVENTS", id, 10 * id);
  builder.stack("SAMPLING_CALLCHAINS", 1, {{"spin", "/opt/train", 0, 6}, {"main", "/opt/train", 0, 6}});
  builder.stack("SAMPLING_CALLCHAINS", 2, {{"spin", "/opt/train", 0, 0}});
  builder.stack("SAMPLING_CALLCHAINS", 3, {{"read", "/opt/train", 0, 0}, {"load", "/opt/net.py", 12}});
  builder.stack("SAMPLING_CALLCHAINS", 4, {{"main", "/opt/train", 0, 6}});
  const std::string caveat = ",Total is of the 2 of 4 samples whose stack was taken\n";
  EXPECT_EQ(csv("lanescope_cpu_hot"),
            "Self (%),Self Samples,Total (%),Total Samples,Source,Function,Module,Caveat\n"
            "50.0,2,50.0,1,CPU,spin,/opt/train" +
                caveat + "25.0,1,100.0,2,CPU,main,/opt/train" + caveat + "25.0,1,0.0,0,CPU,read,/opt/train" + caveat);
}

TEST_F(CpuReports, WhereNoStackWasTakenEverySampleIsOfOneFunction) {
  for (const std::int64_t id : {1, 2}) {
    sample("COMPOSITE_EVENTS", id, 10 * id);
    builder.stack("SAMPLING_CALLCHAINS", id, {{"spin", "/opt/train", 0, 0}});
  }
  EXPECT_EQ(csv("lanescope_cpu_hot"),
            "Self (%),Self Samples,Total (%),Total Samples,Source,Function,Module\n"
            "100.0,2,100.0,2,CPU,spin,/opt/train\n");
}

TEST_F(CpuReports, SamplesOfTheProfilersOwnThreadsAreNotTheProgram) {
  builder.thread(gtid(1, 9), "lanescope-write");
  sample("COMPOSITE_EVENTS", 1, 10);
  builder.stack("SAMPLING_CALLCHAINS", 1, {{"spin", "/opt/train"}});
  builder.insert("COMPOSITE_EVENTS",
                 {{"id", 2}, {"start", 20}, {"globalTid", gtid(1, 9)}, {"cpuCycles", std::int64_t{1}}});
  builder.stack("SAMPLING_CALLCHAINS", 2, {{"write", "/opt/liblanescope-inject.so"}});
  EXPECT_EQ(csv("lanescope_cpu_hot"),
            "Self (%),Self Samples,Total (%),Total Samples,Source,Function,Module\n"
            "100.0,1,100.0,1,CPU,spin,/opt/train\n");
}

TEST_F(CpuReports, OnlySamplesInTheScopeCount) {
  for (const std::int64_t id : {1, 2}) {
    sample("COMPOSITE_EVENTS", id, 10 * id);
    builder.stack("SAMPLING_CALLCHAINS", id, {{id == 1 ? "early" : "late", "/opt/train"}});
  }
  Scope scope;
  scope.range = {15, 100};
  EXPECT_EQ(csv("lanescope_cpu_hot", scope),
            "Self (%),Self Samples,Total (%),Total Samples,Source,Function,Module\n"
            "100.0,1,100.0,1,CPU,late,/opt/train\n");
}

TEST_F(CpuReports, APartOfARecordingOfSamplesAloneMayBeAskedFor) {
  for (const std::int64_t id : {1, 2}) {
    sample("COMPOSITE_EVENTS", id, 10 * id);
    builder.stack("SAMPLING_CALLCHAINS", id, {{id == 1 ? "early" : "late", "/opt/train"}});
  }
  file = builder.write();
  const auto trace = report::load(file, {}, {}, Job{}).value();
  auto values = report::RowValues::open(file).value();
  ScopeRequest request;
  request.time = *parseTimeFilter("15ns/40ns");
  const auto scope = resolve(request, *trace, values, "a.rep");
  ASSERT_TRUE(scope) << sentence(scope.error());
  EXPECT_THAT(csv("lanescope_cpu_hot", *scope), HasSubstr("100.0,1,100.0,1,CPU,late"));
}

TEST_F(CpuReports, WithoutSamplesThereIsNoTableOfFunctions) {
  builder.add(O{.start = 1, .end = 2});
  EXPECT_EQ(csv("lanescope_cpu_hot"), "no table: CPU samples or samples of Python");
}

}  // namespace
}  // namespace lanescope::analysis
