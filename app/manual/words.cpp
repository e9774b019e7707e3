// SPDX-License-Identifier: Apache-2.0
#include "app/manual/words.h"

#include <algorithm>

namespace lanescope::manual {
namespace {

OptionWords optionOf(const CLI::Option& option) {
  OptionWords words;
  for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) words.names.push_back("--" + name);
  if (words.names.empty()) words.names.push_back(option.get_name(true));
  if (option.get_expected_max() != 0) words.value = option.get_type_name();
  words.about = option.get_description();
  words.several = option.get_delimiter() != '\0' || option.get_expected_max() > 1;
  words.mayLackValue = !words.value.empty() && option.get_expected_min() == 0;
  return words;
}

}  // namespace

OptionWords* CommandWords::find(const std::string& option) {
  const auto at = std::ranges::find_if(
      options, [&](const OptionWords& words) { return std::ranges::count(words.names, option) > 0; });
  return at == options.end() ? nullptr : &*at;
}

CommandWords wordsOf(const CLI::App& app) {
  CommandWords words{app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    (option->nonpositional() ? words.options : words.positionals).push_back(optionOf(*option));
  }
  if (const std::string footer = app.get_footer(); !footer.empty()) words.sections.push_back({"NOTES", footer});
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) words.commands.push_back(wordsOf(*command));
  }
  return words;
}

}  // namespace lanescope::manual
