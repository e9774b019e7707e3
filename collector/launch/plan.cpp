// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "collector/launch/clock.h"
#include "collector/launch/find_cupti.h"
#include "collector/launch/injection.h"
#include "collector/sample/cpu_events.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

constexpr const char* kOsLibrary = "liblanescope-preload.so";

std::vector<std::string> preloadNames(const Options& options, bool cpuTimers) {
  std::vector<std::string> names;
  if (options.osRuntime || options.pythonGil || cpuTimers) names.emplace_back(kOsLibrary);
  if (options.mpi) names.emplace_back("liblanescope-mpi.so");
  return names;
}

}  // namespace

tl::expected<Plan, std::string> plan(const Options& options) {
  const auto refuse = [](std::string why) { return tl::unexpected(std::move(why)); };
  const ReadVariable ours = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
  const ReadVariable programs = [&](const std::string& name) -> std::optional<std::string> {
    for (auto at = options.environment.rbegin(); at != options.environment.rend(); ++at) {
      if (at->first == name) return at->second;
    }
    return options.inheritEnvironment ? ours(name) : std::nullopt;
  };
  if (std::string why = whyNotHere(programs); !why.empty()) return refuse(std::move(why));

  auto name = OutputName::read(options.output, factsOfThisMachine());
  if (!name) return refuse(name.error());
  std::string note;
  if (const auto rank = rankAmongSeveral(factsOfThisMachine()); rank && !name->tellsApart()) {
    name->addRank(*rank);
    note = fmt::format("one of several ranks: the report is to be {}", name->resolve(0).string());
  }
  if (const auto good = name->check(options.overwrite); !good) return refuse(sentence(good.error()));

  const std::string path = programs("PATH").value_or(ours("PATH").value_or("/usr/local/bin:/usr/bin:/bin"));
  const Result<fs::path> program = findProgram(options.program.front(), path);
  if (!program) return refuse(sentence(program.error()));

  Plan plan{.name = std::move(*name), .command = {*program, options.program, {}, options.showOutput}};
  plan.note = std::move(note);
  plan.began = clockNow(CLOCK_REALTIME);
  plan.recorder = findRecorder();
  const fs::path interpreter = interpreterOf(*program, path);
  plan.whyNotInto = whyNotInto(interpreter);
  const bool wantsSamples = options.asksForCpu && options.cpu.samples != sample::CpuScope::kNone;
  if (wantsSamples) plan.whyNoSamples = sample::CpuEvents::open(options.cpu, getpid(), false, true).whyNoSamples();
  plan.cpuTimers = !plan.whyNoSamples.empty() && !plan.recorder.empty();
  plan.isSetUserId = isSetUserId(interpreter);
  if (options.osRuntime || options.mpi || options.pythonGil || plan.cpuTimers) {
    plan.whyNotPreloaded = whyNotPreloaded(interpreter);
    const bool preloads = plan.whyNotInto.empty() && plan.whyNotPreloaded.empty();
    if (preloads) plan.preload = preloadVariable(plan.recorder, preloadNames(options, plan.cpuTimers), programs);
    if (preloads && !plan.preload) plan.whyNotPreloaded = "the libraries for it are missing beside lanescope";
  }
  if (plan.cpuTimers) {
    const bool isThere = plan.preload && plan.preload->find(kOsLibrary) != std::string::npos;
    plan.whyNoTimers = !plan.whyNotInto.empty()        ? plan.whyNotInto
                       : !plan.whyNotPreloaded.empty() ? plan.whyNotPreloaded
                       : !isThere                      ? std::string(kOsLibrary) + " is missing beside lanescope"
                                                       : "";
    plan.cpuTimers = plan.whyNoTimers.empty();
  }
  if (options.cuda) plan.cupti = findCupti({.interpreter = interpreter, .environment = programs}).string();
  return plan;
}

Facts factsAtStart(const Options& options, const Plan& plan, std::string_view version) {
  Facts facts = launcherFacts();
  facts.emplace_back("launcher-version", version);
  facts.emplace_back("start-realtime", std::to_string(clockNow(CLOCK_REALTIME)));
  facts.emplace_back("start-monotonic", std::to_string(monotonicNow()));
  facts.emplace_back("host", factsOfThisMachine().host);
  facts.emplace_back("executable", plan.command.executable.string());
  facts.emplace_back("command", options.program.front());
  for (std::size_t i = 1; i < options.program.size(); ++i) {
    facts.emplace_back(fmt::format("argument.{}", i - 1), options.program[i]);
  }
  std::string words;
  for (const std::string& word : options.words) words += (words.empty() ? "" : " ") + word;
  facts.emplace_back("options", words);
  return facts;
}

}  // namespace lanescope::launch
