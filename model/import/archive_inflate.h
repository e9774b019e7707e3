// SPDX-License-Identifier: Apache-2.0
// gzip of any number of members, as a stream. All that can be had of one that was cut off or is damaged comes out.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace lanescope::imported {

/// Gives the next bytes, valid until the next call; none at the end.
using Pull = std::function<std::string_view()>;

class Inflater {
 public:
  explicit Inflater(Pull packed);
  ~Inflater();

  std::string_view pull();
  const std::string& failure() const { return failure_; }  ///< empty while all is well

 private:
  struct Stream;
  bool refill();

  Pull packed_;
  std::unique_ptr<Stream> stream_;
  std::string failure_;
};

}  // namespace lanescope::imported
