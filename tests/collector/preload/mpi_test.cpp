// SPDX-License-Identifier: Apache-2.0
// Calls of MPI under the preloaded library, with fakes of both kinds of handles: every argument comes through, and bytes,
// ranks, tags and requests are told.
#include <gtest/gtest.h>

#include "collector/preload/mpi_table.h"
#include "tests/collector/inject/recorded.h"

namespace lanescope::test {
namespace {

using wire::RecordType;

enum Knows : std::uint32_t { kCommunicator = 1, kRequest = 2, kBytes = 4, kReceived = 8 };

class PreloadedMpi : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers bring their own";
#endif
    ASSERT_EQ(session_.run({GetParam()}, {std::string("LD_PRELOAD=") + LANESCOPE_PRELOAD_MPI}), 0) << session_.output();
    EXPECT_EQ(session_.output(), "");
    stream_ = session_.onlyStream();
    EXPECT_FALSE(stream_.missesText);
    for (const Recorded& record : stream_.all(RecordType::kMpiCall)) {
      calls_.push_back(record.as<wire::MpiCall>());
      names_.push_back(stream_.texts.at(calls_.back().name));
    }
  }

  /// The n-th of that name.
  wire::MpiCall call(const std::string& name, int n = 0) const {
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (names_[i] == name && n-- == 0) return calls_[i];
    }
    ADD_FAILURE() << "no " << name;
    return {};
  }

  TestSession session_{"trace=mpi\n"};
  Stream stream_;
  std::vector<wire::MpiCall> calls_;
  std::vector<std::string> names_;
};

TEST_P(PreloadedMpi, EveryCallOfTheProgramIsThereOnceInItsOrder) {
  EXPECT_EQ(names_,
            (std::vector<std::string>{"MPI_Init", "MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Wait", "MPI_Barrier",
                                      "MPI_Allreduce", "MPI_Gather", "MPI_Gather", "MPI_Alltoallv", "MPI_Sendrecv",
                                      "MPI_Send", "MPI_Send", "MPI_Finalize"}));
  for (std::size_t i = 0; i < calls_.size(); ++i) EXPECT_LE(calls_[i].start, calls_[i].end);
}

TEST_P(PreloadedMpi, MessagesHaveTheirBytesPeerAndTag) {
  const wire::MpiCall send = call("MPI_Send");
  EXPECT_EQ(send.header.aux, static_cast<std::uint32_t>(wire::MpiCallKind::kPointToPoint));
  EXPECT_EQ(send.bytes, 400u);
  EXPECT_EQ(send.remote, 3);
  EXPECT_EQ(send.tag, 42);
  EXPECT_EQ(send.knows, kCommunicator | kBytes);
  EXPECT_EQ(call("MPI_Recv").bytes, 160u) << "what came, not what there was room for";
  EXPECT_EQ(call("MPI_Recv").remote, 3) << "asked for from any";
  EXPECT_EQ(call("MPI_Sendrecv").bytes, 28u);
  EXPECT_EQ(call("MPI_Send", 1).bytes, 240u) << "Fortran's";
  EXPECT_EQ(call("MPI_Send", 1).tag, 9);
  EXPECT_EQ(call("MPI_Send", 2).bytes, 240u) << "of Fortran's module mpi_f08";
  EXPECT_EQ(call("MPI_Send", 2).tag, 9);
  EXPECT_EQ(call("MPI_Send").communicator, call("MPI_Barrier").communicator);
}

TEST_P(PreloadedMpi, ARequestIsTheSameWhereItBeginsAndWhereItIsWaitedFor) {
  EXPECT_EQ(call("MPI_Isend").knows & kRequest, kRequest);
  EXPECT_NE(call("MPI_Isend").request, 0u);
  EXPECT_EQ(call("MPI_Wait").request, call("MPI_Isend").request);
  EXPECT_EQ(call("MPI_Wait").header.aux, static_cast<std::uint32_t>(wire::MpiCallKind::kStartWait));
}

TEST_P(PreloadedMpi, CollectivesHaveWhatThisRankSendsAndReceives) {
  EXPECT_EQ(call("MPI_Allreduce").bytes, 100u);
  EXPECT_EQ(call("MPI_Allreduce").header.aux, static_cast<std::uint32_t>(wire::MpiCallKind::kCollective));
  const wire::MpiCall sends = call("MPI_Gather"), gathers = call("MPI_Gather", 1);
  EXPECT_EQ(sends.root, 0);
  EXPECT_EQ(sends.bytes, 80u);
  EXPECT_EQ(sends.knows & kReceived, 0u) << "of the root alone";
  EXPECT_EQ(gathers.root, 2);
  EXPECT_EQ(gathers.received, 320u);
  EXPECT_EQ(gathers.knows & kBytes, 0u) << "in place";
  EXPECT_EQ(call("MPI_Alltoallv").bytes, 40u);
  EXPECT_EQ(call("MPI_Alltoallv").received, 64u);
}

TEST_P(PreloadedMpi, TheRankInTheWholeJobIsTold) {
  ASSERT_EQ(stream_.count(RecordType::kMpiRank), 1u);
  const auto rank = stream_.all(RecordType::kMpiRank).front().as<wire::MpiRank>();
  EXPECT_EQ(rank.rank, 2);
  EXPECT_EQ(rank.size, 4);
  EXPECT_EQ(rank.communicator, call("MPI_Send").communicator);
}

INSTANTIATE_TEST_SUITE_P(Handles, PreloadedMpi, testing::Values(LANESCOPE_MPI_OF_POINTERS, LANESCOPE_MPI_OF_INTS),
                         [](const auto& test) { return test.index == 0 ? "Pointers" : "Ints"; });

}  // namespace
}  // namespace lanescope::test
