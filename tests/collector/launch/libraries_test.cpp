// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/libraries.h"

#include <gmock/gmock.h>

#include "collector/launch/option_table.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

AskedLibraries asked(const std::vector<std::string>& words) { return AskedLibraries(words); }

TEST(Libraries, EachIsANameOfTraceThatIsRecorded) {
  for (const Library& library : libraries()) {
    const TraceRow* row = findTrace(library.name);
    ASSERT_NE(row, nullptr) << library.name;
    EXPECT_EQ(row->state, OptionState::kWorks) << library.name;
    EXPECT_TRUE(isLibrary(library.name));
  }
  EXPECT_TRUE(isLibrary("cublas-verbose"));
  EXPECT_FALSE(isLibrary("cuda"));
  EXPECT_FALSE(isLibrary("-verbose"));
}

TEST(Libraries, AreMadeToSpeakByVariables) {
  EXPECT_THAT(asked({"cublas", "cublas-verbose", "cudnn", "nccl", "osrt"}).variables(),
              ElementsAre(Pair("CUBLAS_NVTX_LEVEL", "2"), Pair("CUBLASLT_NVTX_LEVEL", "2"),
                          Pair("CUBLASXT_NVTX_LEVEL", "2"), Pair("CUDNN_NVTX_LEVEL", "2")));
  EXPECT_THAT(asked({}).variables(), IsEmpty());
  EXPECT_THAT(asked({"nccl", "cudnn"}).domains(), ElementsAre("NCCL", "cuDNN"));
}

TEST(Libraries, AreKnownByTheirDomains) {
  const AskedLibraries all = asked({"cudnn", "cublas", "cublas-verbose"});
  EXPECT_EQ(all.ofDomain("cuBLAS").library->name, "cublas");
  EXPECT_TRUE(all.ofDomain("cuBLAS").verbose);
  EXPECT_FALSE(all.ofDomain("cuDNN").verbose);
  EXPECT_EQ(all.ofDomain("NCCL").library, nullptr);
}

TEST(Libraries, CallsThatSetUpOthersAreToldFromThoseThatWork) {
  for (const char* call :
       {"cublasSetStream_v2", "cublasGetMathMode", "cublasLtMatmulDescCreate", "cublasLtMatrixLayoutSetAttribute",
        "cublasLtMatmulPreferenceDestroy", "cudnnSetTensorNdDescriptor", "cudnnBackendCreateDescriptor",
        "cusparseCreateDnMat", "cusolverDnXgetrf_bufferSize"}) {
    EXPECT_TRUE(setsUpOnly(call)) << call;
  }
  for (const char* call : {"cublasCreate_v2", "cublasSgemm_v2", "cublasLtMatmul", "cublasLtMatmulAlgoGetHeuristic",
                           "cublasSetMatrix", "cudnnCreate", "cudnnBackendExecute", "cudnnConvolutionForward",
                           "cudnnGetConvolutionForwardAlgorithm_v7", "cusparseSpMM", "cusolverDnSgetrf"}) {
    EXPECT_FALSE(setsUpOnly(call)) << call;
  }
}

}  // namespace
}  // namespace lanescope::launch
