// SPDX-License-Identifier: Apache-2.0
// The raw record stream that the injected library leaves and the launcher reads: what each record means and how its
// bytes lie. A stream file is a sequence of chunks; a chunk is a header and records; a record is a header and fields,
// all little endian, naturally aligned, a multiple of 8 bytes. Append only. Plain data: no behaviour, no allocation.
//
// Times are ns of CLOCK_MONOTONIC, but for those of CUPTI records, which are ns of CLOCK_REALTIME and converted by the
// clock chunks around them (facts/collector.md, section 11). Text is never in a record: it is the content hash of a
// String record that stands before it in the same ring or chunk.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanescope::wire {

inline constexpr std::uint32_t kChunkMagic = 0x314B434Cu;  // "LCK1"
inline constexpr std::uint16_t kVersion = 1;

enum class ChunkType : std::uint16_t {
  kFacts = 1,   ///< "name=value" lines about the process; later ones add to it
  kClock = 2,   ///< ClockPair
  kRing = 3,    ///< records of one thread, in the order it made them
  kCupti = 4,   ///< records of CUPTI activities, in no order
  kLosses = 5,  ///< Loss records, counts so far
  kEnd = 6,     ///< the process ended in order; empty
  kMetrics = 7, ///< records of one GPU's metrics, in order of time; samples on the clock that the clock chunks tell
  kCut = 8,     ///< Cut, only beside a stream, by the launcher
  kPerf = 9,    ///< records of Linux's perf events as the kernel wrote them, of one ring, in its order
  kPython = 10, ///< PythonCode and PythonStack records, in order of time
};

struct ChunkHeader {
  std::uint32_t magic = kChunkMagic;
  ChunkType type{};
  std::uint16_t version = kVersion;
  std::uint32_t bytes = 0;   ///< of records that follow
  std::uint32_t crc = 0;     ///< crcOf() of this header and those
  std::uint64_t offset = 0;  ///< kRing: bytes its ring had given out before; a chunk written twice is known by it
  std::uint32_t tid = 0;     ///< kRing: whose ring
  std::uint32_t slot = 0;    ///< kRing: which slot of the ring file, and
  std::uint64_t time = 0;    ///< when it was written
};
static_assert(sizeof(ChunkHeader) == 40);

/// The same moment on two clocks, taken between two reads of the first that lie `bracket` ns apart.
struct ClockPair {
  std::uint64_t monotonic = 0, realtime = 0, bracket = 0, boottime = 0;
};

/// The beginning of a stream that was given back to the disk; the last one counts.
struct Cut {
  std::uint64_t end = 0;     ///< where in the stream the records begin that are still there
  std::uint64_t events = 0;  ///< that are gone
  std::uint64_t time = 0;    ///< when the first chunk that is still there was written, about
};

enum class RecordType : std::uint16_t {
  kPad = 0,  ///< fills the rest of a ring before it wraps; size 0, aux tells the bytes
  kString = 1,

  kNvtxPush = 16,
  kNvtxPop = 17,
  kNvtxStart = 18,
  kNvtxEnd = 19,
  kNvtxMark = 20,
  kNvtxDomain = 21,
  kNvtxCategory = 22,
  kNvtxPayload = 23,  ///< payload bytes of the NVTX event before it in the same ring
  kNvtxSchema = 24,
  kNvtxSchemaEntry = 25,  ///< entries of the schema before them
  kThreadName = 26,
  kResourceName = 27,
  kStreamName = 28,

  kApi = 32,
  kKernel = 33,
  kCopy = 34,
  kMemset = 35,
  kSync = 36,
  kOverhead = 37,
  kGraph = 38,
  kContext = 39,
  kStream = 40,
  kDevice = 41,
  kCudaEvent = 42,
  kJit = 43,
  kMemory = 44,
  kUnifiedMemory = 45,

  kMetricSource = 48,
  kMetric = 49,
  kMetricSample = 50,

  kOsCall = 52,
  kMpiCall = 53,
  kMpiRank = 54,
  kStackCopy = 55,  ///< the stack of the call before it in the same ring
  kModule = 56,
  kPythonCode = 57,
  kPythonStack = 58,
  kCpuSample = 59,

