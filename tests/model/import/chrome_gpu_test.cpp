// SPDX-License-Identifier: Apache-2.0
// What GPUs did, and whose it was.
#include "tests/model/import/chrome_text.h"

namespace lanescope::imported {
namespace {

using trace::EventKind;

TEST(ChromeGpu, KernelsThatOverlapOnAStreamStayAsTheyAre_IMP01) {
  Recording recording = readEntries(R"j(
    {"ph":"X","cat":"kernel","name":"A","pid":0,"tid":7,"ts":3,"dur":3.776},
    {"ph":"X","cat":"kernel","name":"B","pid":0,"tid":7,"ts":5,"dur":2})j");
  EXPECT_EQ(recording.format, "kineto");
  EXPECT_EQ(told(recording), (Lines{"kernel A 3000+3776 on 0/GPU 0/0/7", "kernel B 5000+2000 on 0/GPU 0/0/7"}));

  const auto trace = toTrace(std::move(recording), {}, {});
  ASSERT_TRUE(trace);
  ASSERT_EQ((*trace)->lanes.size(), 2U);
  EXPECT_EQ((*trace)->laneInfo[0].stream, (*trace)->laneInfo[1].stream);
}

TEST(ChromeGpu, EpochTimesAreExact_IMP03) {
  EXPECT_EQ(
      told(readEntries(R"j(
    {"ph":"X","cat":"kernel","name":"A","pid":0,"tid":7,"ts":1682666453031165.466,"dur":1.376},
    {"ph":"X","cat":"kernel","name":"B","pid":0,"tid":7,"ts":"1682666453031166.842","dur":1.0})j")),
      (Lines{"kernel A 1682666453031165466+1376 on 0/GPU 0/0/7", "kernel B 1682666453031166842+1000 on 0/GPU 0/0/7"}));
}

TEST(ChromeGpu, WorkWithoutTimesIsKeptForWhoTakesItIn_IMP05) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":1615207264505000,"dur":6},
    {"ph":"X","cat":"kernel","name":"A","pid":0,"tid":7,"ts":0,"dur":0},
    {"ph":"X","cat":"kernel","name":"A","pid":0,"tid":7,"ts":1615207264505100,"dur":50})j");
  EXPECT_EQ(told(recording),
            (Lines{"CUDA API cudaLaunchKernel 1615207264505000000+6000 on 9/9", "kernel A 0+0 on 9/GPU 0/0/7",
                   "kernel A 1615207264505100000+50000 on 9/GPU 0/0/7"}));
}

TEST(ChromeGpu, WaitsAreNoWork_IMP14) {
  Recording recording = readEntries(R"j(
    {"ph":"X","cat":"cuda_sync","name":"Stream Sync","pid":0,"tid":7,"ts":100,"dur":800,
     "args":{"device":0,"stream":7,"context":1}},
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":200,"dur":600,"args":{"device":0,"stream":7,"context":1}})j");
  EXPECT_EQ(told(recording),
            (Lines{"synchronization Stream Sync 100000+800000 on 0/GPU 0", "kernel k 200000+600000 on 0/GPU 0/1/7"}));
}

TEST(ChromeGpu, ZeroLengthsStayOnTheirStream_IMP43) {
  Recording recording = readEntries(R"j(
    {"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":0.1,"dur":0},
    {"ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,"ts":0.1,"dur":0.1},
    {"ph":"X","cat":"kernel","name":"c","pid":0,"tid":7,"ts":0.2,"dur":0})j");
  const auto trace = toTrace(std::move(recording), {}, {});
  ASSERT_TRUE(trace);
  ASSERT_EQ((*trace)->lanes.size(), 1U);
  EXPECT_EQ((*trace)->lanes[0]->size(), 3U);
}

TEST(ChromeGpu, TheCategoryDecidesAndNotThePid_IMP26) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","cat":"cpu_op","name":"op","pid":0,"tid":0,"ts":1,"dur":1},
    {"ph":"X","cat":"cpu_op","name":"op","pid":0,"tid":3239786240,"ts":1,"dur":1},
    {"ph":"X","cat":"cpu_op","name":"op","pid":0,"tid":-136712896,"ts":1,"dur":1},
    {"ph":"X","cat":"cpu_op","name":"op","pid":0,"tid":"stream 7","ts":1,"dur":1},
    {"ph":"X","cat":"cpu_op","name":"op","pid":0,"tid":7,"ts":1,"dur":1},
    {"ph":"X","cat":"cpu_op","name":"op","pid":0,"tid":"7","ts":2,"dur":1},
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1})j");
  EXPECT_EQ(told(recording),
            (Lines{"NVTX range op 1000+1000 on 0/0/PyTorch", "NVTX range op 1000+1000 on 0/3239786240/PyTorch",
                   "NVTX range op 1000+1000 on 0/-136712896/PyTorch", "NVTX range op 1000+1000 on 0/stream 7/PyTorch",
                   "NVTX range op 1000+1000 on 0/7/PyTorch", "NVTX range op 2000+1000 on 0/7/PyTorch",
                   "kernel k 1000+1000 on 0/GPU 0/0/7"}));
}

