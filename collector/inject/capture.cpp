// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/capture.h"

#include <cstdio>
#include <cstring>
#include <new>

#include "collector/inject/clock.h"
#include "collector/inject/facts.h"
#include "collector/inject/process.h"
#include "collector/wire/checksum.h"

namespace lanescope::inject {
namespace {

constexpr std::uint32_t kMostRangesTold = 16;

enum class Domains : std::uint8_t { kDefault, kAny, kNamed };

struct Trigger {
  CaptureBy by = CaptureBy::kNone;
  CaptureEnd end = CaptureEnd::kStop;
  std::uint32_t captures = 0;
  std::uint64_t text = 0;
  Domains domains = Domains::kDefault;
  char domain[Options::kLongest] = {};
};
Trigger trigger;

Lock rangeLock;  // of what follows
bool rangeOpen = false;
RangeKey openRange;
std::uint64_t rangesTold[kMostRangesTold] = {};
std::uint32_t rangesToldCount = 0;

std::atomic<std::uint64_t> noted{0};  ///< captures << 2 | state, as last marked in the stream
std::atomic<std::uint64_t> notedTime{0};
std::atomic<std::uint64_t> endedAt{~0ull};

std::uint32_t stateOf(const Session& session) {
  return __atomic_load_n(reinterpret_cast<const std::uint32_t*>(&session.control->capture), __ATOMIC_ACQUIRE);
}

bool move(Session& session, wire::Capture from, wire::Capture to) {
  auto* word = reinterpret_cast<std::uint32_t*>(&session.control->capture);
  auto expected = static_cast<std::uint32_t>(from);
  if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != expected) return false;
  __atomic_store_n(&session.control->changed, now(), __ATOMIC_RELEASE);
  return __atomic_compare_exchange_n(word, &expected, static_cast<std::uint32_t>(to), false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE);
}

void tellEverybody(Session& session) {
  noteCapture(session);
  __atomic_fetch_add(&session.control->wake, 1, __ATOMIC_RELEASE);
  wakeAll(&session.control->wake, Sharing::kEverybody);
}

void mark(bool began, std::uint64_t time) {
  ThreadRing* ring = hostRing();
  if (ring == nullptr) return;
  wire::CaptureMark record;
  record.time = time;
  ring->append(record, wire::RecordType::kCapture, began ? 1 : 0);
}

/// "range@domain", "range@*", "range"; "\@" is an at sign in the range.
void parseRange(const char* wanted) {
  char text[Options::kLongest];
  std::size_t length = 0;
  for (; *wanted != 0 && *wanted != '@'; ++wanted) {
    if (wanted[0] == '\\' && wanted[1] == '@') ++wanted;
    text[length++] = *wanted;
  }
  trigger.text = wire::hash64(text, length);
  trigger.domains = Domains::kDefault;
  if (*wanted != '@') return;
  ++wanted;
  trigger.domains = std::strcmp(wanted, "*") == 0 ? Domains::kAny : Domains::kNamed;
  std::snprintf(trigger.domain, sizeof trigger.domain, "%s", wanted);
}

bool domainMatches(const char* name) {
  if (trigger.domains == Domains::kAny) return true;
  if (trigger.domains == Domains::kDefault) return name == nullptr;
  return name != nullptr ? std::strcmp(name, trigger.domain) == 0 : std::strcmp(trigger.domain, "default") == 0;
}

/// So that a range that never opened can be told from one spelled otherwise.
void tellRange(Session& session, const char* domainName, const Text& text) {
  {
    const Hold hold(rangeLock);
    for (std::uint32_t i = 0; i < rangesToldCount; ++i) {
      if (rangesTold[i] == text.id) return;
    }
    if (rangesToldCount == kMostRangesTold) return;
    rangesTold[rangesToldCount++] = text.id;
  }
  char value[512];
  const bool named = domainName != nullptr;
  std::snprintf(value, sizeof value, "%.*s%s%s", static_cast<int>(text.length < 200 ? text.length : 200), text.bytes,
                named ? "@" : "", named ? domainName : "");
  for (char* at = value; *at != 0; ++at) {
    if (*at == '\n') *at = ' ';
  }
  writeFact(session, "range-seen", value);
}

}  // namespace

