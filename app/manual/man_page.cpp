// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sstream>

#include "app/manual/words.h"

namespace lanescope::manual {
namespace {

/// Text as man(7) prints it: nothing in it is a request, and a minus is the one of the keyboard.
std::string escaped(std::string_view text) {
  std::string out;
  bool lineBegins = true;
  for (const char c : text) {
    if (lineBegins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
    lineBegins = c == '\n';
  }
  return out;
}

std::string literal(const std::string& text) {
  std::string out = ".nf\n";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out += line.empty() ? ".sp\n" : escaped(line) + "\n";
  return out + ".fi\n";
}

/// May be broken behind each choice.
std::string breakable(const std::string& value) {
  std::string out;
  for (const char c : escaped(value)) out += c == '|' ? std::string("|\\:") : std::string(1, c);
  return out;
}

std::string head(const OptionWords& option) {
  std::string text;
  for (const std::string& name : option.names) {
    if (!text.empty()) text += ", ";
    text += fmt::format("\\fB{}\\fR", escaped(name));
  }
  if (option.value.empty()) return text;
  const std::string value =
      fmt::format("{}\\fI{}\\fR", option.names.back().starts_with("--") ? "=" : " ", breakable(option.value));
  return text + (option.mayLackValue ? fmt::format("[{}]", value) : value);
}

std::string optionList(const std::vector<OptionWords>& options) {
  std::string text, heading;
  for (const OptionWords& option : options) {
    if (option.heading != heading) text += fmt::format(".SS \"{}\"\n", escaped(option.heading));
    heading = option.heading;
    text += fmt::format(".TP\n{}\n{}\n", head(option), escaped(option.about));
  }
  return text;
}

std::string synopsis(const CommandWords& command) {
  std::string text = " [\\fIOPTION\\fR]...";
  if (!command.commands.empty()) text += " \\fICOMMAND\\fR [\\fIWORD\\fR]...";
  for (const OptionWords& word : command.positionals) {
    if (command.startsProgram) text += " \\fIPROGRAM\\fR [\\fIARGUMENT\\fR]...";
    else text += fmt::format(" [\\fI{}\\fR]{}", word.names[0], word.several ? "..." : "");
  }
  return text;
}

/// `name`: as it is typed, "lanescope stats"; `page`: as man finds it, "lanescope-stats".
std::string page(const CommandWords& command, const std::string& name, const std::string& page,
                 const std::string& seeAlso, const std::string& version) {
  std::string text = fmt::format(".TH {} 1 \"\" \"Lanescope {}\" \"Lanescope\"\n.ad l\n.nh\n", page, version);
  text += fmt::format(".SH NAME\n{} \\- {}\n", escaped(page), escaped(command.about));
  text += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR{}\n", escaped(name), synopsis(command));
  const auto sections = [&](bool described) {
    for (const Section& section : command.sections) {
      if ((section.title == "DESCRIPTION") == described)
        text += fmt::format(".SH {}\n{}", section.title, literal(section.text));
    }
  };
  sections(true);
  if (!command.commands.empty()) {
    text += ".SH COMMANDS\n";
    for (const CommandWords& each : command.commands)
      text += fmt::format(".TP\n\\fB{} {}\\fR\n{}\n", escaped(name), escaped(each.name), escaped(each.about));
  }
  text += ".SH OPTIONS\n" + optionList(command.positionals) + optionList(command.options);
  sections(false);
  return text + ".SH \"SEE ALSO\"\n" + seeAlso + "\n";
}

std::string reference(const std::string& page) { return fmt::format("\\fB{}\\fR(1)", escaped(page)); }

}  // namespace

std::string manPage(const CommandWords& program, const std::string& version) {
  std::string also;
  for (const CommandWords& command : program.commands) also += reference(program.name + "-" + command.name) + ",\n";
  also += reference(program.name == "lanescope" ? "lanescope-ui" : "lanescope");
  return page(program, program.name, program.name, also, version);
}

std::string manPage(const CommandWords& program, const CommandWords& command, const std::string& version) {
  return page(command, program.name + " " + command.name, program.name + "-" + command.name, reference(program.name),
              version);
}

}  // namespace lanescope::manual
