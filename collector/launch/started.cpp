// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/started.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>

#include "collector/launch/clock.h"
#include "collector/launch/fact_lines.h"
#include "collector/launch/interruptible.h"

namespace lanescope::launch {

Job Started::writing(const Job& job) const {
  return interruptible(
      job, [this] { return signals.endsAsked(); },
      [this] { say("writing the report; interrupt again to leave it for `lanescope recover`"); });
}

void Started::waitForTheProgram() {
  const int asked = signals.endsAsked();
  while (!target.status()) {
    const std::uint32_t seen = session.control().seen();
    target.look();
    if (target.status() || (asked >= 2 && signals.endsAsked() > asked)) break;
    session.control().wait(seen, 3600 * kSecond);
  }
  signals.detach();
}

void Started::lookAtUsers() {
  const Facts facts = otherUsers.look(monotonicNow());
  // Without room for it the recording ends anyway.
  if (!facts.empty()) [[maybe_unused]]
    const auto ignored = session.addFacts(facts);
}

bool Started::hasSaid(std::string_view line) const {
  const auto isIt = [&](const auto& trouble) { return trouble.text == line; };
  return sampler.hasSaid(line) || (options.asksForCpu && std::ranges::any_of(cpu.troubles(), isIt));
}

void Started::finishSampling() {
  sampler.finish();
  cpu.finish();
  if (python) python->finish();
}

int Started::exitStatus() const {
  if (!target.status()) return 128 + signals.lastSignal();
  const int status = *target.status();
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

Facts factsOfEnd(const Target& target) {
  Facts facts;
  const auto add = [&](pid_t process, int status) {
    facts.emplace_back(fmt::format("{}{}", kEndedFact, process), WIFSIGNALED(status)
                                                                     ? fmt::format("signal {}", WTERMSIG(status))
                                                                     : fmt::format("code {}", WEXITSTATUS(status)));
  };
  if (const auto status = target.status()) {
    if (WIFSIGNALED(*status)) facts.emplace_back("signal", std::to_string(WTERMSIG(*status)));
    else facts.emplace_back("exit-code", std::to_string(WEXITSTATUS(*status)));
    add(target.process(), *status);
  }
  for (const auto& [process, status] : target.orphans()) add(process, status);
  return facts;
}

}  // namespace lanescope::launch
