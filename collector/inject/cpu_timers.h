// SPDX-License-Identifier: Apache-2.0
// CPU samples from within, for machines whose kernel does not let the launcher take them, and only where somebody asked: each
// thread has a timer of its CPU time whose signal copies its registers and the top of its stack. The kernel looks at such
// timers with its clock's ticks, so there are no more samples a second than those, mostly 250. Blocked threads are
// left alone. A sample costs 3 us. Nothing is allocated and no lock taken in the signal; samples wait in a fixed number of
// slots for the writer. The program is kept from their signal by the preloaded library, without which there are no timers.
#pragma once

#include <csignal>

namespace lanescope::inject {

struct Session;
struct CpuTimers;

/// Takes a signal for the timers of this process and its forked children, and writes its number (0: none is free) before
/// any timer runs. Once, by who keeps the program from it.
void guardCpuTimers(int* number);

/// sigaction() of that signal as the program sees it; either may be null. Any thread, also in signal handlers.
void timerAction(const struct sigaction* action, struct sigaction* before);

/// Timers for threads that are new, if the options ask for them; forgets those that are gone. The writer.
void armCpuTimers(Session& session);

/// The samples so far to the stream. Under Session::draining.
void writeCpuSamples(Session& session);

}  // namespace lanescope::inject