  kCapture = 60,  ///< collection began or ended in this process
  kLoss = 61,
  kMessage = 62,  ///< something to tell the user
  kThreadComm = 63,
  kThreadEnd = 64,  ///< the thread of this ring ended and left NVTX ranges open
};

struct RecordHeader {
  RecordType type{};
  std::uint16_t size = 0;  ///< with this header; 0 in kPad
  std::uint32_t aux = 0;   ///< meaning by type
};
static_assert(sizeof(RecordHeader) == 8);

/// aux: bytes of text, which follows and is padded with zeros.
struct String {
  RecordHeader header;
  std::uint64_t id = 0;  ///< hash64 of the text
};

// --- NVTX: rings ---------------------------------------------------------------------------------------------------

/// Push, start, mark. aux: domain in the low 24 bits (0 the default one), nvtxPayloadType_t in the high 8: 9 if payload
/// blobs follow as kNvtxPayload, whose number is the payload then.
struct NvtxEvent {
  RecordHeader header;
  std::uint64_t time = 0;
  std::uint64_t text = 0;  ///< string id, 0 none
  std::uint64_t payload = 0;  ///< its raw 8 bytes
  std::uint64_t range = 0;  ///< kNvtxStart: the id that its end names
  std::uint32_t category = 0;
  std::uint32_t argb = 0;  ///< 0 none
  std::uint32_t registered = 0;  ///< 1 if the text came as a registered string
  std::uint32_t reserved = 0;
};
/// Pop and end. aux: domain.
struct NvtxEnd {
  RecordHeader header;
  std::uint64_t time = 0;
  std::uint64_t range = 0;  ///< kNvtxEnd
};
/// Domain (aux its number), category (aux its domain, key its number), thread name (aux the tid), resource name (aux
/// the nvtxResourceType or 1 stream, 2 device, 3 event, 4 context; key the handle). A stream whose handle CUPTI knows is
/// a kStreamName instead (aux the stream id, key the context id).
struct Named {
  RecordHeader header;
  std::uint64_t key = 0;
  std::uint64_t text = 0;
};
/// aux: bytes of the payload, which follows and is padded with zeros.
struct NvtxPayload {
  RecordHeader header;
  std::uint64_t schema = 0;
};
/// aux: domain.
struct NvtxSchema {
  RecordHeader header;
  std::uint64_t id = 0;
  std::uint64_t name = 0;
  std::uint32_t type = 0, flags = 0;
  std::uint64_t payloadSize = 0;
};
/// aux: the low 32 bits of its type. Entries of an enumeration (schema type 256) have their value as offset, and 1 as
/// flags where it is a bit of a set.
struct NvtxSchemaEntry {
  RecordHeader header;
  std::uint64_t name = 0, description = 0;
  std::uint64_t offset = 0, arrayOrUnionDetail = 0;
  std::uint64_t flags = 0;
  std::uint64_t type = 0;  ///< nvtxPayloadEntryType, or the id of another schema
};

// --- CUDA ------------------------------------------------------------------------------------------------------------
// aux: the low 32 bits of the correlation id, where there is one.

/// From callbacks (in rings) or activities (in CUPTI chunks). Times by where it stands.
struct Api {
  RecordHeader header;
  std::uint64_t start = 0, end = 0;
  std::uint32_t tid = 0;
  std::uint32_t result = 0;
  std::uint32_t callback = 0;  ///< cbid
  std::uint32_t domain = 0;  ///< 0 driver, 1 runtime
  std::uint64_t name = 0;  ///< string id of its name with version suffix; 0: by cbid from the launcher's own table
};

struct Kernel {
  RecordHeader header;
  std::uint64_t start = 0, end = 0;
  std::uint64_t name = 0;  ///< mangled
  std::uint64_t graphNode = 0, queued = 0, submitted = 0;
  std::int64_t gridId = 0;
  std::uint32_t device = 0, context = 0, stream = 0, graph = 0;
  std::int32_t grid[3] = {}, block[3] = {}, cluster[3] = {};
  std::uint32_t registers = 0;
  std::uint32_t staticShared = 0, dynamicShared = 0, executedShared = 0;
  std::uint32_t localPerThread = 0;
  std::uint64_t localTotal = 0;
  std::uint8_t launchType = 0, cacheConfig = 0, sharedLimit = 0, deviceLaunched = 0;
  std::uint32_t channel = 0;
};

