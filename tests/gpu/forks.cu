// SPDX-License-Identifier: Apache-2.0
// Two children by fork without exec, each with a context and 100 kernels of its own; the parent never touches CUDA.
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

__global__ void one(float* p) { p[threadIdx.x] += 1.f; }

static int child() {
  float* data = nullptr;
  if (cudaMalloc(&data, 4096) != cudaSuccess) return 1;
  for (int i = 0; i < 100; ++i) one<<<1, 32>>>(data);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

int main() {
  int failed = 0;
  for (int i = 0; i < 2; ++i) {
    if (fork() == 0) return child();
  }
  for (int i = 0; i < 2; ++i) {
    int status = 0;
    wait(&status);
    failed += status != 0;
  }
  std::printf("EXPECT processes=2 kernels=100 failed=%d\n", failed);
  return failed;
}