TEST(ChromeGpu, AStreamCalledByATextIsThatNumberUnlessTheFileHasBoth) {
  EXPECT_EQ(told(readEntries(R"j({"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":"stream 7","ts":1,"dur":1})j")),
            (Lines{"kernel k 1000+1000 on 0/GPU 0/0/7"}));
  // Args join the two.
  EXPECT_EQ(readEntries(R"j(
    {"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":"stream 7","ts":1,"dur":1,"args":{"stream":7}},
    {"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1,"args":{"stream":7}})j")
                .streams.size(),
            1U);
  const Recording both = readEntries(R"j(
    {"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":"stream 7","ts":1,"dur":1},
    {"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1})j");
  ASSERT_EQ(both.streams.size(), 2U);
  EXPECT_EQ(both.streams[0].name, "stream 7");
  EXPECT_NE(both.streams[0].stream, 7);
  EXPECT_EQ(both.streams[1].stream, 7);
}

TEST(ChromeGpu, CopiesAreCalledByTheirDirectionAndCountedByTheirNames) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pinned -> Device)","pid":0,"tid":7,"ts":1,"dur":2,
     "args":{"device":1,"context":3,"stream":9,"bytes":100}},
    {"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pageable -> Device)","pid":0,"tid":7,"ts":4,"dur":2,
     "args":{"device":1,"context":3,"stream":9,"bytes":50}},
    {"ph":"X","cat":"Memcpy","name":"Memcpy DtoH (Device -> Pageable)","pid":0,"tid":7,"ts":7,"dur":2,
     "args":{"device":1,"context":3,"stream":9,"bytes":1}},
    {"ph":"X","cat":"gpu_memset","name":"Memset (Device)","pid":0,"tid":7,"ts":9,"dur":1,
     "args":{"device":1,"context":3,"stream":9,"bytes":4096}})j");
  EXPECT_EQ(told(recording), (Lines{"copy [CUDA memcpy Host-to-Device] 1000+2000 on 0/GPU 1/3/9",
                                    "copy [CUDA memcpy Host-to-Device] 4000+2000 on 0/GPU 1/3/9",
                                    "copy [CUDA memcpy Device-to-Host] 7000+2000 on 0/GPU 1/3/9",
                                    "memset [CUDA memset] 9000+1000 on 0/GPU 1/3/9"}));
  ASSERT_EQ(recording.tracks.size(), 3U);
  EXPECT_EQ(recording.tracks[0].copyKind, 1);
  EXPECT_EQ(recording.tracks[0].events[1].amount, 50U);
  EXPECT_EQ(recording.tracks[1].copyKind, 2);
  EXPECT_EQ(recording.tracks[2].events[0].amount, 4096U);
  const auto& copies = recording.written->copiesByName;
  ASSERT_EQ(copies.size(), 3U);
  EXPECT_EQ(copies.at("Memcpy HtoD (Pinned -> Device)").bytes, 100U);
  EXPECT_EQ(copies.at("Memcpy DtoH (Device -> Pageable)").totalNs, 2000);
}

