// 128 bits that stand for any bytes: the names of cached code and the checksums of files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#define XXH_INLINE_ALL
#include <xxhash.h>
#undef XXH_INLINE_ALL

namespace tg::runtime {

/// Equal for equal bytes, and in practice only for those. It is no proof against somebody who wants two to collide.
struct content_hash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend constexpr bool operator==(const content_hash&, const content_hash&) = default;

  /// 32 hexadecimal digits.
  std::string text() const {
    std::string out;
    for (const std::uint64_t half : {high, low})
      for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[(half >> shift) & 15];
    return out;
  }
};

/// XXH3, 128 bits. Cost: about 10 GB/s.
inline content_hash hash_of(std::string_view bytes) {
  const XXH128_hash_t h = XXH3_128bits(bytes.data(), bytes.size());
  return {h.high64, h.low64};
}

}  // namespace tg::runtime