struct Copy {
  RecordHeader header;
  std::uint64_t start = 0, end = 0, bytes = 0, graphNode = 0, count = 0;
  std::uint32_t device = 0, context = 0, stream = 0, graph = 0;
  std::uint32_t sourceDevice = 0, sourceContext = 0, targetDevice = 0, targetContext = 0;  ///< peer copies
  std::uint8_t copyKind = 0, sourceKind = 0, targetKind = 0, flags = 0;
  std::uint8_t isPeer = 0, reserved[3] = {};
};

struct Memset {
  RecordHeader header;
  std::uint64_t start = 0, end = 0, bytes = 0, graphNode = 0;
  std::uint32_t device = 0, context = 0, stream = 0, graph = 0;
  std::uint32_t value = 0;
  std::uint16_t memoryKind = 0, flags = 0;
};

/// From calls (in rings) or activities, as is CudaEvent. Event and stream 0xFFFFFFFF: not of it.
struct Sync {
  RecordHeader header;
  std::uint64_t start = 0, end = 0;
  std::uint32_t context = 0, stream = 0, type = 0, event = 0;
  std::uint64_t eventSync = 0;
};

struct Overhead {
  RecordHeader header;
  std::uint64_t start = 0, end = 0;
  std::uint32_t kind = 0;
  std::uint32_t tid = 0;  ///< 0 if of no thread
};

struct Graph {
  RecordHeader header;
  std::uint64_t start = 0, end = 0;
  std::uint32_t device = 0, context = 0, stream = 0, graph = 0;
  std::uint32_t graphExec = 0, reserved = 0;
};

struct Context {
  RecordHeader header;  ///< aux: context id
  std::uint32_t device = 0, nullStream = 0, parent = 0, isGreen = 0;
};

struct Stream {
  RecordHeader header;  ///< aux: stream id
  std::uint32_t context = 0, flags = 0;
  std::int32_t priority = 0;
  std::uint32_t reserved = 0;
};

/// aux: its CUDA ordinal.
struct Device {
  RecordHeader header;
  std::uint64_t name = 0;
  std::uint8_t uuid[16] = {};
  std::uint64_t memoryBytes = 0, memoryBandwidth = 0, constantMemory = 0;  ///< bandwidth in bytes/s
  std::uint32_t computeMajor = 0, computeMinor = 0, multiprocessors = 0, coreClockKHz = 0;
  std::uint32_t l2Bytes = 0, threadsPerWarp = 0, maxThreadsPerBlock = 0, maxWarpsPerSm = 0;
  std::uint32_t maxBlocksPerSm = 0, maxSharedPerSm = 0, maxSharedPerBlock = 0, maxRegistersPerSm = 0;
  std::uint32_t maxRegistersPerBlock = 0, pciBus = 0, pciDevice = 0, pciDomain = 0;
  std::uint32_t maxBlock[3] = {}, maxGrid[3] = {};
};

struct CudaEvent {
  RecordHeader header;
  std::uint32_t context = 0, stream = 0, event = 0, reserved = 0;
  std::uint64_t eventSync = 0;
  std::uint64_t deviceTime = 0;  ///< when the GPU came to it; 0 unknown
  std::uint64_t hostTime = 0;  ///< when it was asked for, by the clock of where it stands; 0 unknown
};

struct Jit {
  RecordHeader header;
  std::uint64_t start = 0, end = 0;
  std::uint32_t tid = 0, operation = 0, entryType = 0, reserved = 0;
};

/// Memory allocated or given back. aux: the call's correlation id.
struct Memory {
  RecordHeader header;
  std::uint64_t time = 0, address = 0, bytes = 0, pc = 0;
  std::uint32_t device = 0, context = 0, stream = 0;
  std::uint8_t operation = 0, memoryKind = 0;  ///< CUPTI's
  std::uint8_t isAsync = 0, poolType = 0;  ///< 0 of no pool, 1 of this process, 2 imported
  std::uint64_t poolAddress = 0, poolReleaseThreshold = 0;
  std::uint64_t poolSize = 0;  ///< of an imported pool the process it is of
  std::uint64_t poolUtilized = 0;
};

