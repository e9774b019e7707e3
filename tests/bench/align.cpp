// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "model/compare/changes.h"
#include "model/report/load.h"
#include "tests/bench/commands.h"
#include "tests/bench/measure.h"

namespace lanescope::bench {

int align(const std::filesystem::path& fileA, const std::filesystem::path& fileB) {
  trace::TracePtr traces[2];
  for (const bool isB : {false, true}) {
    const auto loaded = report::load(isB ? fileB : fileA, {}, {}, Job{});
    if (!loaded) {
      fmt::print(stderr, "lanescope-bench: {}\n", sentence(loaded.error()));
      return exitStatus(loaded.error());
    }
    traces[isB] = *loaded;
  }
  const trace::TracePtr &a = traces[0], &b = traces[1];
  std::optional<compare::Alignment> alignment;
  std::vector<compare::ChangedEvent> biggest;
  std::size_t differing = 0;
  const auto measured = [](auto work) {
    const auto began = std::chrono::steady_clock::now();
    const double cpu = cpuMilliseconds();
    work();
    return fmt::format("{{\"seconds\":{:.3f},\"thread_cpu_s\":{:.3f}}}",
                       std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(),
                       (cpuMilliseconds() - cpu) / 1e3);
  };
  const std::string aligning = measured([&] { alignment = compare::align(a, b, {}, {}); });
  const std::string changing = measured([&] {
    const compare::NameChanges names = compare::nameChanges(*a, *b, *alignment);
    biggest = compare::biggestChanges(*a, *b, *alignment);
    for (const auto& row : compare::rowChanges(*a, *b, *alignment, compare::matchRows(*a, *b)))
      differing += row.differs();
  });
  fmt::print(
      "{{\"events\":[{},{}],\"align\":{},\"changes\":{},\"steps\":{},\"matched\":[{},{}],\"of\":[{},{}],\"moments\":{},"
      "\"residual_ns\":{},\"biggest\":{},\"differing_rows\":{}}}\n",
      a->eventCount(), b->eventCount(), aligning, changing, alignment->steps, alignment->matchedA, alignment->matchedB,
      alignment->ofA, alignment->ofB, alignment->map.moments().size(), alignment->residual, biggest.size(), differing);
  return 0;
}

}  // namespace lanescope::bench
