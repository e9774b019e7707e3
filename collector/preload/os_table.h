// SPDX-License-Identifier: Apache-2.0
// The calls into the OS runtime that are led through us, a line each: CALL(symbol, name, object, result). The name is the
// one that Nsight Systems prints; what the compiler made of it for checks has the name of the plain one. Arguments and
// results go through as machine words, so that no line needs types. Those with a quick path stand in os_locks.cpp,
// those about sets of signals in os_signals.cpp.
#pragma once

#include <cstdint>

namespace lanescope::preload {

/// What a call is about.
enum class Object : std::uint8_t {
  kNone,
  kFirst,  ///< the address that is its first argument
  kDescriptor,  ///< the descriptor that is its first argument
  kReturned,  ///< the descriptor that it returns
  kFile1,
  kFile3,
  kFile4,  ///< the FILE that is that argument
  kReturnedFile,
  kClosed,  ///< the descriptor that it closes, where that is asked for
};
/// How wide its result is.
enum class Result : std::uint8_t { kInt, kWord };

}  // namespace lanescope::preload

// clang-format off
#define LANESCOPE_OS_CALLS(CALL) \
  CALL(pthread_mutex_lock, pthread_mutex_lock, kFirst, kInt) \
  CALL(pthread_mutex_timedlock, pthread_mutex_timedlock, kFirst, kInt) \
  CALL(pthread_mutex_clocklock, pthread_mutex_clocklock, kFirst, kInt) \
  CALL(pthread_rwlock_rdlock, pthread_rwlock_rdlock, kFirst, kInt) \
  CALL(pthread_rwlock_wrlock, pthread_rwlock_wrlock, kFirst, kInt) \
  CALL(sem_wait, sem_wait, kFirst, kInt) \
  CALL(pthread_create, pthread_create, kNone, kInt) \
  CALL(pthread_cond_wait, pthread_cond_wait, kFirst, kInt) \
  CALL(pthread_cond_timedwait, pthread_cond_timedwait, kFirst, kInt) \
  CALL(pthread_cond_clockwait, pthread_cond_clockwait, kFirst, kInt) \
  CALL(pthread_cond_signal, pthread_cond_signal, kFirst, kInt) \
  CALL(pthread_cond_broadcast, pthread_cond_broadcast, kFirst, kInt) \
  LANESCOPE_TIMED_OS_CALLS(CALL) \
  CALL(sigsuspend, sigsuspend, kNone, kInt) \
  CALL(sigwait, sigwait, kNone, kInt) \
  CALL(sigwaitinfo, sigwaitinfo, kNone, kInt) \
  CALL(sigtimedwait, sigtimedwait, kNone, kInt)

