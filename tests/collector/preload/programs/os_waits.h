// SPDX-License-Identifier: Apache-2.0
// Waits of the test program, each told by its own clock: "NAME TID BEFORE AFTER OBJECT". What is waited for happens when the
// thread that waits is seen to sleep, and a millisecond later, so that nothing depends on how fast the machine is.
#pragma once

#include <cstdint>

/// CLOCK_MONOTONIC.
std::uint64_t now();
/// Whether that thread of this process does.
bool sleeps(int thread);

void waitForLocks();
void waitForFiles();
