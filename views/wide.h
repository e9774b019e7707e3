// SPDX-License-Identifier: GPL-3.0-or-later
// A 128-bit integer, for products of times and pixels. Not in the standard; GCC and clang have it on 64-bit machines.
#pragma once

namespace lanescope::views {

__extension__ typedef __int128 Wide;

}  // namespace lanescope::views