#define LANESCOPE_TIMED_OS_CALLS(CALL) \
  LANESCOPE_FILE_OS_CALLS(CALL) \
  CALL(pthread_rwlock_timedrdlock, pthread_rwlock_timedrdlock, kFirst, kInt) \
  CALL(pthread_rwlock_timedwrlock, pthread_rwlock_timedwrlock, kFirst, kInt) \
  CALL(pthread_rwlock_clockrdlock, pthread_rwlock_clockrdlock, kFirst, kInt) \
  CALL(pthread_rwlock_clockwrlock, pthread_rwlock_clockwrlock, kFirst, kInt) \
  CALL(pthread_barrier_wait, pthread_barrier_wait, kFirst, kInt) \
  CALL(pthread_join, pthread_join, kNone, kInt) \
  CALL(pthread_timedjoin_np, pthread_timedjoin_np, kNone, kInt) \
  CALL(pthread_clockjoin_np, pthread_clockjoin_np, kNone, kInt) \
  CALL(sem_timedwait, sem_timedwait, kFirst, kInt) \
  CALL(sem_clockwait, sem_clockwait, kFirst, kInt) \
  CALL(sem_open, sem_open, kNone, kWord) \
  CALL(poll, poll, kNone, kInt) \
  CALL(__poll_chk, poll, kNone, kInt) \
  CALL(ppoll, ppoll, kNone, kInt) \
  CALL(__ppoll_chk, ppoll, kNone, kInt) \
  CALL(select, select, kNone, kInt) \
  CALL(pselect, pselect, kNone, kInt) \
  CALL(epoll_wait, epoll_wait, kDescriptor, kInt) \
  CALL(epoll_pwait, epoll_pwait, kDescriptor, kInt) \
  CALL(epoll_pwait2, epoll_pwait2, kDescriptor, kInt) \
  CALL(epoll_ctl, epoll_ctl, kDescriptor, kInt) \
  CALL(sleep, sleep, kNone, kInt) \
  CALL(usleep, usleep, kNone, kInt) \
  CALL(nanosleep, nanosleep, kNone, kInt) \
  CALL(clock_nanosleep, clock_nanosleep, kNone, kInt) \
  CALL(pause, pause, kNone, kInt) \
  CALL(wait, wait, kNone, kInt) \
  CALL(waitpid, waitpid, kNone, kInt) \
  CALL(wait3, wait3, kNone, kInt) \
  CALL(wait4, wait4, kNone, kInt) \
  CALL(waitid, waitid, kNone, kInt) \
  CALL(system, system, kNone, kInt) \
  CALL(popen, popen, kNone, kWord) \
  CALL(pclose, pclose, kNone, kInt) \
  CALL(splice, splice, kDescriptor, kWord) \
  CALL(fsync, fsync, kDescriptor, kInt) \
  CALL(fdatasync, fdatasync, kDescriptor, kInt) \
  CALL(sync, sync, kNone, kInt) \
  CALL(syncfs, syncfs, kDescriptor, kInt) \
  CALL(sync_file_range, sync_file_range, kDescriptor, kInt) \
  CALL(ftruncate, ftruncate, kDescriptor, kInt) \
  CALL(ftruncate64, ftruncate64, kDescriptor, kInt) \
  CALL(fallocate, fallocate, kDescriptor, kInt) \
  CALL(fallocate64, fallocate64, kDescriptor, kInt) \
  CALL(posix_fallocate, posix_fallocate, kDescriptor, kInt) \
  CALL(posix_fallocate64, posix_fallocate64, kDescriptor, kInt) \
  CALL(flock, flock, kDescriptor, kInt) \
  CALL(lockf, lockf, kDescriptor, kInt) \
  CALL(lockf64, lockf64, kDescriptor, kInt) \
  CALL(fcntl, fcntl, kDescriptor, kInt) \
  CALL(fcntl64, fcntl64, kDescriptor, kInt) \
  CALL(ioctl, ioctl, kDescriptor, kInt) \
  CALL(pipe, pipe, kNone, kInt) \
  CALL(pipe2, pipe2, kNone, kInt) \
  CALL(eventfd, eventfd, kReturned, kInt) \
  CALL(unlink, unlink, kNone, kInt) \
  CALL(rename, rename, kNone, kInt) \
  CALL(mkdir, mkdir, kNone, kInt) \
  CALL(rmdir, rmdir, kNone, kInt) \
  CALL(shm_open, shm_open, kReturned, kInt) \
  CALL(shm_unlink, shm_unlink, kNone, kInt) \
  CALL(memfd_create, memfd_create, kReturned, kInt) \
  CALL(mmap, mmap, kNone, kWord) \
  CALL(mmap64, mmap64, kNone, kWord) \
  CALL(munmap, munmap, kNone, kInt) \
  CALL(mremap, mremap, kNone, kWord) \
  CALL(mprotect, mprotect, kNone, kInt) \
  CALL(madvise, madvise, kNone, kInt) \
  CALL(msync, msync, kNone, kInt) \
  CALL(mlock, mlock, kNone, kInt) \
  CALL(munlock, munlock, kNone, kInt) \
  CALL(socket, socket, kReturned, kInt) \
  CALL(socketpair, socketpair, kNone, kInt) \
  CALL(bind, bind, kDescriptor, kInt) \
  CALL(listen, listen, kDescriptor, kInt) \
  CALL(connect, connect, kDescriptor, kInt) \
  CALL(accept, accept, kDescriptor, kInt) \
  CALL(accept4, accept4, kDescriptor, kInt) \
  CALL(shutdown, shutdown, kDescriptor, kInt) \
  CALL(recv, recv, kDescriptor, kWord) \
  CALL(__recv_chk, recv, kDescriptor, kWord) \
  CALL(recvfrom, recvfrom, kDescriptor, kWord) \
  CALL(__recvfrom_chk, recvfrom, kDescriptor, kWord) \
  CALL(recvmsg, recvmsg, kDescriptor, kWord) \
  CALL(recvmmsg, recvmmsg, kDescriptor, kInt) \
  CALL(send, send, kDescriptor, kWord) \
  CALL(sendto, sendto, kDescriptor, kWord) \
  CALL(sendmsg, sendmsg, kDescriptor, kWord) \
  CALL(sendmmsg, sendmmsg, kDescriptor, kInt) \
  CALL(mq_send, mq_send, kDescriptor, kInt) \
  CALL(mq_timedsend, mq_timedsend, kDescriptor, kInt) \
  CALL(mq_receive, mq_receive, kDescriptor, kWord) \
  CALL(mq_timedreceive, mq_timedreceive, kDescriptor, kWord) \
  CALL(msgsnd, msgsnd, kNone, kInt) \
  CALL(msgrcv, msgrcv, kNone, kWord) \
  CALL(semop, semop, kNone, kInt) \
  CALL(semtimedop, semtimedop, kNone, kInt) \
  CALL(fdopen, fdopen, kDescriptor, kWord) \
  CALL(fflush, fflush, kFile1, kInt) \
  CALL(getaddrinfo, getaddrinfo, kNone, kInt)

