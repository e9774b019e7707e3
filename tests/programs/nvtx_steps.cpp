// SPDX-License-Identifier: Apache-2.0
// A program that does what its words say, one after the other: "+NAME" opens an NVTX range, "+NAME@DOMAIN" one of a
// domain, "-" closes the last one, "*N" opens and closes N ranges, "?PIPE" waits for somebody to write into a pipe,
// "!PIPE" waits for somebody to read from one, "fork" leaves the rest to a child and waits for it, "=FILE" writes there
// how signals and low descriptors stand. Prints nothing.
#include <fcntl.h>
#include <nvtx3/nvToolsExt.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

namespace {

/// The signals that a program can use, and the descriptors below 256, where programs expect their own.
void writeState(const std::string& file) {
  std::ofstream out(file);
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (signal >= 32 && signal < SIGRTMIN) continue;  // the C library's own
    struct sigaction action{};
    sigaction(signal, nullptr, &action);
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, nullptr, &blocked);
    out << signal << (action.sa_handler == SIG_DFL) << (action.sa_handler == SIG_IGN) << sigismember(&blocked, signal)
        << '\n';
  }
  for (int descriptor = 0; descriptor < 256; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) out << descriptor << '\n';
  }
}

}  // namespace

int main(int count, char** words) {
  std::vector<nvtxDomainHandle_t> open;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i], name = word.substr(1);
    std::string line;
    if (word == "fork" && fork() > 0) return wait(nullptr) < 0 ? 3 : 0;
    if (word[0] == '=') writeState(name);
    for (int left = word[0] == '*' ? std::stoi(name) : 0; left > 0; --left) nvtxRangePushA("many"), nvtxRangePop();
    if (word[0] == '?') std::getline(std::ifstream(name) >> std::ws, line);
    if (word[0] == '!') std::ofstream(name) << "on\n";
    if (word[0] == '+') {
      const std::size_t at = name.find('@');
      const std::string text = name.substr(0, at);
      open.push_back(at == std::string::npos ? nullptr : nvtxDomainCreateA(name.substr(at + 1).c_str()));
      nvtxEventAttributes_t range{};
      range.version = NVTX_VERSION;
      range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
      range.messageType = NVTX_MESSAGE_TYPE_ASCII;
      range.message.ascii = text.c_str();
      nvtxDomainRangePushEx(open.back(), &range);
    }
    if (word[0] == '-') {
      nvtxDomainRangePop(open.back());
      open.pop_back();
    }
  }
  return 0;
}
