// SPDX-License-Identifier: Apache-2.0
// A program with NVTX in it, and many ways to end. Prints nothing; ends with 3 if NVTX or the process was not as expected.
//   nvtx_program MODE [COUNT]
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

void expect(bool true_) {
  if (!true_) _exit(3);
}

void ranges(int count, const char* text) {
  for (int i = 0; i < count; ++i) {
    nvtxRangePushA(text);
    nvtxMarkA("mark");
    nvtxRangePop();
  }
}

struct Sent {
  std::uint64_t bytes;
  std::int32_t rank, root;
};

nvtxDomainHandle_t everyForm() {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("library");
  expect(nvtxDomainCreateW(L"library") == domain);
  nvtxDomainNameCategoryA(domain, 3, "third");
  nvtxStringHandle_t registered = nvtxDomainRegisterStringA(domain, "registered text");
  nvtxEventAttributes_t said{};
  said.version = NVTX_VERSION;
  said.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  said.category = 3;
  said.colorType = NVTX_COLOR_ARGB;
  said.color = 0xFFAA0011;
  said.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  said.message.registered = registered;
  said.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
  said.payload.dValue = 2.5;
  expect(nvtxDomainRangePushEx(domain, &said) == 0);
  expect(nvtxRangePushA("outer") == 0);
  expect(nvtxRangePushW(L"\u00e9\u4e2d\U0001F600") == 1);
  expect(nvtxRangePop() == 1);
  expect(nvtxRangePop() == 0);
  expect(nvtxRangePop() == -2);
  expect(nvtxDomainRangePop(domain) == 0);
  nvtxNameOsThreadA(static_cast<std::uint32_t>(syscall(SYS_gettid)), "the first thread");

  nvtxPayloadSchemaEntry_t entries[3] = {};
  entries[0] = {0, NVTX_PAYLOAD_ENTRY_TYPE_SIZE, "bytes", nullptr, 0, offsetof(Sent, bytes), nullptr, nullptr};
  entries[1] = {0, NVTX_PAYLOAD_ENTRY_TYPE_INT, "rank", nullptr, 0, offsetof(Sent, rank), nullptr, nullptr};
  entries[2] = {0, NVTX_PAYLOAD_ENTRY_TYPE_INT, "root", nullptr, 0, offsetof(Sent, root), nullptr, nullptr};
  nvtxPayloadSchemaAttr_t schema{};
  schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
  schema.name = "Sent";
  schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  schema.entries = entries;
  schema.numEntries = 3;
  schema.payloadStaticSize = sizeof(Sent);
  const std::uint64_t id = nvtxPayloadSchemaRegister(domain, &schema);
  const Sent sent{4096, 1, 7};
  const nvtxPayloadData_t known{id, SIZE_MAX, &sent};
  nvtxRangePushPayload(domain, &known, 1);
  nvtxRangePopPayload(domain, nullptr, 0);
  std::vector<char> large(20000, 'x');
  const nvtxPayloadData_t tooLarge{id, large.size(), large.data()};
  nvtxMarkPayload(domain, &tooLarge, 1);
  nvtxMarkA(std::string(20000, 'y').c_str());
  return domain;
}