/// Pages of unified memory that moved, or that were missing.
struct UnifiedMemory {
  RecordHeader header;
  std::uint64_t start = 0, end = 0;
  std::uint64_t value = 0;  ///< bytes; of a GPU's fault how many, of the CPU's the program counter
  std::uint64_t address = 0;
  std::uint32_t kind = 0;  ///< CUpti_ActivityUnifiedMemoryCounterKind
  std::uint32_t source = 0, target = 0, flags = 0;
  std::uint64_t function = 0, module = 0;  ///< string ids of where the CPU was; 0 unknown
  std::uint64_t moduleBase = 0;  ///< where the first page of the module was loaded
};

// --- GPU metrics: a file of their own for each GPU, NUMBER.metrics, written by the sampler -------------------------------

enum class MetricSourceKind : std::uint32_t { kCupti = 1, kNvml = 2 };

/// Where the samples of this file come from. aux: the CUDA ordinal of the GPU for the sampler.
struct MetricSource {
  RecordHeader header;
  std::uint64_t name = 0;  ///< of the set of metrics
  std::uint64_t interval = 0;  ///< ns that were asked for
  MetricSourceKind kind{};
  std::uint32_t metrics = 0;  ///< how many each sample has
};
/// aux: its place in the samples.
struct Metric {
  RecordHeader header;
  std::uint64_t name = 0;  ///< for the user, with its unit in brackets
  std::uint64_t counter = 0;  ///< as the source calls it
};
/// aux: how many values follow, as 64-bit floats. One that is no number was not to be had.
struct MetricSample {
  RecordHeader header;
  std::uint64_t start = 0, end = 0;  ///< of the time that it is about; the same where it is of an instant
};

// --- the host: rings of the program's threads, but for samples of Python, which the launcher takes ------------------------

/// A call into the OS runtime that took long enough, or touched a file where that is asked for.
struct OsCall {
  RecordHeader header;  ///< aux: bytes of an item, where the result counts items
  std::uint64_t start = 0, end = 0;
  std::uint64_t name = 0;  ///< string id
  std::int64_t result = 0;
  std::uint64_t object = 0;  ///< address of the lock, condition or semaphore; of files and sockets the descriptor
  std::uint64_t about = 0;  ///< string id of what that descriptor is; 0 unknown
  std::uint64_t caller = 0;  ///< where it returns to
};

/// What the system calls a thread, when it made its first event and whenever that was seen to have changed; the last one
/// counts. aux: the tid.
struct ThreadComm {
  RecordHeader header;
  char name[16] = {};  ///< ends with a zero
};

/// aux: the tid.
struct ThreadEnd {
  RecordHeader header;
  std::uint64_t time = 0;
};

enum class MpiCallKind : std::uint32_t { kOther = 0, kPointToPoint = 1, kCollective = 2, kStartWait = 3 };
inline constexpr std::int32_t kNoRank = -0x7FFFFFFF - 1;  ///< also no tag

/// Handles are whatever the library passes: pointers or numbers.
struct MpiCall {
  RecordHeader header;  ///< aux: MpiCallKind
  std::uint64_t start = 0, end = 0;
  std::uint64_t name = 0;  ///< string id
  std::uint64_t communicator = 0, request = 0;
  std::uint64_t bytes = 0;  ///< sent, or of what is only received, received
  std::uint64_t received = 0;  ///< collectives
  std::int32_t tag = kNoRank, remote = kNoRank, root = kNoRank;
  std::uint32_t knows = 0;  ///< bit 0 communicator, 1 request, 2 bytes, 3 received
};
struct MpiRank {
  RecordHeader header;
  std::uint64_t communicator = 0;
  std::int32_t rank = 0, size = 0;  ///< of this process in it
};

/// aux: bytes of the stack that follow, from sp on, padded with zeros. Registers as DWARF needs them to go on from there.
struct StackCopy {
  RecordHeader header;
  std::uint64_t ip = 0, sp = 0, bp = 0, bx = 0, r12 = 0, r13 = 0, r14 = 0, r15 = 0;
};

