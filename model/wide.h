// SPDX-License-Identifier: Apache-2.0
// A 128-bit integer, for products of times, bytes and pixels. Not in the standard; GCC and clang have it on 64-bit
// machines.
#pragma once

namespace lanescope {

__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using)

}  // namespace lanescope
