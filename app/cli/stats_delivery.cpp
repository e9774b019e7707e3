// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stats_delivery.h"

#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/remote_file.h"
#include "model/utf8.h"

namespace lanescope::cli {

Source sourceOf(const std::string& file) { return {repairUtf8(shownName(file)), namesake(file)}; }

std::string skippedText(const Source& source, const std::string& missing) {
  return fmt::format("SKIPPED: {} {} not contain {}.\n", source.shown, source.several ? "do" : "does", missing);
}

int deliver(const Made& made, const StatsOrder& order, const Source& source, const StatsOptions& options,
            const std::string& suffix) {
  const std::string name = order.name();
  if (!options.quiet) print("Processing [{}] with [{}]... ", source.shown, name);
  if (made.error) return complain(*made.error);
  if (made.title.empty()) {
    const std::string skipped = skippedText(source, made.text);
    if (options.quiet) fmt::print(stderr, "{}", skipped);
    else put(skipped + '\n');
    return 0;
  }
  if (!options.quiet) put("\n");
  if (order.destination.isConsole()) {
    if (options.quiet) put(made.text);
    else print("\n ** {} ({}):\n\n{}\n", made.title, name, made.text);
    return 0;
  }
  const auto error = order.destination.isCommand()
                         ? pipeInto(order.destination.text().substr(1), made.text)
                         : writeFile(order.destination.path(source.path, name + suffix, nameOf(order.style.format)),
                                     made.text, options.overwrite);
  return error ? complain(*error) : 0;
}

void sayReason(const std::string& file, const std::string& reason) {
  fmt::print(stderr, "lanescope: {}\n", repairUtf8(shownName(file) + ": " + reason));
}

}  // namespace lanescope::cli
