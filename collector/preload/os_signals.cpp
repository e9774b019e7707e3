// SPDX-License-Identifier: Apache-2.0
// Calls about signals: while CPU samples are taken by timers, the program is kept from the timers' signal. It is taken out
// of every set that the program blocks, waits for or reads, and its action answers as if nobody had it; what the program
// does with it else is passed on (inject/cpu_timers.h). Without timers a load and a branch. Allocates nothing, takes no
// lock; sets are copied, 128 bytes.
#include <csignal>

#include "collector/preload/os_recorder.h"

namespace lanescope::preload {
namespace {

int guarded() { return __atomic_load_n(&guardedSignal, __ATOMIC_ACQUIRE); }
bool isGuarded(Word number) {
  const int ours = guarded();
  return __builtin_expect(ours != 0, 0) && static_cast<int>(number) == ours;
}

/// A set of the program's without that signal, or with it.
class Set {
 public:
  enum Change { kWithout, kWith };
  explicit Set(Word set, Change change = kWithout) : set_(set) {
    const int ours = guarded();
    if (ours == 0 || set == 0) return;
    copy_ = *reinterpret_cast<const sigset_t*>(set);
    change == kWith ? sigaddset(&copy_, ours) : sigdelset(&copy_, ours);
    set_ = reinterpret_cast<Word>(&copy_);
  }
  // The address of its own copy goes out.
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;
  Word get() const { return set_; }

 private:
  Word set_;
  sigset_t copy_;
};

/// As sigaction(); 0.
Word act(Word action, Word before) {
  const Recorder* to = __atomic_load_n(&recorder, __ATOMIC_ACQUIRE);
  to->timerAction(reinterpret_cast<const struct sigaction*>(action), reinterpret_cast<struct sigaction*>(before));
  return 0;
}

/// Whether the program has one for the guarded signal.
bool hasHandler() {
  struct sigaction now{};
  act(0, reinterpret_cast<Word>(&now));
  return now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN;
}

/// As signal(): the handler before.
Word handleBy(Word handler, int flags) {
  struct sigaction action{}, before{};
  action.sa_handler = reinterpret_cast<void (*)(int)>(handler);
  action.sa_flags = flags;
  act(reinterpret_cast<Word>(&action), reinterpret_cast<Word>(&before));
  return reinterpret_cast<Word>(before.sa_handler);
}

}  // namespace

LANESCOPE_INTERPOSE(sigaction, Word, Word number, Word action, Word before) {
  if (isGuarded(number)) return act(action, before);
  return real(Os::k_sigaction)(number, action, before, 0, 0, 0);
}

#define LANESCOPE_DEFINE(symbol, flags)                          \
  LANESCOPE_INTERPOSE(symbol, Word, Word number, Word handler) { \
    if (isGuarded(number)) return handleBy(handler, flags);      \
    return real(Os::k_##symbol)(number, handler, 0, 0, 0, 0);    \
  }
LANESCOPE_DEFINE(signal, SA_RESTART)
LANESCOPE_DEFINE(bsd_signal, SA_RESTART)
LANESCOPE_DEFINE(ssignal, SA_RESTART)
LANESCOPE_DEFINE(sysv_signal, static_cast<int>(SA_RESETHAND | SA_NODEFER))
LANESCOPE_DEFINE(__sysv_signal, static_cast<int>(SA_RESETHAND | SA_NODEFER))
#undef LANESCOPE_DEFINE

LANESCOPE_INTERPOSE(sigset, Word, Word number, Word handler) {
  constexpr Word kHold = 2;  // SIG_HOLD: to be blocked
  if (!isGuarded(number)) return real(Os::k_sigset)(number, handler, 0, 0, 0, 0);
  struct sigaction before{};
  if (handler != kHold) return handleBy(handler, 0);
  act(0, reinterpret_cast<Word>(&before));
  return reinterpret_cast<Word>(before.sa_handler);
}
LANESCOPE_INTERPOSE(sigignore, Word, Word number) {
  if (!isGuarded(number)) return real(Os::k_sigignore)(number, 0, 0, 0, 0, 0);
  handleBy(reinterpret_cast<Word>(SIG_IGN), 0);
  return 0;
}
LANESCOPE_INTERPOSE(sighold, Word, Word number) {
  return isGuarded(number) ? 0 : real(Os::k_sighold)(number, 0, 0, 0, 0, 0);
}
LANESCOPE_INTERPOSE(siginterrupt, Word, Word number, Word interrupts) {
  return isGuarded(number) ? 0 : real(Os::k_siginterrupt)(number, interrupts, 0, 0, 0, 0);
}

#define LANESCOPE_DEFINE(symbol)                                       \
  LANESCOPE_INTERPOSE(symbol, Word, Word how, Word set, Word before) { \
    if (static_cast<int>(how) == SIG_UNBLOCK || guarded() == 0)        \
      return real(Os::k_##symbol)(how, set, before, 0, 0, 0);          \
    const Set without(set);                                            \
    return real(Os::k_##symbol)(how, without.get(), before, 0, 0, 0);  \
  }
LANESCOPE_DEFINE(sigprocmask)
LANESCOPE_DEFINE(pthread_sigmask)
#undef LANESCOPE_DEFINE
LANESCOPE_INTERPOSE(pthread_attr_setsigmask_np, Word, Word attributes, Word set) {
  const Set without(set);
  return real(Os::k_pthread_attr_setsigmask_np)(attributes, without.get(), 0, 0, 0, 0);
}

LANESCOPE_INTERPOSE(sigpending, Word, Word set) {
  const Word result = real(Os::k_sigpending)(set, 0, 0, 0, 0, 0);
  if (const int ours = guarded(); ours != 0 && static_cast<int>(result) == 0) {
    sigdelset(reinterpret_cast<sigset_t*>(set), ours);
  }
  return result;
}
LANESCOPE_INTERPOSE(signalfd, Word, Word descriptor, Word set, Word flags) {
  const Set without(set);
  return real(Os::k_signalfd)(descriptor, without.get(), flags, 0, 0, 0);
}

#define LANESCOPE_DEFINE(symbol, change)                                                 \
  LANESCOPE_INTERPOSE(symbol, Word, Word a, Word b, Word c, Word d) {                    \
    const Set set(a, change);                                                            \
    if (!recordsOs()) return real(Os::k_##symbol)(set.get(), b, c, d, 0, 0);             \
    return timed(Os::k_##symbol, set.get(), b, c, d, 0, 0, __builtin_return_address(0)); \
  }
LANESCOPE_DEFINE(sigwait, Set::kWithout)
LANESCOPE_DEFINE(sigwaitinfo, Set::kWithout)
LANESCOPE_DEFINE(sigtimedwait, Set::kWithout)
// The time of a wait is nobody's CPU, unless the program waits for that very signal.
LANESCOPE_DEFINE(sigsuspend, guarded() != 0 && hasHandler() ? Set::kWithout : Set::kWith)
#undef LANESCOPE_DEFINE

}  // namespace lanescope::preload