TEST(ChromeGpu, KernelsHaveAShortLabel) {
  const auto label = [](std::string_view name) {
    const Recording recording = readEntries(R"j({"ph":"X","cat":"kernel","pid":0,"tid":7,"ts":1,"dur":1,"name":")j" +
                                            std::string(name) + "\"}");
    return std::string((*recording.names)[recording.tracks.at(0).events[0].name].label);
  };
  EXPECT_EQ(label("void at::native::(anonymous namespace)::distribution_kernel<float, 4, f<g>(int)::{lambda(long)#1}>"
                  "(long, at::Philox)"),
            "distribution_kernel");
  EXPECT_EQ(label("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
  EXPECT_EQ(label("at::cuda::(anonymous namespace)::spin_kernel(long)"), "spin_kernel");
  EXPECT_EQ(label("triton_poi_fused_add_0"), "triton_poi_fused_add_0");
  EXPECT_EQ(label("Cijk_Alik_Bljk_SB.kd"), "Cijk_Alik_Bljk_SB.kd");
  EXPECT_EQ(label("a)"), "a)");
  EXPECT_EQ(label("(x)"), "(x)");
}

TEST(ChromeGpu, DetailsAreReadWhereTheyAreAskedFor) {
  constexpr std::string_view kEntries = R"j(
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1,
     "args":{"grid":[2,3,4],"block":[32,1,1],"registers per thread":40,"shared memory":1024,"graph id":5,
             "graph node id":6}},
    {"ph":"X","cat":"gpu_memcpy","name":"Memcpy PtoP (Device -> Device)","pid":0,"tid":7,"ts":2,"dur":1,
     "args":{"fromDevice":1,"toDevice":2}})j";
  EXPECT_TRUE(readEntries(kEntries).tracks.at(0).work.empty());
  const Recording recording = readEntries(kEntries, {.details = true});
  ASSERT_EQ(recording.tracks.at(0).work.size(), 1U);
  const WorkDetails& kernel = recording.tracks[0].work[0];
  EXPECT_EQ(kernel.gridZ, 4);
  EXPECT_EQ(kernel.blockX, 32);
  EXPECT_EQ(kernel.registers, 40);
  EXPECT_EQ(kernel.staticShared, 1024);
  EXPECT_EQ(kernel.localTotal, -1);
  EXPECT_EQ(kernel.graph, 5);
  EXPECT_EQ(kernel.graphNode, 6);
  ASSERT_EQ(recording.tracks.at(1).work.size(), 1U);
  const WorkDetails& copy = recording.tracks[1].work[0];
  EXPECT_EQ(copy.sourceKind, 2);
  EXPECT_EQ(copy.sourceDevice, 1);
  EXPECT_EQ(copy.destinationDevice, 2);
}

TEST(ChromeGpu, WorkWrittenAsBeginAndEndHasNoDetails) {
  const Recording recording = readEntries(R"j(
    {"ph":"B","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1}, {"ph":"E","pid":0,"tid":7,"ts":3},
    {"ph":"X","cat":"kernel","name":"l","pid":0,"tid":7,"ts":5,"dur":1,"args":{"grid":[2,3,4]}})j",
                                          {.details = true});
  ASSERT_EQ(recording.tracks.size(), 1U);
  ASSERT_EQ(recording.tracks[0].events.size(), 2U);
  ASSERT_EQ(recording.tracks[0].work.size(), 2U);
  EXPECT_EQ(recording.tracks[0].events[0].end - recording.tracks[0].events[0].start, 1000);
  EXPECT_EQ(recording.tracks[0].work[0].gridX, 2);
  EXPECT_EQ(recording.tracks[0].work[1].gridX, -1);
}

TEST(ChromeGpu, WorkBelongsToTheOneProcessThatCallsAGpu) {
  EXPECT_EQ(told(readEntries(R"j(
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"dur":1},
    {"ph":"X","cat":"cpu_op","name":"op","pid":11,"tid":1,"ts":1,"dur":1},
    {"ph":"X","cat":"cuda_runtime","name":"cudaFree","pid":12,"tid":1,"ts":1,"dur":1})j"))[0],
            "kernel k 5000+1000 on 12/GPU 0/0/7");
  EXPECT_EQ(told(readEntries(R"j(
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"dur":1},
    {"ph":"X","cat":"Trace","name":"PyTorch Profiler (0)","pid":"Spans","tid":"PyTorch Profiler","ts":0,"dur":9},
    {"ph":"X","cat":"cpu_op","name":"op","pid":11,"tid":1,"ts":1,"dur":1})j"))[0],
            "kernel k 5000+1000 on 11/GPU 0/0/7");
}

