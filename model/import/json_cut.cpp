// SPDX-License-Identifier: Apache-2.0
// The bit tricks are those of simdjson's first stage (Langdale and Lemire, "Parsing gigabytes of JSON per second", 2019).
#include "model/import/json_cut.h"

#include <bit>
#include <cstdint>
#include <utility>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace lanescope::imported {

namespace {

constexpr std::size_t kBlock = 64;
constexpr int kDeepestCut = 64;  // as many as there are bits
constexpr unsigned kBraceBit = 0x20;  // in which braces differ from brackets

/// A bit for each byte of a block.
struct Masks {
  std::uint64_t quote = 0, backslash = 0, open = 0, close = 0;
  std::uint64_t between = 0;  ///< what may stand between two tokens: blanks, comma, colon

  void blankFrom(std::size_t end) {
    const std::uint64_t valid = (std::uint64_t{1} << end) - 1;
    for (std::uint64_t* mask : {&quote, &backslash, &open, &close}) *mask &= valid;
    between |= ~valid;
  }
};

#ifdef __SSE2__
Masks masksOf(const char* block) {
  Masks masks;
  for (unsigned i = 0; i < kBlock; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + i));
    const auto bits = [i](__m128i found) {
      return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(found))) << i;
    };
    const auto equal = [bytes](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));  // [ and ] as { and }
    const __m128i blank = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x20)), bytes);
    masks.quote |= bits(equal('"'));
    masks.backslash |= bits(equal('\\'));
    masks.open |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')));
    masks.close |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
    masks.between |= bits(_mm_or_si128(blank, _mm_or_si128(equal(','), equal(':'))));
  }
  return masks;
}
#else
Masks masksOf(const char* block) {
  Masks masks;
  for (unsigned i = 0; i < kBlock; ++i) {
    const char c = block[i];
    masks.quote |= static_cast<std::uint64_t>(c == '"') << i;
    masks.backslash |= static_cast<std::uint64_t>(c == '\\') << i;
    masks.open |= static_cast<std::uint64_t>((c | 0x20) == '{') << i;
    masks.close |= static_cast<std::uint64_t>((c | 0x20) == '}') << i;
    masks.between |= static_cast<std::uint64_t>(static_cast<unsigned char>(c) <= 0x20 || c == ',' || c == ':') << i;
  }
  return masks;
}
#endif

/// Bit i of the result: parity of bits 0 to i.
std::uint64_t parities(std::uint64_t bits) {
  for (const int step : {1, 2, 4, 8, 16, 32}) bits ^= bits << step;
  return bits;
}

/// What one block leaves for the next.
struct Carry {
  std::uint64_t escaped = 0, inString = 0;
  std::uint64_t afterString = 0, afterToken = 1;
};

/// Bytes behind an odd number of backslashes.
std::uint64_t escapedBytes(std::uint64_t backslash, std::uint64_t& carry) {
  if (backslash == 0) return std::exchange(carry, 0);
  constexpr std::uint64_t kEven = 0x5555555555555555;
  backslash &= ~carry;
  const std::uint64_t follows = backslash << 1 | carry;
  const std::uint64_t oddStarts = backslash & ~kEven & ~follows;
  std::uint64_t evenSequences = 0;
  carry = __builtin_add_overflow(oddStarts, backslash, &evenSequences) ? 1 : 0;
  return (kEven ^ (evenSequences << 1)) & follows;
}

bool isGap(std::string_view between) { return between.find_first_not_of(" \t\r\n,") == std::string_view::npos; }

}  // namespace

Cut cutEntries(std::string_view text, std::size_t from, std::vector<CutEntry>& entries) {
  Cut cut{Cut::Stop::kTextEnd, from};
  Carry carry;
  int depth = 0;
  std::uint64_t braces = 0;  // of what is open: a bit each, set for an object; the innermost is the lowest
  std::size_t begin = from;
  for (std::size_t block = from; block < text.size(); block += kBlock) {
    Masks masks = masksOf(text.data() + block);
    if (text.size() - block < kBlock) masks.blankFrom(text.size() - block);
    masks.quote &= ~escapedBytes(masks.backslash, carry.escaped);
    const std::uint64_t inString = parities(masks.quote) ^ carry.inString;  // from the first quote to before the second
    carry.inString = (inString >> (kBlock - 1)) != 0 ? ~std::uint64_t{0} : 0;

    // A string stands between tokens: else a quote inside it was not escaped.
    const std::uint64_t first = masks.quote & inString, last = masks.quote & ~inString;
    const std::uint64_t behind = last << 1 | carry.afterString,
                        mayBegin = (masks.between | masks.open) << 1 | carry.afterToken;
    carry.afterString = last >> (kBlock - 1);
    carry.afterToken = (masks.between | masks.open) >> (kBlock - 1);
    const std::uint64_t stray = (behind & ~(masks.between | masks.close)) | (first & ~mayBegin);

    std::uint64_t brackets = (masks.open | masks.close) & ~inString;
    if (stray != 0) brackets &= (stray & (~stray + 1)) - 1;  // what stands before the first
    for (; brackets != 0; brackets &= brackets - 1) {
      const std::size_t at = block + static_cast<std::size_t>(std::countr_zero(brackets));
      const std::uint64_t isBrace = (static_cast<unsigned char>(text[at]) & kBraceBit) != 0 ? 1 : 0;
      if ((masks.open & brackets & (~brackets + 1)) != 0) {
        if (depth++ == 0) {
          begin = at;
          if (isBrace == 0 || !isGap(text.substr(cut.at, at - cut.at))) return {Cut::Stop::kTrouble, cut.at};
        }
        if (depth > kDeepestCut) return {Cut::Stop::kTrouble, cut.at};
        braces = braces << 1 | isBrace;
      } else if (depth == 0) {
        if (isBrace != 0 || !isGap(text.substr(cut.at, at - cut.at))) return {Cut::Stop::kTrouble, cut.at};
        return {Cut::Stop::kArrayEnd, at};
      } else {
        if ((braces & 1) != isBrace) return {Cut::Stop::kTrouble, cut.at};
        braces >>= 1;
        if (--depth > 0) continue;
        cut.at = at + 1;
        entries.push_back({begin, cut.at});
      }
    }
    if (stray != 0) return {Cut::Stop::kTrouble, cut.at};
  }
  return cut;
}

}  // namespace lanescope::imported
