// SPDX-License-Identifier: Apache-2.0
// A program that calls a fake MPI once in every way. Prints nothing; the fake ends it if an argument was lost.
#include "tests/collector/preload/programs/fake_mpi.h"

int main(int count, char** words) {
  if (MPI_Init(&count, &words) != 0) return 3;
  int buffer[100] = {}, other[100] = {};
  MPI_Status status{};
  MPI_Send(buffer, 100, MPI_INT, 3, 42, MPI_COMM_WORLD);
  MPI_Recv(buffer, 50, MPI_INT, -1, -1, MPI_COMM_WORLD, &status);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(buffer, 10, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);
  if (request != MPI_REQUEST_NULL) return 4;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(buffer, other, 25, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Gather(buffer, 20, MPI_INT, nullptr, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, other, 20, MPI_INT, 2, MPI_COMM_WORLD);
  const int sent[] = {1, 2, 3, 4}, received[] = {4, 4, 4, 4}, at[] = {0, 4, 8, 12};
  MPI_Alltoallv(buffer, sent, at, MPI_INT, other, received, at, MPI_INT, MPI_COMM_WORLD);
  MPI_Sendrecv(buffer, 7, MPI_INT, 1, 11, other, 9, MPI_INT, 3, 12, MPI_COMM_WORLD, &status);
  int elements = 30, type = 7, to = 1, tag = 9, world = 0, error = -1;
  mpi_send_(buffer, &elements, &type, &to, &tag, &world, &error);
  mpi_send_f08_(buffer, &elements, &type, &to, &tag, &world, nullptr);
  return error == 0 ? MPI_Finalize() : 6;
}
