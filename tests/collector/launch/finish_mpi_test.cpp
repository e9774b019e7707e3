// SPDX-License-Identifier: Apache-2.0
// Calls of MPI of a session folder made by hand: each kind in its table, and the rank as the name of the process.
#include <gmock/gmock.h>

#include "tests/collector/launch/finish_fixture.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;
using wire::MpiCallKind;
using wire::RecordType;

class FinishMpi : public FinishFixture {
 protected:
  static void call(test::StreamBuilder& stream, MpiCallKind kind, const char* name, wire::MpiCall record) {
    record.start += kZero, record.end += kZero;
    record.name = stream.text(name);
    stream.record(RecordType::kMpiCall, record, static_cast<std::uint32_t>(kind));
  }
};

TEST_F(FinishMpi, EachKindHasItsTable) {
  auto stream = process();
  stream.thread(101);
  wire::MpiRank rank;
  rank.rank = 2, rank.size = 4;
  stream.record(RecordType::kMpiRank, rank);
  call(stream, MpiCallKind::kOther, "MPI_Init", {.start = 1, .end = 2});
  call(stream, MpiCallKind::kPointToPoint, "MPI_Isend",
       {.start = 3, .end = 4, .communicator = 7, .request = 9, .bytes = 400, .tag = 42, .remote = 3, .knows = 7});
  call(stream, MpiCallKind::kPointToPoint, "MPI_Recv", {.start = 4, .end = 5, .tag = -1, .remote = -2, .knows = 0});
  call(stream, MpiCallKind::kStartWait, "MPI_Wait", {.start = 5, .end = 6, .request = 9, .knows = 2});
  call(stream, MpiCallKind::kCollective, "MPI_Gather",
       {.start = 7, .end = 8, .communicator = 7, .received = 320, .root = 2, .knows = 9});
  stream.ended().write();
  finished();
  const std::string text = "(SELECT value FROM StringIds WHERE id = textId)";
  EXPECT_THAT(
      rows("SELECT start, end, " + text + ", commHandle, tag, remoteRank, size, requestHandle FROM MPI_P2P_EVENTS"),
      ElementsAre("3|4|MPI_Isend|7|42|3|400|9", "4|5|MPI_Recv|NULL|NULL|NULL|NULL|NULL"));
  EXPECT_THAT(rows("SELECT start, " + text + ", commHandle, rootRank, size, recvSize FROM MPI_COLLECTIVES_EVENTS"),
              ElementsAre("7|MPI_Gather|7|2|NULL|320"));
  EXPECT_THAT(rows("SELECT start, " + text + ", requestHandle FROM MPI_START_WAIT_EVENTS"),
              ElementsAre("5|MPI_Wait|9"));
  EXPECT_THAT(rows("SELECT start, " + text + " FROM MPI_OTHER_EVENTS"), ElementsAre("1|MPI_Init"));
  EXPECT_THAT(rows("SELECT globalTid & 0xFFFFFF, rank FROM MPI_RANKS"), ElementsAre("101|2"));
  EXPECT_THAT(rows("SELECT value FROM META_DATA_CAPTURE WHERE name LIKE '%:MPI_RANK'"), ElementsAre("2"));
  EXPECT_EQ(result_.events, 5u);
}

}  // namespace
}  // namespace lanescope::launch
