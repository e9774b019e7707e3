// SPDX-License-Identifier: Apache-2.0
// Calls of the CUDA API: which are recorded, what they are called, and recording them from CUPTI's callbacks into the
// ring of the calling thread. A driver call inside a runtime call is that call's own business and left out. The noisy
// ones (getters, attribute queries, polling) are left out unless all are asked for. About 90 ns a call.
#pragma once

#include <cstdint>

#include "collector/inject/cupti_library.h"
#include "collector/inject/options.h"

namespace lanescope::inject {

/// Looks up all names, so that no callback has to ask CUPTI.
void nameApiCalls(const CuptiLibrary& library);
const char* apiName(bool runtime, std::uint32_t callback);
/// Of those that are left out unless all are asked for.
bool isLeftOut(bool runtime, std::uint32_t callback);

/// Switches callbacks on, for calls or only for what begins and ends a capture.
bool enableApiCallbacks(const CuptiLibrary& library, CUpti_SubscriberHandle subscriber, const Options& options);
/// Switches the activity kinds on.
void enableApiActivities(const CuptiLibrary& library, const Options& options);

/// From CUPTI, in the program's own thread.
void onApiCall(CUpti_CallbackDomain domain, CUpti_CallbackId callback, const CUpti_CallbackData& call);

}  // namespace lanescope::inject