/// Told of however short they are, where the accesses to files are asked for.
#define LANESCOPE_FILE_OS_CALLS(CALL) \
  CALL(open, open, kReturned, kInt) \
  CALL(open64, open64, kReturned, kInt) \
  CALL(__open_2, open, kReturned, kInt) \
  CALL(__open64_2, open64, kReturned, kInt) \
  CALL(openat, openat, kReturned, kInt) \
  CALL(openat64, openat64, kReturned, kInt) \
  CALL(__openat_2, openat, kReturned, kInt) \
  CALL(__openat64_2, openat64, kReturned, kInt) \
  CALL(creat, creat, kReturned, kInt) \
  CALL(creat64, creat64, kReturned, kInt) \
  CALL(close, close, kClosed, kInt) \
  CALL(read, read, kDescriptor, kWord) \
  CALL(__read_chk, read, kDescriptor, kWord) \
  CALL(write, write, kDescriptor, kWord) \
  CALL(pread, pread, kDescriptor, kWord) \
  CALL(__pread_chk, pread, kDescriptor, kWord) \
  CALL(pread64, pread64, kDescriptor, kWord) \
  CALL(__pread64_chk, pread64, kDescriptor, kWord) \
  CALL(pwrite, pwrite, kDescriptor, kWord) \
  CALL(pwrite64, pwrite64, kDescriptor, kWord) \
  CALL(readv, readv, kDescriptor, kWord) \
  CALL(writev, writev, kDescriptor, kWord) \
  CALL(preadv, preadv, kDescriptor, kWord) \
  CALL(preadv64, preadv64, kDescriptor, kWord) \
  CALL(pwritev, pwritev, kDescriptor, kWord) \
  CALL(pwritev64, pwritev64, kDescriptor, kWord) \
  CALL(sendfile, sendfile, kDescriptor, kWord) \
  CALL(sendfile64, sendfile64, kDescriptor, kWord) \
  CALL(copy_file_range, copy_file_range, kDescriptor, kWord) \
  CALL(dup, dup, kDescriptor, kInt) \
  CALL(dup2, dup2, kDescriptor, kInt) \
  CALL(dup3, dup3, kDescriptor, kInt) \
  CALL(fopen, fopen, kReturnedFile, kWord) \
  CALL(fopen64, fopen64, kReturnedFile, kWord) \
  CALL(fclose, fclose, kClosed, kInt) \
  CALL(fread, fread, kFile4, kWord) \
  CALL(fwrite, fwrite, kFile4, kWord) \
  CALL(fgets, fgets, kFile3, kWord) \
  CALL(getline, getline, kFile3, kWord) \
  CALL(getdelim, getdelim, kFile4, kWord)

/// Not told of: while there are timers, the program is kept from their signal.
#define LANESCOPE_SIGNAL_CALLS(CALL) \
  CALL(sigaction) \
  CALL(signal) \
  CALL(bsd_signal) \
  CALL(ssignal) \
  CALL(sysv_signal) \
  CALL(__sysv_signal) \
  CALL(sigset) \
  CALL(sigignore) \
  CALL(sighold) \
  CALL(siginterrupt) \
  CALL(sigprocmask) \
  CALL(pthread_sigmask) \
  CALL(pthread_attr_setsigmask_np) \
  CALL(sigpending) \
  CALL(signalfd)
// clang-format on
