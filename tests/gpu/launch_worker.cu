// SPDX-License-Identifier: Apache-2.0
// Launches of storm.cu as asked: reads a number of launches from FIFO.in, writes what one took in ns to FIFO.out. See
// step_worker.py for why.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <nvtx3/nvToolsExt.h>
#include <string>

__global__ void tiny(float* p) { p[threadIdx.x] += 1.f; }

int main(int, char** argv) {
  float* data = nullptr;
  if (cudaMalloc(&data, 4096) != cudaSuccess) return 1;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const auto launch = [&](int count) {
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) {
      if (i % 100 == 0) nvtxRangePushA("batch");
      tiny<<<1, 32, 0, stream>>>(data);
      if (i % 100 == 99) nvtxRangePop();
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
    cudaStreamSynchronize(stream);
    return took.count() / count;
  };
  launch(1000);
  const std::string fifo = argv[1];
  std::FILE* asked = std::fopen((fifo + ".in").c_str(), "r");
  std::FILE* told = std::fopen((fifo + ".out").c_str(), "w");
  if (!asked || !told) return 1;
  std::fprintf(told, "ready\n");
  std::fflush(told);
  for (int count = 0; std::fscanf(asked, "%d", &count) == 1;) {
    launch(1000);  // whoever had the GPU before is done with it now
    std::fprintf(told, "%f\n", launch(count));
    std::fflush(told);
  }
  return 0;
}
