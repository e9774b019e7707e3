// SPDX-License-Identifier: Apache-2.0
// Subscribing to CUPTI, and what the user is told when there will be no GPU data: which file, which versions, who holds
// the subscription, and what would help. One message a cause.
#pragma once

#include <cstdint>

#include "collector/inject/cupti_library.h"

namespace lanescope::inject {

struct Session;

struct SubscribeTrouble {
  CUptiResult result = CUPTI_SUCCESS;
  char holder[128] = {};
  char reason[128] = {};  ///< copied: the library may be gone when it is told
  char path[1024] = {};
  std::uint32_t version = 0;
  bool any() const { return result != CUPTI_SUCCESS; }
};

/// True if the search for a library ends here: subscribed, or held by somebody else.
bool subscribeTo(const CuptiLibrary& library, CUpti_CallbackFunc callback, CUpti_SubscriberHandle& subscriber,
                 SubscribeTrouble& trouble);

void tellCuptiTrouble(Session& session, bool found, const SubscribeTrouble& trouble);
void tellKindRefused(const CuptiLibrary& library, const char* what, CUptiResult result);

}  // namespace lanescope::inject
