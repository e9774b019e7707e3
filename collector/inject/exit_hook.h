// SPDX-License-Identifier: Apache-2.0
// Programs that end by `_exit` run nothing at exit, as Python's multiprocessing does in every worker. Their calls of it
// are led here by way of the tables of addresses that the dynamic linker made of the libraries loaded so far. What runs
// then is safe in a signal handler: it asks the flusher for everything, waits for at most a second, and ends the process
// as the program wanted. Not for a child of vfork, which shares its parent's memory.
#pragma once

namespace lanescope::inject {

/// Once a process; libraries loaded later call the real one.
void hookExits();

}  // namespace lanescope::inject
