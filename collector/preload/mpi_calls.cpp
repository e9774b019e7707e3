// SPDX-License-Identifier: Apache-2.0
// What the program calls instead of MPI, and what is told of each call. What MPI is asked besides is asked only of handles
// that the standard says mean something in that call on that rank, because of others it would end the program.
#include "collector/preload/mpi_library.h"

namespace lanescope::preload {
namespace {

constexpr std::int32_t kNone = -0x7FFFFFFF - 1;  // wire::kNoRank
enum Knows : std::uint32_t { kCommunicator = 1, kRequest = 2, kBytes = 4, kReceived = 8 };

struct Row {
  const char* name;
  MpiKind kind;
  MpiPlaces places;
};
constexpr Row kRows[] = {
#define LANESCOPE_ROW(name, fortran, kind, ...) {"MPI_" #name, MpiKind::kind, {__VA_ARGS__}},
    LANESCOPE_MPI_CALLS(LANESCOPE_ROW)
#undef LANESCOPE_ROW
};

/// One call as its arguments tell of it.
class Told {
 public:
  Told(const Row& row, const MpiArguments& arguments, Language language, const void* caller)
      : row_(row), arguments_(arguments), language_(language), caller_(caller) {}

  /// What the call itself changes.
  void before() {
    if (row_.places.request >= 0) request_ = handleAt(arguments_.at[row_.places.request]);
  }

  void after(std::uint64_t start, std::uint64_t end, bool succeeded) {
    const MpiPlaces& at = row_.places;
    inject::MpiNote note{};
    note.name = row_.name;
    note.kind = static_cast<std::uint32_t>(row_.kind);
    note.start = start, note.end = end;
    note.tag = at.tag >= 0 ? number(at.tag) : kNone;
    note.remote = at.remote >= 0 ? number(at.remote) : kNone;
    note.root = at.root >= 0 ? number(at.root) : kNone;
    if (at.communicator >= 0) note.communicator = handle(at.communicator), note.knows |= kCommunicator;
    if (at.newRequest >= 0 && succeeded) request_ = handleAt(arguments_.at[at.newRequest]);
    if (request_ != 0) note.request = request_, note.knows |= kRequest;
    if (succeeded) addBytes(note);
    if (succeeded) addReceived(note);
    recorder->mpiCall(note);
  }

 private:
  /// Also of Fortran, whose arguments are addresses.
  std::int32_t number(std::int8_t place) const {
    const Word word = arguments_.at[place];
    if (language_ == Language::kC) return static_cast<std::int32_t>(word);
    return word != 0 ? *reinterpret_cast<const std::int32_t*>(word) : 0;
  }
  Word handle(std::int8_t place) const {
    if (language_ == Language::kC && handlesArePointers(caller_)) return arguments_.at[place];
    return static_cast<std::uint32_t>(number(place));
  }
  /// A handle in memory.
  Word handleAt(Word address) const {
    if (address == 0) return 0;
    if (language_ == Language::kC && handlesArePointers(caller_)) return *reinterpret_cast<const Word*>(address);
    return *reinterpret_cast<const std::uint32_t*>(address);
  }
  /// A buffer that stands for the other one; Fortran's has an address that only Fortran knows.
  bool isInPlace(std::int8_t place) const {
    const Word word = arguments_.at[place];
    return language_ != Language::kC || word == 1 || word == ~Word{0};
  }

  std::int64_t bytesOf(std::int8_t count, std::int8_t type, bool perRank, bool each) const {
    const MpiPlaces& at = row_.places;
    std::int64_t elements = 0;
    const std::int32_t ranks = perRank || each ? sizeOf(handle(at.communicator), language_, caller_) : 1;
    if (perRank) {
      const auto* counts = reinterpret_cast<const std::int32_t*>(arguments_.at[count]);
      for (std::int32_t i = 0; counts != nullptr && i < ranks; ++i) elements += counts[i];
    } else {
      elements = std::int64_t{number(count)} * (each ? ranks : 1);
    }
    if (elements <= 0) return 0;
    const std::int64_t size = typeSize(handle(type), language_, caller_);
    return size >= 0 ? elements * size : -1;
  }

