// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <memory>

#include "collector/launch/clock.h"
#include "collector/launch/detached.h"
#include "collector/launch/input_file.h"
#include "collector/launch/recorded_so_far.h"
#include "model/json.h"

namespace lanescope::launch {
namespace {

constexpr useconds_t kMoment = 50'000;
constexpr trace::Ns kBetweenFigures = kSecond / 2;
constexpr std::uint64_t kMostOutput = 1u << 20;  ///< of what was written before somebody looks
constexpr std::size_t kLongestPiece = 64u << 10;

template <class T>
std::string memberLine(std::string_view name, const T& value) {
  return JsonWriter().beginObject().member(name, value).endObject().text();
}

class Follower {
 public:
  Follower(std::string id, const std::function<void(const std::string&)>& tell) : id_(std::move(id)), tell_(tell) {}

  void toTheEnd() {
    for (;;) {
      const auto now = detachedRecording(id_);  // before its output is read: nothing comes after the end
      if (!now) return;
      const bool ends = now->state != DetachedState::kRuns;
      tellOutput(now->folder / "output", ends);
      for (; reports_ < now->reports.size(); ++reports_) tell_(memberLine("report", now->reports[reports_]));
      tellFigures(*now);
      if (now->state == DetachedState::kEnded) return tell_(memberLine("status", std::int64_t{now->status}));
      if (now->state == DetachedState::kKilled) return tell_(memberLine("left", now->left));
      usleep(kMoment);
    }
  }

 private:
  void tellOutput(const std::filesystem::path& path, bool ends) {
    const auto file = InputFile::open(path);
    if (!file) return;
    if (read_ == 0 && file->size() > kMostOutput) {
      read_ = file->size() - kMostOutput;
      tell_(memberLine("skipped", read_));
    }
    std::string piece(kLongestPiece, '\0');
    while (const std::size_t count = file->read(read_, piece.data(), piece.size())) {
      std::string_view text(piece.data(), count);
      // Up to the end of a line, so that no letter is cut in two; a prompt waits for the next look.
      const std::size_t line = text.find_last_of("\n\r");
      const bool isQuiet = count < kLongestPiece && count == waiting_;
      if (line != std::string_view::npos) text = text.substr(0, line + 1);
      else if (count < kLongestPiece && !ends && !isQuiet) {
        waiting_ = count;
        return;
      }
      waiting_ = 0;
      tell_(memberLine("output", text));
      read_ += text.size();
    }
  }

  void tellFigures(const Detached& now) {
    if (now.left.empty() || now.state != DetachedState::kRuns) return;
    if (!soFar_) soFar_ = std::make_unique<RecordedSoFar>(now.left);
    if (const trace::Ns time = monotonicNow(); time - told_ >= kBetweenFigures) {
      told_ = time;
      soFar_->look();
      tell_(JsonWriter()
                .beginObject()
                .member("bytes", soFar_->bytes())
                .member("events", soFar_->events())
                .endObject()
                .text());
    }
  }

  std::string id_;
  const std::function<void(const std::string&)>& tell_;
  std::uint64_t read_ = 0;
  std::size_t waiting_ = 0;  ///< bytes of a line that has not ended, at the last look
  std::size_t reports_ = 0;
  trace::Ns told_ = 0;
  std::unique_ptr<RecordedSoFar> soFar_;
};

}  // namespace

void followDetached(const std::string& id, const std::function<void(const std::string&)>& tell) {
  Follower(id, tell).toTheEnd();
}

}  // namespace lanescope::launch
