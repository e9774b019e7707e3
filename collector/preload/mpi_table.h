// SPDX-License-Identifier: Apache-2.0
// The calls of MPI that are led through us, a line each: CALL(name, Fortran's name, kind, what its arguments are, by their
// place). Handles and numbers go through as machine words, so that one build serves Open MPI, where handles are pointers,
// and MPICH, where they are ints; Fortran's calls have the same places, each argument by its address.
#pragma once

#include <cstdint>

namespace lanescope::preload {

enum class MpiKind : std::uint8_t { kOther, kPointToPoint, kCollective, kStartWait };

/// Places of arguments; -1 none.
struct MpiPlaces {
  std::int8_t count = -1, type = -1;  ///< of what is sent, or of what is only received
  std::int8_t received = -1, receivedType = -1;
  std::int8_t remote = -1, tag = -1, root = -1, communicator = -1;
  std::int8_t status = -1;  ///< of what was received
  std::int8_t newRequest = -1;  ///< written by the call
  std::int8_t request = -1;  ///< read before it, the first of several
  bool countPerRank = false, receivedPerRank = false;  ///< they are arrays, an element a rank
  bool toEach = false, fromEach = false;  ///< so much to each rank, from each
  bool rootSends = false, rootReceives = false;  ///< on other ranks those arguments mean nothing
};

}  // namespace lanescope::preload

// clang-format off
#define LANESCOPE_SEND .count = 1, .type = 2, .remote = 3, .tag = 4, .communicator = 5
#define LANESCOPE_REDUCE .count = 2, .type = 3, .communicator = 5

