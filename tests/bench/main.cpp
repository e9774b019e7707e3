// SPDX-License-Identifier: GPL-3.0-or-later
// lanescope-bench: how fast a report loads, a frame is drawn, a range is summed up, an event is found, a filter is
// seen, two reports are aligned, a recording is finished, a stack is walked. One JSON object on standard output.
#include <CLI/CLI.hpp>
#include <QApplication>

#include "tests/bench/commands.h"

int main(int argc, char** argv) {
  CLI::App app("Measures Lanescope on a report and prints one JSON object");
  app.require_subcommand(1);
  std::string file;
  std::string size = "1920x1080";
  CLI::App* load = app.add_subcommand("load", "from the file to the finished trace, beside a bare SQLite scan");
  load->add_option("FILE", file)->required();
  bool projections = false;
  load->add_flag("--projections", projections, "with the projections of NVTX ranges, as the viewer makes them");
  CLI::App* frames = app.add_subcommand("frames", "full frames of the timeline with every row open");
  frames->add_option("FILE", file)->required();
  frames->add_option("--size", size, "of the canvas with headers, WxH")->capture_default_str();
  CLI::App* select = app.add_subcommand("select", "figures of ranges: by name, by row, of the GPUs");
  select->add_option("FILE", file)->required();
  std::string query;
  bool regex = false;
  CLI::App* search = app.add_subcommand("search", "a query over all events, and the step to the next hit");
  search->add_option("FILE", file)->required();
  search->add_option("QUERY", query)->required();
  search->add_flag("--regex", regex, "the text is an expression");
  CLI::App* ui = app.add_subcommand(
      "ui", "a filter over all events, from its text to the picture; sorting all of them; how long the GUI waits");
  ui->add_option("FILE", file)->required();
  ui->add_option("FILTER", query)->required();
  ui->add_flag("--regex", regex, "the text is an expression");
  ui->add_option("--size", size, "of the timeline, WxH")->capture_default_str();
  std::string other;
  CLI::App* align = app.add_subcommand("align", "two reports laid one above the other, and what changed between them");
  align->add_option("FILE", file)->required();
  align->add_option("OTHER", other)->required();
  std::size_t events = 1'000'000;
  CLI::App* finish = app.add_subcommand("finish", "from the folder of a recording to the report");
  finish->add_option("--events", events, "of the recording, which is made up")->capture_default_str();
  CLI::App* unwind = app.add_subcommand("unwind", "stacks and symbols of an ELF file");
  unwind->add_option("FILE", file)->required();
  CLI11_PARSE(app, argc, argv);

  if (load->parsed()) return lanescope::bench::load(file, projections);
  if (select->parsed()) return lanescope::bench::select(file);
  if (align->parsed()) return lanescope::bench::align(file, other);
  if (search->parsed()) return lanescope::bench::search(file, query, regex);
  if (finish->parsed()) return lanescope::bench::finish(events);
  if (unwind->parsed()) return lanescope::bench::unwindStacks(file);
  int width = 0, height = 0;
  if (std::sscanf(size.c_str(), "%dx%d", &width, &height) != 2 || width < 400 || height < 100) {
    std::fprintf(stderr, "lanescope-bench: %s: is no size; write it as 1920x1080\n", size.c_str());
    return 2;
  }
  qputenv("QT_QPA_PLATFORM", "offscreen");
  if (ui->parsed()) return lanescope::bench::ui(argc, argv, file, {width, height}, query, regex);
  const QApplication application(argc, argv);
  return lanescope::bench::frames(file, {width, height});
}
