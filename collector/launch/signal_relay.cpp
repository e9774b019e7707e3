// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/signal_relay.h"

#include <atomic>
#include <cerrno>

namespace lanescope::launch {
namespace {

constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr int kOther[] = {SIGUSR1, SIGUSR2};

// Handlers have no object: what they use is here, lock-free and only while a relay lives.
std::atomic<const CaptureControl*> wakened{nullptr};
std::atomic<pid_t> group{0};
std::atomic<int> ends{0}, last{0};
std::atomic<unsigned> early{0};  ///< bits of signals that came before there was a group
static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<const CaptureControl*>::is_always_lock_free);

void wake() {
  if (const CaptureControl* control = wakened.load()) control->wake();
}

void relay(int signal) {
  const int saved = errno;
  for (const int ending : kEnding) {
    if (signal == ending) ++ends, last = signal;
  }
  if (const pid_t target = group.load()) kill(-target, signal);
  else early |= 1u << signal;
  wake();
  errno = saved;
}

void childChanged(int) {
  const int saved = errno;
  wake();
  errno = saved;
}

}  // namespace

SignalRelay::SignalRelay(const CaptureControl& control) {
  wakened = &control;
  group = 0, ends = 0, last = 0, early = 0;
  const auto install = [&](int signal, void (*handler)(int)) {
    struct sigaction before{};
    sigaction(signal, nullptr, &before);
    saved_.push_back({signal, before});
    if (before.sa_handler == SIG_IGN && handler == relay) return;  // nohup
    struct sigaction action{};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  };
  for (const int signal : kEnding) install(signal, relay);
  for (const int signal : kOther) install(signal, relay);
  install(SIGCHLD, childChanged);
  install(SIGPIPE, SIG_IGN);  // whoever reads our lines may go before the report is written
  install(SIGXFSZ, SIG_IGN);  // a limit on file sizes is an error of the write, which is told
}

SignalRelay::~SignalRelay() {
  for (const Saved& saved : saved_) sigaction(saved.signal, &saved.action, nullptr);
  wakened = nullptr;
}

void SignalRelay::attach(pid_t target) {
  group = target;
  const unsigned waiting = early.exchange(0);
  for (int signal = 1; signal < 32; ++signal) {
    if (waiting & (1u << signal)) kill(-target, signal);
  }
}

void SignalRelay::detach() { group = 0; }

int SignalRelay::endsAsked() const { return ends; }
int SignalRelay::lastSignal() const { return last; }

void SignalRelay::restoreInChild() const {
  for (const Saved& saved : saved_) sigaction(saved.signal, &saved.action, nullptr);
}

}  // namespace lanescope::launch