#define LANESCOPE_MPI_CALLS(CALL) \
  CALL(Init, init, kOther) \
  CALL(Init_thread, init_thread, kOther) \
  CALL(Finalize, finalize, kOther) \
  CALL(Abort, abort, kOther, .communicator = 0) \
  CALL(Send, send, kPointToPoint, LANESCOPE_SEND) \
  CALL(Bsend, bsend, kPointToPoint, LANESCOPE_SEND) \
  CALL(Ssend, ssend, kPointToPoint, LANESCOPE_SEND) \
  CALL(Rsend, rsend, kPointToPoint, LANESCOPE_SEND) \
  CALL(Isend, isend, kPointToPoint, LANESCOPE_SEND, .newRequest = 6) \
  CALL(Ibsend, ibsend, kPointToPoint, LANESCOPE_SEND, .newRequest = 6) \
  CALL(Issend, issend, kPointToPoint, LANESCOPE_SEND, .newRequest = 6) \
  CALL(Irsend, irsend, kPointToPoint, LANESCOPE_SEND, .newRequest = 6) \
  CALL(Send_init, send_init, kPointToPoint, LANESCOPE_SEND, .newRequest = 6) \
  CALL(Bsend_init, bsend_init, kPointToPoint, LANESCOPE_SEND, .newRequest = 6) \
  CALL(Ssend_init, ssend_init, kPointToPoint, LANESCOPE_SEND, .newRequest = 6) \
  CALL(Rsend_init, rsend_init, kPointToPoint, LANESCOPE_SEND, .newRequest = 6) \
  CALL(Recv, recv, kPointToPoint, LANESCOPE_SEND, .status = 6) \
  CALL(Irecv, irecv, kPointToPoint, LANESCOPE_SEND, .newRequest = 6) \
  CALL(Recv_init, recv_init, kPointToPoint, LANESCOPE_SEND, .newRequest = 6) \
  CALL(Mrecv, mrecv, kPointToPoint, .count = 1, .type = 2, .status = 4) \
  CALL(Imrecv, imrecv, kPointToPoint, .count = 1, .type = 2, .newRequest = 4) \
  CALL(Sendrecv, sendrecv, kPointToPoint, .count = 1, .type = 2, .remote = 3, .tag = 4, .communicator = 10) \
  CALL(Sendrecv_replace, sendrecv_replace, kPointToPoint, .count = 1, .type = 2, .remote = 3, .tag = 4, .communicator = 7) \
  CALL(Probe, probe, kPointToPoint, .remote = 0, .tag = 1, .communicator = 2) \
  CALL(Iprobe, iprobe, kPointToPoint, .remote = 0, .tag = 1, .communicator = 2) \
  CALL(Mprobe, mprobe, kPointToPoint, .remote = 0, .tag = 1, .communicator = 2) \
  CALL(Improbe, improbe, kPointToPoint, .remote = 0, .tag = 1, .communicator = 2) \
  CALL(Start, start, kStartWait, .request = 0) \
  CALL(Startall, startall, kStartWait, .request = 1) \
  CALL(Wait, wait, kStartWait, .request = 0) \
  CALL(Waitall, waitall, kStartWait, .request = 1) \
  CALL(Waitany, waitany, kStartWait, .request = 1) \
  CALL(Waitsome, waitsome, kStartWait, .request = 1) \
  CALL(Test, test, kStartWait, .request = 0) \
  CALL(Testall, testall, kStartWait, .request = 1) \
  CALL(Testany, testany, kStartWait, .request = 1) \
  CALL(Testsome, testsome, kStartWait, .request = 1) \
  CALL(Request_free, request_free, kOther) \
  CALL(Cancel, cancel, kOther) \
  CALL(Barrier, barrier, kCollective, .communicator = 0) \
  CALL(Bcast, bcast, kCollective, .count = 1, .type = 2, .root = 3, .communicator = 4) \
  CALL(Gather, gather, kCollective, .count = 1, .type = 2, .received = 4, .receivedType = 5, .root = 6, .communicator = 7, .fromEach = true, .rootReceives = true) \
  CALL(Gatherv, gatherv, kCollective, .count = 1, .type = 2, .root = 7, .communicator = 8) \
  CALL(Scatter, scatter, kCollective, .count = 1, .type = 2, .received = 4, .receivedType = 5, .root = 6, .communicator = 7, .toEach = true, .rootSends = true) \
  CALL(Scatterv, scatterv, kCollective, .received = 5, .receivedType = 6, .root = 7, .communicator = 8) \
  CALL(Allgather, allgather, kCollective, .count = 1, .type = 2, .received = 4, .receivedType = 5, .communicator = 6, .fromEach = true) \
  CALL(Allgatherv, allgatherv, kCollective, .count = 1, .type = 2, .received = 4, .receivedType = 6, .communicator = 7, .receivedPerRank = true) \
  CALL(Alltoall, alltoall, kCollective, .count = 1, .type = 2, .received = 4, .receivedType = 5, .communicator = 6, .toEach = true, .fromEach = true) \
  CALL(Alltoallv, alltoallv, kCollective, .count = 1, .type = 3, .received = 5, .receivedType = 7, .communicator = 8, .countPerRank = true, .receivedPerRank = true) \
  CALL(Alltoallw, alltoallw, kCollective, .communicator = 8) \
  CALL(Reduce, reduce, kCollective, .count = 2, .type = 3, .root = 5, .communicator = 6) \
  CALL(Allreduce, allreduce, kCollective, LANESCOPE_REDUCE) \
  CALL(Reduce_scatter, reduce_scatter, kCollective, .count = 2, .type = 3, .communicator = 5, .countPerRank = true) \
  CALL(Reduce_scatter_block, reduce_scatter_block, kCollective, LANESCOPE_REDUCE) \
  CALL(Scan, scan, kCollective, LANESCOPE_REDUCE) \
  CALL(Exscan, exscan, kCollective, LANESCOPE_REDUCE) \
  CALL(Ibarrier, ibarrier, kCollective, .communicator = 0, .newRequest = 1) \
  CALL(Ibcast, ibcast, kCollective, .count = 1, .type = 2, .root = 3, .communicator = 4, .newRequest = 5) \
  CALL(Igather, igather, kCollective, .count = 1, .type = 2, .received = 4, .receivedType = 5, .root = 6, .communicator = 7, .newRequest = 8, .fromEach = true, .rootReceives = true) \
  CALL(Igatherv, igatherv, kCollective, .count = 1, .type = 2, .root = 7, .communicator = 8, .newRequest = 9) \
  CALL(Iscatter, iscatter, kCollective, .count = 1, .type = 2, .received = 4, .receivedType = 5, .root = 6, .communicator = 7, .newRequest = 8, .toEach = true, .rootSends = true) \
  CALL(Iscatterv, iscatterv, kCollective, .received = 5, .receivedType = 6, .root = 7, .communicator = 8, .newRequest = 9) \
  CALL(Iallgather, iallgather, kCollective, .count = 1, .type = 2, .received = 4, .receivedType = 5, .communicator = 6, .newRequest = 7, .fromEach = true) \
  CALL(Iallgatherv, iallgatherv, kCollective, .count = 1, .type = 2, .received = 4, .receivedType = 6, .communicator = 7, .newRequest = 8, .receivedPerRank = true) \
  CALL(Ialltoall, ialltoall, kCollective, .count = 1, .type = 2, .received = 4, .receivedType = 5, .communicator = 6, .newRequest = 7, .toEach = true, .fromEach = true) \
  CALL(Ialltoallv, ialltoallv, kCollective, .count = 1, .type = 3, .received = 5, .receivedType = 7, .communicator = 8, .newRequest = 9, .countPerRank = true, .receivedPerRank = true) \
  CALL(Ialltoallw, ialltoallw, kCollective, .communicator = 8, .newRequest = 9) \
  CALL(Ireduce, ireduce, kCollective, .count = 2, .type = 3, .root = 5, .communicator = 6, .newRequest = 7) \
  CALL(Iallreduce, iallreduce, kCollective, LANESCOPE_REDUCE, .newRequest = 6) \
  CALL(Ireduce_scatter, ireduce_scatter, kCollective, .count = 2, .type = 3, .communicator = 5, .newRequest = 6, .countPerRank = true) \
  CALL(Ireduce_scatter_block, ireduce_scatter_block, kCollective, LANESCOPE_REDUCE, .newRequest = 6) \
  CALL(Iscan, iscan, kCollective, LANESCOPE_REDUCE, .newRequest = 6) \
  CALL(Iexscan, iexscan, kCollective, LANESCOPE_REDUCE, .newRequest = 6) \
  CALL(Neighbor_allgather, neighbor_allgather, kCollective, .communicator = 6) \
  CALL(Neighbor_alltoall, neighbor_alltoall, kCollective, .communicator = 6) \
  CALL(Comm_dup, comm_dup, kOther) \
  CALL(Comm_idup, comm_idup, kOther) \
  CALL(Comm_create, comm_create, kOther) \
  CALL(Comm_create_group, comm_create_group, kOther) \
  CALL(Comm_split, comm_split, kOther) \
  CALL(Comm_split_type, comm_split_type, kOther) \
  CALL(Comm_free, comm_free, kOther) \
  CALL(Cart_create, cart_create, kOther) \
  CALL(Win_create, win_create, kOther) \
  CALL(Win_allocate, win_allocate, kOther) \
  CALL(Win_allocate_shared, win_allocate_shared, kOther) \
  CALL(Win_free, win_free, kOther) \
  CALL(Win_fence, win_fence, kOther) \
  CALL(Win_lock, win_lock, kOther) \
  CALL(Win_unlock, win_unlock, kOther) \
  CALL(Win_lock_all, win_lock_all, kOther) \
  CALL(Win_unlock_all, win_unlock_all, kOther) \
  CALL(Win_flush, win_flush, kOther) \
  CALL(Win_flush_all, win_flush_all, kOther) \
  CALL(Put, put, kOther) \
  CALL(Get, get, kOther) \
  CALL(Accumulate, accumulate, kOther) \
  CALL(Get_accumulate, get_accumulate, kOther) \
  CALL(Fetch_and_op, fetch_and_op, kOther) \
  CALL(Compare_and_swap, compare_and_swap, kOther)
// clang-format on
