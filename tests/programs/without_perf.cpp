// SPDX-License-Identifier: Apache-2.0
// Runs a program as a container does that forbids perf_event_open, or with `rings` as a user whose memory for it is used
// up: without_perf [rings] PROGRAM [ARGUMENTS]
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

constexpr std::uint32_t kForbidden = SECCOMP_RET_ERRNO | EPERM;

sock_filter load(std::size_t at) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(at)); }
/// The low half of an argument.
sock_filter argument(std::size_t number) { return load(offsetof(seccomp_data, args) + number * sizeof(std::uint64_t)); }
/// Goes on if it is so; else over so many.
sock_filter unless(std::uint32_t value, std::uint8_t skipped) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped);
}
sock_filter end(std::uint32_t answer) { return BPF_STMT(BPF_RET | BPF_K, answer); }

std::vector<sock_filter> calls() {
  return {load(offsetof(seccomp_data, nr)), unless(SYS_perf_event_open, 1), end(kForbidden), end(SECCOMP_RET_ALLOW)};
}

/// Rings are shared and have a page more than a power of two, which nothing else here has.
std::vector<sock_filter> rings() {
  constexpr std::uint32_t kPage = 4096;
  return {load(offsetof(seccomp_data, nr)),
          unless(SYS_mmap, 9),
          argument(2),
          unless(PROT_READ | PROT_WRITE, 7),
          argument(3),
          unless(MAP_SHARED, 5),
          argument(1),
          BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, kPage, 0, 3),
          BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 2 * kPage - 1),
          unless(kPage, 1),
          end(kForbidden),
          end(SECCOMP_RET_ALLOW)};
}

}  // namespace

int main(int count, char** arguments) {
  const bool onlyRings = count > 1 && std::strcmp(arguments[1], "rings") == 0;
  if (onlyRings) ++arguments, --count;
  std::vector<sock_filter> rules = onlyRings ? rings() : calls();
  const sock_fprog program{static_cast<unsigned short>(rules.size()), rules.data()};
  constexpr int kCannot = 126;
  if (count < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    return kCannot;
  }
  execvp(arguments[1], arguments + 1);
  return kCannot + 1;
}
