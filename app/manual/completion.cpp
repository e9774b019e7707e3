// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "app/manual/words.h"
#include "model/shell_words.h"

namespace lanescope::manual {
namespace {

/// `text` with `mark` before each of `these`.
std::string marked(std::string_view text, std::string_view these, std::string_view mark) {
  std::string out;
  for (const char c : text) {
    if (these.find(c) != std::string_view::npos) out += mark;
    out += c;
  }
  return out;
}

std::string inOneLine(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::string functionName(const CommandWords& program) {
  std::string name = "_" + program.name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

bool takesWord(const OptionWords& option) { return !option.value.empty() && !option.mayLackValue; }

std::vector<std::string> offered(const CommandWords& command) {
  std::vector<std::string> names;
  for (const OptionWords& option : command.options)
    if (option.offered) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> namesOf(const std::vector<CommandWords>& commands) {
  std::vector<std::string> names;
  for (const CommandWords& command : commands) names.push_back(command.name);
  return names;
}

/// Every level as a command with the words before it: "", "stats", ….
std::vector<const CommandWords*> levels(const CommandWords& program) {
  std::vector<const CommandWords*> all{&program};
  for (const CommandWords& command : program.commands) all.push_back(&command);
  return all;
}

std::string bash(const CommandWords& program) {
  std::string values, afterEquals, options, words, starters;
  std::set<std::string> takers;  // options of what starts a program that take the next word
  for (const CommandWords* level : levels(program)) {
    const std::string name = level == &program ? "" : level->name;
    for (const OptionWords& option : level->options) {
      if (level->startsProgram && takesWord(option)) takers.insert(option.names.begin(), option.names.end());
      if (!option.offered || option.value.empty()) continue;
      const std::string patterns = fmt::format("{0}:{1}", name, fmt::join(option.names, "|" + name + ":"));
      (option.mayLackValue ? afterEquals : values) +=
          option.choices.empty()
              ? fmt::format("    {}) return ;;\n", patterns)
              : fmt::format("    {}) values={} ;;\n", patterns, singleQuoted(inOneLine(option.choices)));
    }
    options += fmt::format("    '{}') options={} ;;\n", name, singleQuoted(inOneLine(offered(*level))));
    std::vector<std::string> next = namesOf(level->commands);
    for (const OptionWords& word : level->positionals)
      next.insert(next.end(), word.choices.begin(), word.choices.end());
    if (!next.empty()) words += fmt::format("    '{}') words='{}' ;;\n", name, fmt::join(next, " "));
    if (level->startsProgram) starters += fmt::format("{}{}", starters.empty() ? "" : "|", name);
  }
  std::string text =
      fmt::format("# Completion of {0} for bash; made by {0} itself.\n{1}() {{\n", program.name, functionName(program));
  text +=
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= values= options= words=\n"
      "  local equals=\n"
      "  COMPREPLY=()\n"
      "  if [[ $cur == = ]]; then cur= equals=1; fi\n"
      "  if [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]} equals=1; fi\n";
  if (!program.commands.empty()) text += "  ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}\n";
  if (!starters.empty()) {
    text += fmt::format("  case $command in {})\n", starters);
    text +=
        "    local i\n"
        "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
        "      case ${COMP_WORDS[i]} in\n"
        "        --) return ;;\n"
        "        =|true|false) ;;\n";
    text += fmt::format("        {}) ((i++)); [[ ${{COMP_WORDS[i]}} == = ]] && ((i++)) ;;\n", fmt::join(takers, "|"));
    text +=
        "        -*) [[ ${COMP_WORDS[i+1]} == = ]] && ((i += 2)) ;;\n"
        "        *) return ;;\n"
        "      esac\n"
        "    done\n"
        "  esac\n";
  }
  text += "  case $command:$prev in\n" + values + "  esac\n";
  if (!afterEquals.empty()) text += "  [[ $equals ]] && case $command:$prev in\n" + afterEquals + "  esac\n";
  text +=
      "  if [[ $values ]]; then\n"
      "    local before=\n"
      "    [[ $cur == *,* ]] && before=${cur%,*},\n"
      "    COMPREPLY=($(compgen -P \"$before\" -W \"$values\" -- \"${cur##*,}\"))\n"
      "    return\n"
      "  fi\n"
      "  if [[ $cur == -* ]]; then\n"
      "    case $command in\n" +
      options +
      "    esac\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
      "    return\n"
      "  fi\n";
  text += "  case $command in\n" + words;
  if (!starters.empty()) {
    text += fmt::format("    {}) [[ $cur && $cur != */* ]] && COMPREPLY=($(compgen -c -- \"$cur\"))\n", starters) +
            "      return ;;\n";
  }
  text += "  esac\n  [[ $words ]] && COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\n";
  return text + fmt::format("complete -o default -F {} {}\n", functionName(program), program.name);
}

std::string zshValue(const OptionWords& option) {
  if (option.value.empty()) return {};
  const std::string what = marked(option.value, ":\\[]", "\\");
  const std::string colon = option.mayLackValue ? "::" : ":";
  if (option.choices.empty()) return fmt::format("{}{}:_files", colon, what);
  if (option.several) return fmt::format("{}{}:_sequence compadd - {}", colon, what, fmt::join(option.choices, " "));
  return fmt::format("{}{}:({})", colon, what, fmt::join(option.choices, " "));
}

std::string zshSpecs(const CommandWords& command, const std::string& indent) {
  std::string text;
  for (const OptionWords& option : command.options) {
    if (!option.offered) continue;
    for (const std::string& name : option.names) {
      const std::string others = option.several ? "*" : fmt::format("({})", fmt::join(option.names, " "));
      const char* join = option.value.empty() ? "" : !name.starts_with("--") ? "+" : option.mayLackValue ? "=-" : "=";
      text += fmt::format(" \\\n{}{}", indent,
                          singleQuoted(fmt::format("{}{}{}[{}]{}", others, name, join,
                                                   marked(option.about, "\\[]", "\\"), zshValue(option))));
    }
  }
  return text;
}

std::string zsh(const CommandWords& program) {
  const std::string function = functionName(program);
  std::string text = fmt::format("#compdef {0}\n# Made by {0} itself.\n{1}() {{\n", program.name, function);
  if (program.commands.empty()) {
    return text + "  _arguments -S" + zshSpecs(program, "    ") + " \\\n    '*:file:_files'\n}\n" + function +
           " \"$@\"\n";
  }
  text += "  local curcontext=$curcontext state line ret=1\n  typeset -A opt_args\n";
  text += "  _arguments -C" + zshSpecs(program, "    ") + " \\\n    '1: :->command' '*:: :->words' && ret=0\n";
  text += "  case $state in\n    command)\n      local -a commands=(\n";
  for (const CommandWords& command : program.commands)
    text += fmt::format("        {}\n", singleQuoted(command.name + ":" + marked(command.about, ":\\", "\\")));
  text += "      )\n      _describe -t commands command commands && ret=0 ;;\n    words)\n      case $words[1] in\n";
  for (const CommandWords& command : program.commands) {
    text += fmt::format("        {})\n          _arguments -S{}", command.name, zshSpecs(command, "            "));
    if (command.startsProgram) text += " \\\n            '*:: :_normal'";
    else if (!command.commands.empty())
      text += fmt::format(" \\\n            '1:command:({})'", fmt::join(namesOf(command.commands), " "));
    for (const OptionWords& word : command.positionals) {
      if (!word.choices.empty())
        text += fmt::format(" \\\n            '1:{}:({})'", word.names[0], fmt::join(word.choices, " "));
      else if (!command.startsProgram) text += fmt::format(" \\\n            '*:{}:_files'", word.names[0]);
    }
    text += " && ret=0 ;;\n";
  }
  return text + "      esac ;;\n  esac\n  return ret\n}\n" + function + " \"$@\"\n";
}

std::string inFishQuotes(std::string_view text) { return "'" + marked(text, "\\'", "\\") + "'"; }

std::string fish(const CommandWords& program) {
  std::string text = fmt::format("# Completion of {0} for fish; made by {0} itself.\n", program.name);
  const auto begin = [&](const CommandWords& level) {
    std::string line = fmt::format("complete -c {}", program.name);
    if (program.commands.empty()) return line;
    if (&level == &program) return line + " -n __fish_use_subcommand";
    return line + fmt::format(" -n '__fish_seen_subcommand_from {}'", level.name);
  };
  const auto word = [&](const CommandWords& level, const std::string& name, const std::string& about) {
    text += begin(level) + fmt::format(" -f -a {}", name);
    text += about.empty() ? "\n" : fmt::format(" -d {}\n", inFishQuotes(about));
  };
  for (const CommandWords* level : levels(program)) {
    for (const CommandWords& command : level->commands) word(*level, command.name, command.about);
    for (const OptionWords& positional : level->positionals)
      for (const std::string& choice : positional.choices) word(*level, choice, {});
    for (const OptionWords& option : level->options) {
      if (!option.offered) continue;
      text += begin(*level);
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (takesWord(option)) text += " -r";
      if (!option.choices.empty()) text += fmt::format(" -f -a {}", inFishQuotes(inOneLine(option.choices)));
      text += fmt::format(" -d {}\n", inFishQuotes(option.about));
    }
  }
  return text;
}

}  // namespace

std::optional<std::string> completion(const CommandWords& program, std::string_view shell) {
  if (shell == "bash") return bash(program);
  if (shell == "zsh") return zsh(program);
  if (shell == "fish") return fish(program);
  return std::nullopt;
}

}  // namespace lanescope::manual
