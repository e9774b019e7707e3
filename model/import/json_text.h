// SPDX-License-Identifier: Apache-2.0
// Where the text of a JSON file comes from, and the part of it that is in memory. A window holds at most kMostWindow
// bytes, whatever the file. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model/error.h"

namespace lanescope::imported {

/// The documents of a file one after another, each read from its begin to its end.
class TextSource {
 public:
  virtual ~TextSource() = default;
  /// Goes to the next document, at first to the first; false if there is none, or after a failure.
  virtual bool nextDocument(std::string& name) = 0;
  /// Puts up to `size` bytes of the document there; 0 at its end, and after a failure.
  virtual std::size_t read(char* to, std::size_t size) = 0;
  /// Why reading stopped early; kDamaged where the file is to blame: what came before is sound.
  virtual const std::optional<Error>& failure() const = 0;
  /// How much of the file has been read, 0 to 1.
  virtual double fraction() const = 0;
};

/// A file that is one text, from byte `from` on.
Result<std::unique_ptr<TextSource>> openPlainText(const std::filesystem::path& path, std::uint64_t from);

class TextWindow {
 public:
  static constexpr std::size_t kFirstWindow = std::size_t{256} << 10;
  static constexpr std::size_t kMostWindow = std::size_t{64} << 20;
  static constexpr std::size_t kSlack = 128;  ///< bytes behind the text that may be read

  enum class More {
    kText,  ///< the text has grown
    kEnd,   ///< there is no more
    kFull,  ///< the window holds as much as it may
  };

  /// `base`: where the first byte stands, counted over all documents. `least`: how many bytes are read at once.
  TextWindow(TextSource& source, std::uint64_t base, std::size_t least) : source_(source), base_(base), least_(least) {}

  std::string_view text() const { return {buffer_.get(), size_}; }
  std::uint64_t position(std::size_t at) const { return base_ + at; }

  /// Forgets what stands before `at`, which becomes 0, and reads on.
  More more(std::size_t& at);

 private:
  TextSource& source_;
  std::uint64_t base_;
  std::size_t least_;
  std::unique_ptr<char[]> buffer_;
  std::size_t size_ = 0, capacity_ = 0;
  bool ended_ = false;
};

}  // namespace lanescope::imported
