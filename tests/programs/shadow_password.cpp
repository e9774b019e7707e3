// SPDX-License-Identifier: Apache-2.0
// Preloaded into the tests' own sshd: the password of every user is "open sesame" there. The machine's stay as they are.
#include <shadow.h>

extern "C" struct spwd* getspnam(const char* name) {
  // openssl passwd -6 -salt lanescope "open sesame"
  static char hash[] =
      "$6$lanescope$S89GQKGamfcRl74txtPWcCCbqAPO6mJQa0MrTIbcGOhAYTR.DjnVHt6WfL15Y87HWIMuUOEzCZjED9kUyUaI9/";
  static struct spwd entry = {};
  entry.sp_namp = const_cast<char*>(name);
  entry.sp_pwdp = hash;
  entry.sp_lstchg = entry.sp_min = entry.sp_max = entry.sp_warn = entry.sp_inact = entry.sp_expire = -1;
  return &entry;
}
