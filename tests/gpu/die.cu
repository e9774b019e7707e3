// SPDX-License-Identifier: Apache-2.0
// Does N kernels and NVTX ranges, waits for all of them and 0.6 s more, and ends as its argument says: what a recording
// must hold whichever way a program goes.
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void work(float* p) { p[threadIdx.x] += 1.f; }

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "return";
  const int n = argc > 2 ? std::atoi(argv[2]) : 2000;
  float* d = nullptr;
  if (cudaMalloc(&d, 4096) != cudaSuccess) return 1;
  for (int i = 0; i < n; ++i) {
    nvtxRangePushA("step");
    work<<<1, 32>>>(d);
    nvtxRangePop();
  }
  cudaDeviceSynchronize();
  std::printf("EXPECT kernels=%d nvtx=%d\n", n, n);
  std::fflush(stdout);
  usleep(600000);
  if (!std::strcmp(how, "exit")) std::exit(3);
  if (!std::strcmp(how, "_exit")) _exit(4);
  if (!std::strcmp(how, "abort")) std::abort();
  if (!std::strcmp(how, "segv")) *(volatile int*)nullptr = 1;
  if (!std::strcmp(how, "sigterm")) kill(getpid(), SIGTERM), pause();
  if (!std::strcmp(how, "sigint")) kill(getpid(), SIGINT), pause();
  if (!std::strcmp(how, "sigkill")) kill(getpid(), SIGKILL);
  if (!std::strcmp(how, "hang")) pause();
  return 0;
}
