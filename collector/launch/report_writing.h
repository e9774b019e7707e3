// SPDX-License-Identifier: Apache-2.0
// A report out of a session, under the name that its user wants, and all the user is to hear of it. One thread a report;
// the session may go on meanwhile.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

#include "collector/launch/finish.h"
#include "collector/launch/output_name.h"
#include "collector/launch/recording.h"

namespace lanescope::launch {

struct Wanted {
  std::filesystem::path session;
  OutputName name;
  pid_t process = 0;  ///< the program's, for the name
  trace::Ns began = 0;  ///< CLOCK_REALTIME: -f replaces only what stood there before
  std::optional<std::size_t> number = {};  ///< of several reports of one name; of them none replaces another
  Part part = {};
};

/// `wasSaid`: lines of the report's notes that the user knows. Says the error, and what is kept then.
Result<FinishResult> writeReport(const Wanted& wanted, const Options& options, const Job& job, const Audience& audience,
                                 const std::function<bool(std::string_view)>& wasSaid);

void sayWhatIsKept(const std::filesystem::path& session, std::string_view when, const Audience& audience);

}  // namespace lanescope::launch
