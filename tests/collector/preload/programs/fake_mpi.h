// SPDX-License-Identifier: Apache-2.0
// A tiny MPI of ours for tests, in the two ways that handles come: FAKE_MPI_POINTERS as Open MPI has them, else as MPICH.
// It says which functions it was called for, so that a test sees that every argument came through.
#pragma once

#ifdef FAKE_MPI_POINTERS
struct FakeHandle {
  int value;
};
using MPI_Comm = FakeHandle*;
using MPI_Datatype = FakeHandle*;
using MPI_Op = FakeHandle*;
using MPI_Request = FakeHandle*;
extern "C" FakeHandle ompi_mpi_comm_world, ompi_mpi_int, ompi_mpi_op_sum, ompi_request_null;
#define MPI_COMM_WORLD (&ompi_mpi_comm_world)
#define MPI_INT (&ompi_mpi_int)
#define MPI_SUM (&ompi_mpi_op_sum)
#define MPI_REQUEST_NULL (&ompi_request_null)
#define MPI_IN_PLACE (reinterpret_cast<void*>(1))
#else
using MPI_Comm = int;
using MPI_Datatype = int;
using MPI_Op = int;
using MPI_Request = int;
#define MPI_COMM_WORLD 0x44000000
#define MPI_INT 0x4c000405
#define MPI_SUM 0x58000003
#define MPI_REQUEST_NULL 0x2c000000
#define MPI_IN_PLACE (reinterpret_cast<void*>(-1))
#endif
struct MPI_Status {
  int fields[6];  // Open MPI has the source first, MPICH third
};
#define MPI_DATATYPE_NULL (static_cast<MPI_Datatype>(0))

// Declared as every MPI does; `X(result, name, parameters)`.
#define FAKE_MPI_FUNCTIONS(X)                                                                                        \
  X(int, Init, (int* count, char*** words))                                                                          \
  X(int, Finalize, ())                                                                                               \
  X(int, Comm_rank, (MPI_Comm comm, int* rank))                                                                      \
  X(int, Comm_size, (MPI_Comm comm, int* size))                                                                      \
  X(int, Type_size, (MPI_Datatype type, int* size))                                                                  \
  X(int, Send, (const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm))                   \
  X(int, Recv, (void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status))   \
  X(int, Isend,                                                                                                      \
    (const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request))        \
  X(int, Get_count, (const MPI_Status* status, MPI_Datatype type, int* count))                                       \
  X(int, Wait, (MPI_Request * request, MPI_Status * status))                                                         \
  X(int, Barrier, (MPI_Comm comm))                                                                                   \
  X(int, Allreduce, (const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm))            \
  X(int, Gather,                                                                                                     \
    (const void* from, int sent, MPI_Datatype sentType, void* to, int received, MPI_Datatype receivedType, int root, \
     MPI_Comm comm))                                                                                                 \
  X(int, Alltoallv,                                                                                                  \
    (const void* from, const int* sent, const int* sentAt, MPI_Datatype sentType, void* to, const int* received,     \
     const int* receivedAt, MPI_Datatype receivedType, MPI_Comm comm))                                               \
  X(int, Sendrecv,                                                                                                   \
    (const void* from, int sent, MPI_Datatype sentType, int target, int sentTag, void* to, int received,             \
     MPI_Datatype receivedType, int source, int receivedTag, MPI_Comm comm, MPI_Status* status))

#define FAKE_MPI_DECLARE(result, name, parameters) \
  extern "C" result MPI_##name parameters;         \
  extern "C" result PMPI_##name parameters;
FAKE_MPI_FUNCTIONS(FAKE_MPI_DECLARE)

// Fortran's.
extern "C" void mpi_send_(void* buffer, int* count, int* type, int* to, int* tag, int* comm, int* error);
extern "C" void mpi_send_f08_(void* buffer, int* count, int* type, int* to, int* tag, int* comm, int* error);
extern "C" void pmpi_send_(void* buffer, int* count, int* type, int* to, int* tag, int* comm, int* error);
extern "C" void pmpi_type_size_(int* type, int* size, int* error);