/// Where a thread was when a timer of its CPU time ran out; among CUPTI's records. aux: bytes of its stack that follow,
/// from sp on.
struct CpuSample {
  RecordHeader header;
  std::uint64_t time = 0;
  std::uint32_t thread = 0, cpu = 0;
  std::uint64_t ip = 0, sp = 0, bp = 0, bx = 0, r12 = 0, r13 = 0, r14 = 0, r15 = 0;
};

/// Something executable that was mapped.
struct Module {
  RecordHeader header;  ///< aux: bytes of the build id
  std::uint64_t time = 0;  ///< seen first
  std::uint64_t start = 0, end = 0;
  std::uint64_t offset = 0;  ///< in its file
  std::uint64_t path = 0;  ///< string id
  std::uint8_t buildId[24] = {};
};

struct PythonCode {
  RecordHeader header;
  std::uint64_t id = 0;  ///< of this process for good
  std::uint64_t name = 0, file = 0;  ///< string ids; the name with its class where CPython knows it
  std::uint32_t line = 0;  ///< where it begins
  std::uint32_t reserved = 0;
};
/// aux: how many frames follow, innermost first. In a ring it belongs to the call before it.
struct PythonStack {
  RecordHeader header;
  std::uint64_t time = 0;
  std::uint32_t process = 0, thread = 0;
  std::uint32_t holdsGil = 0;  ///< 1 if it does, 2 unknown
  std::uint32_t cut = 0;  ///< of the two below
};
inline constexpr std::uint32_t kOuterFramesMissing = 1;
inline constexpr std::uint32_t kSameFrames =
    2;  ///< none follow: they are those of this thread's last stack in the file
struct PythonFrame {
  std::uint64_t code = 0;
  std::uint32_t line = 0;  ///< 0 unknown
  std::uint32_t entry =
      0;  ///< 1: the interpreter's function in C was called for it; else its caller runs in the same call
};

// --- the recording itself --------------------------------------------------------------------------------------------

/// aux: 1 began, 0 ended.
struct CaptureMark {
  RecordHeader header;
  std::uint64_t time = 0;
};

/// What was lost, in total so far.
enum class LossKind : std::uint32_t {
  kRingFull = 1,  ///< events that found no room in their ring
  kNoRing = 2,  ///< events of threads beyond the ring slots
  kCuptiDropped = 3,  ///< records that CUPTI said it dropped
  kBufferRefused = 4,  ///< activity buffers that could not be given
  kUntimed = 5,  ///< GPU records without a time
  kUnknownKind = 6,  ///< records of a kind that this version does not know
  kWriteFailed = 7,  ///< bytes that could not be written (disk full)
  kTextCut = 8,  ///< texts longer than a record can hold
  kPayloadCut = 9,
  kMetricSamples = 10,  ///< samples of GPU metrics that were overwritten before they could be read
};
struct Loss {
  RecordHeader header;  ///< aux: LossKind
  std::uint64_t count = 0;
};

/// aux: severity (0 information, 1 warning, 2 error).
struct Message {
  RecordHeader header;
  std::uint64_t time = 0;
  std::uint64_t text = 0;
};

// --- rings: shared memory that outlives the process --------------------------------------------------------------------

inline constexpr std::uint64_t kRingMagic = 0x31474E49524E414Cull;  // "LANRING1"
inline constexpr std::uint32_t kRingSlots = 512;
inline constexpr std::uint32_t kRingBytes = 1u << 20;  ///< of records a thread, sparse until touched

enum class RingState : std::uint32_t { kFree = 0, kLive = 1, kThreadGone = 2 };

/// Before each ring's bytes. Counts bytes since the ring was made; the writer moves `tail` only after its write returned.
struct alignas(64) RingHeader {
  std::uint64_t magic = 0;
  std::uint32_t tid = 0;
  RingState state = RingState::kFree;
  alignas(64) std::uint64_t head = 0;
  alignas(64) std::uint64_t tail = 0;
  alignas(64) std::uint64_t dropped = 0;
};
inline constexpr std::size_t kRingHeaderBytes = 4096;
inline constexpr std::size_t kRingStride = kRingHeaderBytes + kRingBytes;

}  // namespace lanescope::wire
