// SPDX-License-Identifier: Apache-2.0
// EXPECTED.json of the strangers' files: figures computed with plain SQL.
#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>
#include <vector>

#include "tests/support/files.h"

namespace lanescope::imported {

class Figures {
 public:
  /// `file`: "nvprof/O-P01__trace.nvvp". Adds a failure if there are none.
  explicit Figures(const std::string& file) {
    simdjson::dom::element all;
    EXPECT_FALSE(parser_.load((test::sharedFolder() / "traces/EXPECTED.json").string()).get(all));
    EXPECT_FALSE(all[file]["figures"].get(figures_)) << file;
  }

  bool has(const char* key) const { return !figures_[key].error(); }
  std::int64_t number(const char* key) const {
    std::int64_t value = 0;
    return figures_[key].get(value) ? 0 : value;
  }
  std::vector<std::int64_t> numbers(const char* key) const { return numbersIn(figures_[key]); }
  /// "1": [4, 16777216, 8660184] and so on.
  std::map<std::string, std::vector<std::int64_t>> lists(const char* key) const {
    std::map<std::string, std::vector<std::int64_t>> lists;
    simdjson::dom::object object;
    if (figures_[key].get(object)) return lists;
    for (const auto& [name, value] : object) lists[std::string(name)] = numbersIn(simdjson::dom::element(value));
    return lists;
  }

 private:
  static std::vector<std::int64_t> numbersIn(simdjson::simdjson_result<simdjson::dom::element> list) {
    std::vector<std::int64_t> numbers;
    simdjson::dom::array array;
    if (list.get(array)) return numbers;
    for (const auto& value : array) numbers.push_back(value.get_int64().value());
    return numbers;
  }

  simdjson::dom::parser parser_;
  simdjson::dom::element figures_;
};

}  // namespace lanescope::imported
