// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/metric_table.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <span>

namespace lanescope::sample {
namespace {

enum class Values { kClock, kShare, kWarps };  ///< kWarps gives two rows

struct Base {
  const char* title;
  Values values;
  std::array<const char*, 3> counters;  ///< as many as there are alternatives
};

using enum Values;

// Realtime counters of the SMs only: mixed with others they would need a second pass. What comes first read right on GH100
// beside Nsight Systems: there dramc__ reads a fiftieth, and warps read zero by the plain counter, or behind those of SMs.
constexpr Base kGeneral[] = {
    {"GPC Clock Frequency", kClock, {"gpc__cycles_elapsed"}},
    {"SYS Clock Frequency", kClock, {"sys__cycles_elapsed"}},
    {"GR Active", kShare, {"gr__cycles_active"}},
    {"Compute Warps in Flight",
     kWarps,
     {"TPC.TriageCompute.tpc__warps_active_shader_cs_realtime", "tpc__warps_active_shader_cs_realtime"}},
    {"Unallocated Warps in Active SMs",
     kWarps,
     {"tpc__warps_inactive_sm_active_realtime", "TPC.TriageCompute.tpc__warps_inactive_sm_active_realtime"}},
    {"SMs Active", kShare, {"sm__cycles_active", "TPC.TriageCompute.sm__cycles_active"}},
    {"SM Issue", kShare, {"sm__inst_executed_realtime", "TPC.TriageCompute.sm__inst_executed_realtime"}},
    {"Tensor Active",
     kShare,
     {"sm__pipe_tensor_cycles_active_realtime", "TPC.TriageCompute.sm__pipe_tensor_cycles_active_realtime",
      "sm__pipe_shared_cycles_active_realtime"}},
    {"DRAM Read Bandwidth",
     kShare,
     {"dram__read_throughput", "dramc__read_throughput", "FBSP.TriageCompute.dram__read_throughput"}},
    {"DRAM Write Bandwidth",
     kShare,
     {"dram__write_throughput", "dramc__write_throughput", "FBSP.TriageCompute.dram__write_throughput"}},
    {"NVLink RX Requests Protocol Data", kShare, {"nvlrx__bytes_packet_request_data_protocol"}},
    {"NVLink RX Requests User Data", kShare, {"nvlrx__bytes_packet_request_data_user"}},
    {"NVLink RX Responses Protocol Data", kShare, {"nvlrx__bytes_packet_response_data_protocol"}},
    {"NVLink RX Responses User Data", kShare, {"nvlrx__bytes_packet_response_data_user"}},
    {"NVLink TX Requests Protocol Data", kShare, {"nvltx__bytes_packet_request_data_protocol"}},
    {"NVLink TX Requests User Data", kShare, {"nvltx__bytes_packet_request_data_user"}},
    {"NVLink TX Responses Protocol Data", kShare, {"nvltx__bytes_packet_response_data_protocol"}},
    {"NVLink TX Responses User Data", kShare, {"nvltx__bytes_packet_response_data_user"}},
    {"PCIe RX Throughput", kShare, {"pcie__read_bytes", "PCI.TriageCompute.pcie__read_bytes"}},
    {"PCIe TX Throughput", kShare, {"pcie__write_bytes", "PCI.TriageCompute.pcie__write_bytes"}},
    {"C2C RX Throughput", kShare, {"CTC.TriageCompute.ctc__rx_bytes", "CTC_B.TriageCompute.ctc__rx_bytes"}},
    {"C2C TX Throughput", kShare, {"CTC.TriageCompute.ctc__tx_bytes", "CTC_A.TriageCompute.ctc__tx_bytes"}},
};

constexpr Base kGraphics[] = {
    {"Sync Compute in Flight", kShare, {"gr__compute_cycles_active_queue_sync"}},
    {"Async Compute in Flight", kShare, {"gr__compute_cycles_active_queue_async"}},
    {"Dispatch Started", kShare, {"gr__dispatch_count"}},
    {"Vertex/Tess/Geometry Warps in Flight", kWarps, {"tpc__warps_active_shader_vtg_realtime"}},
    {"Pixel Warps in Flight", kWarps, {"tpc__warps_active_shader_ps_realtime"}},
};

struct Form {
  Values values;
  const char* unit;  ///< in brackets behind the title
  const char* rollup;  ///< behind each counter
};
constexpr Form kForms[] = {
    {kClock, "MHz", ".avg.per_second"},
    {kShare, "Throughput %", ".avg.pct_of_peak_sustained_elapsed"},
    {kWarps, "Throughput %", ".avg.pct_of_peak_sustained_elapsed"},
    {kWarps, "Avg Warps per Cycle", ".avg.per_cycle_elapsed"},
};

/// What Nsight Systems calls the set of a chip; ours asks the chip what it has.
constexpr std::string_view kChips[] = {"tu10x", "tu11x", "ga100", "ga10x", "ad10x", "gh100", "gb10x", "gb20x"};

void append(MetricSet& set, std::span<const Base> bases) {
  for (const Base& base : bases) {
    for (const Form& form : kForms) {
      if (form.values != base.values) continue;
      MetricRow& row = set.rows.emplace_back();
      row.title = std::string(base.title) + " [" + form.unit + "]";
      for (const char* counter : base.counters) {
        if (counter) row.counters.push_back(std::string(counter) + form.rollup);
      }
    }
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// A name that says the unit, where the counter's own does.
std::string titleOf(std::string_view counter) {
  if (counter.find(".pct") != std::string_view::npos) return std::string(counter) + " [Throughput %]";
  return std::string(counter);
}

tl::expected<MetricSet, std::string> fromFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in.is_open()) return tl::unexpected(path + ": no such file; check the path");
  MetricSet set{"file:" + path, {}};
  constexpr std::size_t kMost = 256, kLongest = 512;
  for (std::string line; std::getline(in, line);) {
    const std::string_view text = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (text.empty()) continue;
    const std::size_t equals = text.find('=');
    const std::string counter(trimmed(text.substr(0, equals)));
    const std::string title(equals == text.npos ? titleOf(counter) : std::string(trimmed(text.substr(equals + 1))));
    if (counter.empty() || title.empty() || line.size() > kLongest || counter.find('.') == counter.npos) {
      return tl::unexpected(path + ": a line is COUNTER or COUNTER = NAME, with a counter such as " +
                            "sm__cycles_active.avg.pct_of_peak_sustained_elapsed");
    }
    if (set.rows.size() == kMost) return tl::unexpected(path + ": has too many lines; 256 are the most");
    set.rows.push_back({title, {counter}});
  }
  if (set.rows.empty()) return tl::unexpected(path + ": names no counter; it has one on each line");
  return set;
}

}  // namespace

tl::expected<MetricSet, std::string> metricSet(std::string_view name) {
  constexpr std::string_view kFile = "file:";
  if (name.starts_with(kFile)) return fromFile(std::string(name.substr(kFile.size())));
  MetricSet set{name.empty() ? "general" : std::string(name), {}};
  const bool isChip = std::find(std::begin(kChips), std::end(kChips), set.name) != std::end(kChips);
  if (set.name != "general" && set.name != "graphics" && !isChip) {
    return tl::unexpected(std::string(name) + "; it is general, graphics or file:FILE");
  }
  append(set, kGeneral);
  if (set.name == "graphics") append(set, kGraphics);
  return set;
}

std::string metricSetHelp() {
  std::string text =
      "Sets of GPU metrics for --gpu-metrics-set; each GPU gives those of its rows that its chip has:\n"
      "  general             clocks, SMs, tensor cores, warps, DRAM, NVLink, PCIe [when not given]; the names that\n"
      "                      Nsight Systems has for it by chip are understood too:";
  for (const std::string_view chip : kChips) text += " " + std::string(chip);
  text +=
      "\n"
      "  graphics            the same, with dispatches and the warps of graphics shaders\n"
      "  file:FILE           counters of CUPTI from a file, on each line COUNTER or COUNTER = NAME\n"
      "Rows of general:\n";
  MetricSet general;
  append(general, kGeneral);
  for (const MetricRow& row : general.rows) text += "  " + row.title + "\n";
  return text;
}

}  // namespace lanescope::sample
