// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in the fields of the form of a recording, put there and read.
#include <QCheckBox>
#include <QComboBox>
#include <QToolButton>
#include <algorithm>

#include "model/shell_words.h"
#include "views/dialogs/marked_field.h"
#include "views/dialogs/record_form.h"
#include "views/text.h"

namespace lanescope::views {

using record::Range;
using record::RecordSettings;

void RecordForm::fill(const RecordRequest& request) {
  isFilling_ = true;
  const RecordSettings& settings = request.settings;
  program_->setText(shellLine(settings.program));
  folder_->setText(request.folder);
  std::vector<std::string> variables;
  for (const auto& [name, value] : settings.environment) variables.push_back(name + "=" + value);
  environment_->setText(shellLine(variables));
  host_->setCurrentText(request.host.empty() ? host_->itemText(0) : toQt(request.host));
  for (const auto& [name, box] : traces_) {
    box->setChecked(std::ranges::find(settings.trace, name) != settings.trace.end());
  }
  samples_->setChecked(settings.cpuSamples);
  switches_->setChecked(settings.contextSwitches);
  scope_->setCurrentIndex(settings.systemWide);
  cpuHertz_->setText(settings.cpuHertz);
  backtrace_->setCurrentIndex(std::max(backtrace_->findData(toQt(settings.backtrace)), 0));
  osThreshold_->setText(settings.osThreshold);
  const RecordSettings fresh;
  more_->setChecked(more_->isChecked() || settings.systemWide || settings.cpuHertz != fresh.cpuHertz ||
                    settings.backtrace != fresh.backtrace || settings.osThreshold != fresh.osThreshold);
  python_->setChecked(settings.pythonSamples);
  pythonOfCalls_->setChecked(settings.pythonOfCalls);
  memory_->setChecked(settings.memoryUsage);
  graphs_->setCurrentIndex(settings.graphNodes);
  devices_->setText(settings.gpuMetrics);
  hertz_->setText(settings.gpuMetricsHertz);
  range_->setCurrentIndex(static_cast<int>(settings.range));
  nvtxRange_->setText(settings.nvtxRange);
  delay_->setText(settings.delay);
  duration_->setText(settings.duration);
  after_->setCurrentIndex(settings.endsProgram);
  output_->setText(settings.output);
  overwrite_->setChecked(settings.overwrite);
  isFilling_ = false;
  update();
}

RecordRequest RecordForm::request() const {
  RecordRequest made{{}, folder_->text(), {}};
  RecordSettings& settings = made.settings;
  settings.program = program_->words();
  for (const std::string& word : environment_->words()) {
    const std::size_t equals = std::min(word.find('='), word.size());
    settings.environment.emplace_back(word.substr(0, equals), word.substr(std::min(equals + 1, word.size())));
  }
  if (const QString host = host_->currentText().trimmed(); host != host_->itemText(0)) made.host = host.toStdString();
  settings.trace.clear();
  for (const auto& [name, box] : traces_) {
    if (box->isChecked() && box->isEnabled()) settings.trace.push_back(name);
  }
  settings.cpuSamples = samples_->isChecked();
  settings.contextSwitches = switches_->isChecked();
  settings.systemWide = scope_->currentIndex() == 1;
  settings.cpuHertz = cpuHertz_->text();
  settings.backtrace = backtrace_->currentData().toString().toStdString();
  settings.osThreshold = osThreshold_->text();
  settings.pythonSamples = python_->isChecked();
  settings.pythonOfCalls = pythonOfCalls_->isChecked();
  settings.memoryUsage = memory_->isChecked();
  settings.graphNodes = graphs_->currentIndex() == 1;
  settings.gpuMetrics = devices_->text();
  settings.gpuMetricsHertz = hertz_->text();
  settings.range = static_cast<Range>(range_->currentIndex());
  settings.nvtxRange = nvtxRange_->text();
  settings.delay = delay_->text();
  settings.duration = duration_->text();
  settings.endsProgram = after_->currentIndex() == 1;
  settings.output = output_->text();
  settings.overwrite = overwrite_->isChecked();
  return made;
}

}  // namespace lanescope::views
