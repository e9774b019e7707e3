// SPDX-License-Identifier: Apache-2.0
// The words that a program understands, as a value: what manual pages and shell completion are made from, so that
// neither says anything that the program does not. Text is UTF-8 of one line unless said otherwise.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::manual {

struct OptionWords {
  std::vector<std::string> names;  ///< "-o", "--output"; of a positional word one, "FILE"
  std::string value;  ///< "NAME"; empty: it takes none
  std::string about;
  std::string heading = {};  ///< that it stands under in a page; empty: "Options"
  std::vector<std::string> choices = {};  ///< what completion offers for its value; empty: files
  bool several = false;   ///< values, with commas between
  bool mayLackValue = false;  ///< --name alone, or --name=value
  bool offered = true;    ///< by completion
};

struct Section {
  std::string title;  ///< "EXIT STATUS"
  std::string text;   ///< lines, kept as they are
};

struct CommandWords {
  std::string name, about;
  std::vector<OptionWords> options, positionals;
  std::vector<Section> sections = {};  ///< of its page, behind the options; those titled "DESCRIPTION" before
  bool startsProgram = false;          ///< what follows the first word that is no option is that program's
  std::vector<CommandWords> commands = {};

  OptionWords* find(const std::string& option);  ///< null if it has no such
};

/// What the parser knows; hidden options and commands left out.
CommandWords wordsOf(const CLI::App& app);

/// A page of section 1 in the language of man(7): of the program, or of one of its commands.
std::string manPage(const CommandWords& program, const std::string& version);
std::string manPage(const CommandWords& program, const CommandWords& command, const std::string& version);

inline constexpr std::array kShells{"bash", "zsh", "fish"};
/// Nothing for another shell.
std::optional<std::string> completion(const CommandWords& program, std::string_view shell);

}  // namespace lanescope::manual