  void addBytes(inject::MpiNote& note) const {
    const MpiPlaces& at = row_.places;
    const bool twoSided = at.received >= 0;
    bool isRoot = true;
    if (at.rootSends || at.rootReceives) {
      isRoot = note.root >= 0 && rankIn(handle(at.communicator), language_, caller_) == note.root;
    }
    // Of two buffers the first may stand for the second, and then says nothing about its elements.
    const bool sends = at.count >= 0 && (!at.rootSends || isRoot) && (!twoSided || !isInPlace(0));
    if (sends) {
      const std::int64_t bytes = bytesOf(at.count, at.type, at.countPerRank, at.toEach);
      if (bytes >= 0) note.bytes = static_cast<std::uint64_t>(bytes), note.knows |= kBytes;
    }
    if (twoSided && (!at.rootReceives || isRoot) && (!at.rootSends || !isInPlace(3))) {
      const std::int64_t bytes = bytesOf(at.received, at.receivedType, at.receivedPerRank, at.fromEach);
      if (bytes >= 0) note.received = static_cast<std::uint64_t>(bytes), note.knows |= kReceived;
    }
  }

  /// Of a receive, what came and from whom; both MPIs have small numbers for a status that nobody wants.
  void addReceived(inject::MpiNote& note) const {
    const MpiPlaces& at = row_.places;
    if (at.status < 0 || language_ != Language::kC || arguments_.at[at.status] <= 1) return;
    const Word status = arguments_.at[at.status];
    const std::int32_t from = receivedFrom(status, caller_);
    if (at.remote < 0 || note.remote < 0) note.remote = from;
    const std::int32_t count = receivedCount(status, handle(at.type), caller_);
    const std::int64_t size = count > 0 ? typeSize(handle(at.type), language_, caller_) : 0;
    if (count >= 0 && size >= 0) note.bytes = static_cast<std::uint64_t>(count * size);
  }

  const Row& row_;
  const MpiArguments& arguments_;
  const Language language_;
  const void* const caller_;
  Word request_ = 0;
};

void tellRank(const void* caller) {
  const Word world = worldOf(caller);
  const std::int32_t rank = rankIn(world, Language::kC, caller), size = sizeOf(world, Language::kC, caller);
  if (rank >= 0 && size > 0) recorder->mpiRank(world, rank, size);
}

/// Got at the first call, so that programs without MPI, as those that start the ranks, leave nothing.
const Recorder* recorderOfMpi() {
  static bool asked = false;
  if (!__atomic_load_n(&asked, __ATOMIC_ACQUIRE)) {
    __atomic_store_n(&recorder, openRecorder(), __ATOMIC_RELEASE);
    __atomic_store_n(&asked, true, __ATOMIC_RELEASE);
  }
  return __atomic_load_n(&recorder, __ATOMIC_ACQUIRE);
}

Word traced(Mpi call, Language language, const MpiArguments& arguments, const void* caller) {
  constexpr Word kErrOther = 15;
  void* function = realMpi(call, language, caller);
  if (function == nullptr) return kErrOther;
  const Recorder* to = recorderOfMpi();
  if (to == nullptr || !to->mpi) return callMpi(function, arguments);
  const Call mine;
  if (!mine.isOutermost()) return callMpi(function, arguments);
  const bool kept = recording() != nullptr && call != Mpi::kAbort;
  Told told(kRows[static_cast<std::uint32_t>(call)], arguments, language, caller);
  if (kept) told.before();
  const std::uint64_t start = now();
  const Word result = callMpi(function, arguments);
  const std::uint64_t end = now();
  const bool begins = call == Mpi::kInit || call == Mpi::kInit_thread, ends = call == Mpi::kFinalize;
  const bool succeeded = language != Language::kC || static_cast<std::int32_t>(result) == 0;
  if (begins && succeeded) tellRank(caller);
  if (kept) told.after(start, end, succeeded && !begins && !ends);
  mine.end();
  return result;
}

}  // namespace

#define LANESCOPE_WORDS \
  Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k, Word l, Word m
#define LANESCOPE_DEFINE_AS(symbol, name, language)                                            \
  LANESCOPE_INTERPOSE(symbol, Word, LANESCOPE_WORDS) {                                         \
    return traced(Mpi::k##name, Language::language, {{a, b, c, d, e, f, g, h, i, j, k, l, m}}, \
                  __builtin_return_address(0));                                                \
  }
#define LANESCOPE_DEFINE(name, fortran, kind, ...)      \
  LANESCOPE_DEFINE_AS(MPI_##name, name, kC)             \
  LANESCOPE_DEFINE_AS(mpi_##fortran##_, name, kFortran) \
  LANESCOPE_DEFINE_AS(mpi_##fortran##_f08_, name, kFortran08)
LANESCOPE_MPI_CALLS(LANESCOPE_DEFINE)

}  // namespace lanescope::preload