void prepareCapture(Session& session) {
  noted.store(0);
  endedAt.store(~0ull);
  new (&rangeLock) Lock;
  rangeOpen = false;
  trigger = {};
  trigger.by = session.options.captureBy;
  trigger.end = session.options.captureEnd;
  trigger.captures = session.options.captures;
  if (trigger.by == CaptureBy::kNvtx) parseRange(session.options.nvtxCapture);
}

void noteCapture(Session& session) {
  const std::uint32_t state = stateOf(session);
  const std::uint64_t captures = __atomic_load_n(&session.control->captures, __ATOMIC_ACQUIRE);
  std::uint64_t before = noted.load();
  const std::uint64_t after = captures << 2 | state;
  if (before == after || !noted.compare_exchange_strong(before, after)) return;
  const auto kOn = static_cast<std::uint32_t>(wire::Capture::kOn);
  const bool wasOn = (before & 3) == kOn, isOn = state == kOn;
  const bool another = (before >> 2) != captures;
  // Who moved it need not have said when, and then the time is that of an earlier move.
  std::uint64_t time = __atomic_load_n(&session.control->changed, __ATOMIC_ACQUIRE);
  if (notedTime.exchange(time) == time) time = now();
  if (isOn) endedAt.store(~0ull);
  if (wasOn && !isOn) endedAt.store(readClock(CLOCK_REALTIME));
  // The count follows the state a moment later, so that it tells something only where the state was missed.
  if (wasOn && !isOn) mark(false, time);
  if (!wasOn && (isOn || another)) mark(true, time);
  if (!wasOn && !isOn && another) mark(false, time);
}

void beginCapture(Session& session) {
  if (!move(session, wire::Capture::kWaiting, wire::Capture::kOn)) return;
  __atomic_fetch_add(&session.control->captures, 1, __ATOMIC_ACQ_REL);
  tellEverybody(session);
}

void endCapture(Session& session) {
  if (trigger.end == CaptureEnd::kIgnored) return;
  const std::uint32_t captures = __atomic_load_n(&session.control->captures, __ATOMIC_ACQUIRE);
  const bool again = trigger.end == CaptureEnd::kRepeat && (trigger.captures == 0 || captures < trigger.captures);
  if (!move(session, wire::Capture::kOn, again ? wire::Capture::kWaiting : wire::Capture::kEnded)) return;
  tellEverybody(session);
}

bool profilerCallsCapture() { return trigger.by == CaptureBy::kProfilerApi; }
bool rangesCapture() { return trigger.by == CaptureBy::kNvtx; }

void rangeOpens(Session& session, const RangeKey& range, const char* domainName, const Text& text) {
  if (stateOf(session) != static_cast<std::uint32_t>(wire::Capture::kWaiting)) return;
  if (text.id != trigger.text || !domainMatches(domainName)) {
    if (text.id != 0) tellRange(session, domainName, text);
    return;
  }
  {
    const Hold hold(rangeLock);
    if (rangeOpen) return;
    rangeOpen = true;
    openRange = range;
  }
  beginCapture(session);
}

void rangeClosed(Session& session, const RangeKey& range) {
  {
    const Hold hold(rangeLock);
    if (!rangeOpen || !(openRange == range)) return;
    rangeOpen = false;
  }
  endCapture(session);
}

CaptureWindow captureWindow(const Session& session) {
  const bool on = stateOf(session) == static_cast<std::uint32_t>(wire::Capture::kOn);
  return {!on && __atomic_load_n(&session.control->captures, __ATOMIC_ACQUIRE) == 0, endedAt.load()};
}

}  // namespace lanescope::inject