void cpuFork(pid_t child, int count) {
  if (child == 0) {
    ranges(count, "child");
    std::exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  ranges(1, "after");
}

/// 50 threads a wave come and go.
void threads(int count) {
  for (int wave = 0; wave < 4; ++wave) {
    std::vector<std::thread> all;
    for (int i = 0; i < 50; ++i) all.emplace_back([=] { ranges(count, "thread"); });
    for (std::thread& thread : all) thread.join();
  }
}

/// Three threads with names, of which each says its tid; the last is renamed after its first event and lives to the end.
void namedThreads() {
  std::vector<std::thread> all;
  for (int i = 0; i < 3; ++i) {
    all.emplace_back([=] {
      const std::string name = "worker-" + std::to_string(i);
      if (i == 2) nvtxMarkA("named late");
      pthread_setname_np(pthread_self(), name.c_str());
      nvtxMarkA(name.c_str());
      std::printf("%s %d\n", name.c_str(), static_cast<int>(syscall(SYS_gettid)));
      std::fflush(stdout);
      if (i == 2) std::exit(0);
    });
    if (i < 2) all.back().join();
  }
  all.back().join();
}

/// Forks while four threads are busy in NVTX; children speak and end in two ways.
void forkStorm() {
  std::atomic<bool> done{false};
  std::vector<std::thread> busy;
  for (int i = 0; i < 4; ++i) {
    busy.emplace_back([&] {
      while (!done.load()) {
        ranges(10, "busy");
        usleep(200);  // or there would be more to read than to test
      }
    });
  }
  for (int i = 0; i < 40; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      ranges(20, "child");
      i % 2 == 0 ? _exit(0) : std::exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  done = true;
  for (std::thread& thread : busy) thread.join();
}

/// A daemon's way: all descriptors closed, files of its own opened under their numbers.
void closeAll(const char* own) {
  for (int descriptor = 3; descriptor < 1024; ++descriptor) close(descriptor);
  FILE* file = std::fopen(own, "w");
  expect(file != nullptr);
  for (int descriptor = 700; descriptor < 720; ++descriptor) dup2(fileno(file), descriptor);
  std::fputs("mine", file);
  std::fflush(file);
}

volatile std::sig_atomic_t signalled = 0;
void onSignal(int) {
  signalled = signalled + 1;
  nvtxMarkA("in a handler");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "return";
  const int count = argc > 2 ? std::atoi(argv[2]) : 100;
  if (mode == "nothing") return 0;
  if (mode == "forms") everyForm();
  if (mode == "named") namedThreads();
  if (mode == "limit") {
    const rlimit limit{64 << 10, 64 << 10};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (mode == "trigger") {
    ranges(count, "before");
    nvtxDomainHandle_t domain = nvtxDomainCreateA("app");
    nvtxEventAttributes_t said{};
    said.version = NVTX_VERSION;
    said.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    said.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    said.message.registered = nvtxDomainRegisterStringA(domain, "train");
    for (int i = 0; i < 3; ++i) {
      nvtxDomainRangePushEx(domain, &said);
      nvtxDomainRangePushEx(domain, &said);
      ranges(count, "inside");
      nvtxDomainRangePop(domain);
      nvtxDomainRangePop(domain);
      ranges(count, "between");
      const nvtxRangeId_t range = nvtxRangeStartA("train");
      ranges(count, "plain");
      nvtxRangeEnd(range);
    }
    return 0;
  }
  if (mode == "signals") {
    nvtxMarkA("first");  // NVTX waits for itself when a handler comes while it starts
    struct sigaction action{};
    action.sa_handler = onSignal;
    sigaction(SIGALRM, &action, nullptr);
    const itimerval every{{0, 100}, {0, 100}};
    setitimer(ITIMER_REAL, &every, nullptr);
    ranges(count, "work");
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
  }
  const nvtxRangeId_t open = nvtxRangeStartA("over all");
  if (mode == "threads") {
    threads(count);
  } else if (mode == "closed") {
    ranges(1, "work");
    closeAll(argv[3]);
    ranges(count, "work");
  } else if (mode != "signals") {
    ranges(count, "work");
  }
  if (mode == "fork") {
    nvtxDomainHandle_t domain = nvtxDomainCreateA("inherited");
    const pid_t child = fork();
    if (child == 0) {
      nvtxEventAttributes_t said{};
      said.version = NVTX_VERSION;
      said.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
      nvtxDomainMarkEx(domain, &said);
    }
    cpuFork(child, count / 2);
  }
  if (mode == "quietfork") {
    for (int i = 0; i < 20; ++i) {
      const pid_t child = fork();
      if (child == 0) i % 2 == 0 ? _exit(0) : std::exit(0);
      int status = 0;
      waitpid(child, &status, 0);
      expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
  }
  if (mode == "forkstorm") forkStorm();
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
  if (mode == "rawfork") cpuFork(_Fork(), count / 2);
#endif
  nvtxRangeEnd(open);
  if (mode == "exit") std::exit(0);
  if (mode == "quick_exit") std::quick_exit(0);
  if (mode == "_exit") _exit(0);
  if (mode == "abort") std::abort();
  if (mode == "kill") raise(SIGKILL);
  if (mode == "segv") raise(SIGSEGV);
  if (mode == "exec") execl(argv[0], argv[0], "return", "7", static_cast<char*>(nullptr));
  return 0;
}
