// SPDX-License-Identifier: Apache-2.0
// Our two threads. The writer empties the rings every 50 ms, or when one is half full, and takes the clocks every second.
// The flusher asks CUPTI for what has completed every 200 ms, follows the control page and answers the launcher; it may
// block in CUPTI, which is why it is not the writer. No signal of the program is ever delivered to either.
#pragma once

namespace lanescope::inject {

struct Session;

/// What the system calls them. Readers of the file know them by these (model/trace/own_threads.h; a test holds the two
/// against each other).
inline constexpr const char *kWriterName = "lanescope-write", *kFlusherName = "lanescope-flush";

void startThreads(Session& session);
/// What the flusher would do for the launcher, in a process without our threads; not in a signal handler.
void answerWithoutThreads(Session& session);
/// For a process that ends without its exit functions: has the flusher write everything, and the mark of an end in
/// order. Waits for a second at most. Safe in a signal handler.
void flushBeforeExit();
/// The flusher leaves CUPTI alone from now on; waits until it is out of it, a second at most.
void keepFlusherOut();

}  // namespace lanescope::inject
