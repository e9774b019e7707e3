// SPDX-License-Identifier: Apache-2.0
#include "model/report/step_limit.h"

namespace lanescope::report {
namespace {

constexpr int kStepsALook = 1000;

}  // namespace

StepLimit::StepLimit(const Database& database, Job job, std::uint64_t most)
    : database_(database), job_(std::move(job)), most_(most) {
  sqlite3_progress_handler(database_.raw(), kStepsALook, &StepLimit::look, this);
}

StepLimit::~StepLimit() { sqlite3_progress_handler(database_.raw(), 0, nullptr, nullptr); }

int StepLimit::look(void* self) {
  auto& limit = *static_cast<StepLimit*>(self);
  limit.steps_ += kStepsALook;
  return limit.exceeded() ? 1 : 0;
}

}  // namespace lanescope::report
