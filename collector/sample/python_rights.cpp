// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/python_rights.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace lanescope::sample {
namespace {

/// -1 where the kernel has no such limit.
int ptraceScope() {
  const int file = open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);
  char digit = 0;
  const bool isRead = file >= 0 && read(file, &digit, 1) == 1;
  if (file >= 0) close(file);
  return isRead ? digit - '0' : -1;
}

bool isCallForbidden() {
  int value = 1, read = 0;
  const iovec local{&read, sizeof read}, remote{&value, sizeof value};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) < 0;
}

}  // namespace

std::string whyNotReadable(pid_t process) {
  // Of oneself it is always allowed, unless the call itself is not.
  if (isCallForbidden()) {
    return "a seccomp profile forbids process_vm_readv: start the container with --cap-add=SYS_PTRACE, or with "
           "--security-opt seccomp=unconfined";
  }
  constexpr int kAdministrators = 2, kNobody = 3;
  const int scope = ptraceScope();
  if (scope == kNobody) {
    return "the kernel lets nobody read another process (kernel.yama.ptrace_scope is 3); only a reboot with a lower "
           "value changes that";
  }
  struct stat folder{};
  if (stat(("/proc/" + std::to_string(process)).c_str(), &folder) == 0 && geteuid() != 0 &&
      folder.st_uid != geteuid()) {
    return "it runs as another user; run lanescope as root";
  }
  if (scope == kAdministrators && geteuid() != 0) {
    return "only root may read another process here; allow parents to: sudo sysctl kernel.yama.ptrace_scope=1";
  }
  if (geteuid() == 0) {
    return "not even root may read another process here: start the container with --cap-add=SYS_PTRACE; elsewhere "
           "allow "
           "it in the security module (SELinux, AppArmor)";
  }
  return "reading another process is forbidden here; in a container start it with --cap-add=SYS_PTRACE, elsewhere run "
         "lanescope as root";
}

std::string pythonSamplingRemedy() {
  int value = 1;
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) pause();
  }
  if (child < 0) return {};
  int read = 0;
  const iovec local{&read, sizeof read}, remote{&value, sizeof value};
  const bool isForbidden = process_vm_readv(child, &local, 1, &remote, 1, 0) < 0 && errno != ESRCH;
  std::string why = isForbidden ? whyNotReadable(child) : "";
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return why;
}

}  // namespace lanescope::sample
