// SPDX-License-Identifier: GPL-3.0-or-later
// What the recorder says about what is typed into the form of a recording: its table of options, its own reading of the
// command line, and what it would find on this machine's disk. Any thread.
#pragma once

#include "collector/launch/options.h"
#include "model/record/record_settings.h"
#include "views/dialogs/record_form.h"

namespace lanescope::ui {

views::RecorderWords recorderWords();

/// What a command line that was read asks for, as the form has it; what the form has no field for is left out.
record::RecordSettings settingsOf(const launch::Options& options);

}  // namespace lanescope::ui