TEST(ChromeGpu, OfSeveralCallersTheOneThatLaunchedMostOfATrack) {
  EXPECT_EQ(told(readEntries(R"j(
    {"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":5,"dur":1,"args":{"correlation":1}},
    {"ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,"ts":6,"dur":1,"args":{"correlation":5}},
    {"ph":"X","cat":"kernel","name":"c","pid":0,"tid":7,"ts":7,"dur":1,"args":{"correlation":2}},
    {"ph":"X","cat":"kernel","name":"d","pid":1,"tid":7,"ts":5,"dur":1,"args":{"correlation":5}},
    {"ph":"X","cat":"kernel","name":"e","pid":1,"tid":8,"ts":5,"dur":1},
    {"ph":"X","cat":"kernel","name":"f","pid":2,"tid":8,"ts":5,"dur":1},
    {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":11,"tid":1,"ts":1,"dur":1,"args":{"correlation":1}},
    {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":11,"tid":1,"ts":2,"dur":1,"args":{"correlation":2}},
    {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":12,"tid":1,"ts":1,"dur":1,"args":{"correlation":5}},
    {"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"lone GPU"}})j")),
            (Lines{"kernel a 5000+1000 on 11/GPU 0/0/7", "kernel b 6000+1000 on 11/GPU 0/0/7",
                   "kernel c 7000+1000 on 11/GPU 0/0/7", "kernel d 5000+1000 on 12/GPU 1/0/7",
                   "kernel e 5000+1000 on 12/GPU 1/0/8", "kernel f 5000+1000 on 2/GPU 2/0/8",
                   "CUDA API cudaLaunchKernel 1000+1000 on 11/1", "CUDA API cudaLaunchKernel 2000+1000 on 11/1",
                   "CUDA API cudaLaunchKernel 1000+1000 on 12/1"}));
}

TEST(ChromeGpu, AnnotationsOfAGpuAreRangesOfTheProcess) {
  EXPECT_EQ(told(readEntries(R"j(
    {"ph":"X","cat":"gpu_user_annotation","name":"step","pid":0,"tid":7,"ts":1,"dur":9},
    {"ph":"X","cat":"cuda_runtime","name":"cudaFree","pid":12,"tid":1,"ts":1,"dur":1})j"))[0],
            "NVTX start/end range step 1000+9000 on 12/GPU annotations, stream 7");
}

TEST(ChromeGpu, StreamsHaveTheNamesThatSayMoreThanTheirNumber) {
  const Recording recording = readEntries(R"j(
    {"ph":"M","name":"thread_name","pid":0,"tid":7,"args":{"name":"stream 7 "}},
    {"ph":"M","name":"thread_name","pid":0,"tid":8,"args":{"name":"stream 8 copies"}},
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1},
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":8,"ts":1,"dur":1})j");
  ASSERT_EQ(recording.streams.size(), 2U);
  EXPECT_EQ(recording.streams[0].name, "");
  EXPECT_EQ(recording.streams[1].name, "copies");
}

TEST(ChromeGpu, AnUnknownLengthOfWorkIsNone) {
  EXPECT_EQ(told(readEntries(R"j(
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1},
    {"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":7,"ts":1})j")),
            (Lines{"kernel k 1000+0 on 1/GPU 0/0/7", "NVTX range op 1000… on 1/7/PyTorch"}));
}

/// Golden files: counts and sums of an independent decimal reader.
TEST(ChromeGpu, OurOwnTracesOfPyTorchHoldTheirFigures) {
  LANESCOPE_NEEDS_SHARED();
  const auto read = readChrome(test::sharedFolder() / "golden/kineto/train_kineto.json.gz", {}, {});
  ASSERT_TRUE(read) << sentence(read.error());
  std::map<EventKind, std::pair<std::size_t, std::int64_t>> sums;
  std::uint64_t bytes = 0;
  for (const Track& track : read->tracks)
    for (std::size_t i = 0; i < track.events.size(); ++i) {
      ++sums[track.kind].first;
      sums[track.kind].second += track.events[i].end - track.events[i].start;
      if (track.kind == EventKind::kCopy) bytes += track.events[i].amount;
    }
  using Sum = std::pair<std::size_t, std::int64_t>;
  EXPECT_EQ(sums[EventKind::kKernel], Sum(3006, 60833720));
  EXPECT_EQ(sums[EventKind::kCopy], Sum(78, 4341074));
  EXPECT_EQ(sums[EventKind::kMemset], Sum(68, 139745));
  EXPECT_EQ(sums[EventKind::kCudaApi], Sum(10110 + 16, 165503961 + 151458));
  EXPECT_EQ(sums[EventKind::kOverhead], Sum(89, 81930285));
  EXPECT_EQ(bytes, 154142720U + 46758048U);
  ASSERT_EQ(read->gpus.size(), 1U);
  EXPECT_EQ(read->gpus[0].name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(read->links.size(), 576U);  // from forward to backward
  EXPECT_EQ(read->utcOfZero, 1790857026000000000);
}

}  // namespace
}  // namespace lanescope::imported
