// SPDX-License-Identifier: Apache-2.0
// This process is rank 2 of 4, and an int has 4 bytes. Whatever does not come as the program of the tests sends it ends it.
#include "tests/collector/preload/programs/fake_mpi.h"

#include <cstdio>
#include <cstdlib>

#ifdef FAKE_MPI_POINTERS
FakeHandle ompi_mpi_comm_world{0}, ompi_mpi_int{1}, ompi_mpi_op_sum{2}, ompi_request_null{3};
namespace {
FakeHandle aRequest{4};
MPI_Request requestOf() { return &aRequest; }
}  // namespace
#else
namespace {
MPI_Request requestOf() { return 0x6c000001; }
}  // namespace
#endif

namespace {

void expect(bool good, const char* what) {
  if (good) return;
  std::printf("wrong: %s\n", what);
  std::exit(5);
}

}  // namespace

extern "C" {

int PMPI_Init(int*, char***) { return 0; }
int PMPI_Finalize() { return 0; }
int PMPI_Comm_rank(MPI_Comm comm, int* rank) {
  expect(comm == MPI_COMM_WORLD, "Comm_rank");
  *rank = 2;
  return 0;
}
int PMPI_Comm_size(MPI_Comm comm, int* size) {
  expect(comm == MPI_COMM_WORLD, "Comm_size");
  *size = 4;
  return 0;
}
int PMPI_Type_size(MPI_Datatype type, int* size) {
  expect(type == MPI_INT, "Type_size of no type");  // which ends programs by other MPIs, too
  *size = 4;
  return 0;
}
int PMPI_Send(const void*, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  expect(count == 100 && type == MPI_INT && to == 3 && tag == 42 && comm == MPI_COMM_WORLD, "Send");
  return 0;
}
int PMPI_Recv(void*, int count, MPI_Datatype type, int, int, MPI_Comm comm, MPI_Status* status) {
  expect(count == 50 && type == MPI_INT && comm == MPI_COMM_WORLD && status != nullptr, "Recv");
#ifdef FAKE_MPI_POINTERS
  status->fields[0] = 3;
#else
  status->fields[2] = 3;
#endif
  return 0;
}
int PMPI_Get_count(const MPI_Status*, MPI_Datatype type, int* count) {
  expect(type == MPI_INT, "Get_count");
  *count = 40;
  return 0;
}
int PMPI_Isend(const void*, int count, MPI_Datatype, int, int, MPI_Comm, MPI_Request* request) {
  expect(count == 10, "Isend");
  *request = requestOf();
  return 0;
}
int PMPI_Wait(MPI_Request* request, MPI_Status*) {
  expect(*request == requestOf(), "Wait");
  *request = MPI_REQUEST_NULL;
  return 0;
}
int PMPI_Barrier(MPI_Comm comm) {
  expect(comm == MPI_COMM_WORLD, "Barrier");
  return 0;
}
int PMPI_Allreduce(const void*, void*, int count, MPI_Datatype type, MPI_Op op, MPI_Comm) {
  expect(count == 25 && type == MPI_INT && op == MPI_SUM, "Allreduce");
  return MPI_Barrier(MPI_COMM_WORLD);  // as some do: a call within a call
}
int PMPI_Gather(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm comm) {
  expect(comm == MPI_COMM_WORLD, "Gather");
  return 0;
}
int PMPI_Alltoallv(const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*, MPI_Datatype,
                   MPI_Comm comm) {
  expect(comm == MPI_COMM_WORLD, "Alltoallv");
  return 0;
}
int PMPI_Sendrecv(const void*, int sent, MPI_Datatype, int target, int, void*, int received, MPI_Datatype, int source,
                  int, MPI_Comm comm, MPI_Status* status) {
  expect(sent == 7 && target == 1 && received == 9 && source == 3 && comm == MPI_COMM_WORLD && status != nullptr,
         "Sendrecv");
  return 0;
}
void pmpi_send_(void*, int* count, int* type, int* to, int* tag, int* comm, int* error) {
  expect(*count == 30 && *type == 7 && *to == 1 && *tag == 9 && *comm == 0, "mpi_send_");
  *error = 0;
}
void mpi_send_f08_(void* buffer, int* count, int* type, int* to, int* tag, int* comm, int* error) {
  int status = 0;
  pmpi_send_(buffer, count, type, to, tag, comm, &status);
  if (error != nullptr) *error = status;  // which a program may leave out
}
void pmpi_type_size_(int* type, int* size, int* error) {
  expect(*type == 7, "mpi_type_size_");
  *size = 8;
  *error = 0;
}

#define FAKE_MPI_ALIAS(result, name, parameters) \
  result MPI_##name parameters __attribute__((weak, alias("PMPI_" #name)));
FAKE_MPI_FUNCTIONS(FAKE_MPI_ALIAS)
void mpi_send_(void*, int*, int*, int*, int*, int*, int*) __attribute__((weak, alias("pmpi_send_")));
}
