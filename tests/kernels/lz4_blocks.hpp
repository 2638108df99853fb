// Lines to compress, launches of the LZ4 kernels, and liblz4 where it is there (TG_LZ4).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <kernels/lz4_compress.hpp>
#include <kernels/lz4_decompress.hpp>
#include <kernels/reference/lz4.hpp>

#ifdef TG_LZ4
#include <lz4.h>
#include <lz4hc.h>
#endif

#include "inputs.hpp"

namespace lz4_blocks {

using bytes = std::vector<std::uint8_t>;

/// Words of a small vocabulary with numbers between them.
inline bytes text(inputs::generator& random, std::size_t n) {
  constexpr std::string_view words[] = {"warp", "lane ", "shared memory ", "the ", "of ", "block",
                                        ", ",   ".\n",   "register ",      "in "};
  bytes out;
  while (out.size() < n) {
    const auto word = words[random.engine() % std::size(words)];
    out.insert(out.end(), word.begin(), word.end());
    if (random.engine() % 4 == 0) out.push_back(static_cast<std::uint8_t>('0' + random.engine() % 10));
  }
  out.resize(n);
  return out;
}
/// Runs that repeat what stands 1 to 40 bytes in front of them, with a random byte between them.
inline bytes repeats(inputs::generator& random, std::size_t n) {
  bytes out;
  while (out.size() < n) {
    const std::size_t distance = 1 + random.engine() % 40, length = random.engine() % 100;
    out.push_back(static_cast<std::uint8_t>(random.engine()));
    for (std::size_t i = 0; i < length && distance <= out.size(); ++i) out.push_back(out[out.size() - distance]);
  }
  out.resize(n);
  return out;
}
/// Lines of n bytes of each kind: incompressible, constant, text, repeats, and text with a part of random bytes.
inline std::vector<bytes> lines(inputs::generator& random, std::size_t n) {
  auto mixed = text(random, n);
  for (std::size_t i = n / 3; i < n / 2; ++i) mixed[i] = static_cast<std::uint8_t>(random.engine());
  return {random.bytes(n), bytes(n, 0x5a), text(random, n), repeats(random, n), mixed};
}
/// Sizes around those that the format names, 64 KiB, and primes.
inline constexpr std::size_t sizes[] = {0,  1,  4,  5,  11,  12,  13,   14,   31,    32,    33,
                                        43, 44, 45, 97, 269, 270, 1009, 4099, 65536, 65537, 70001};

/// Decompresses blocks, each into at most rooms[b] bytes. Checks that nothing behind a block's bytes is written.
inline std::vector<tg::kernels::reference::lz4_result> decompressed(tg::device& gpu, const std::vector<bytes>& blocks,
                                                                    const std::vector<std::size_t>& rooms) {
  // Begins are aligned to nothing; the last block ends where its buffer ends.
  bytes all;
  std::vector<unsigned> begins, offsets{0};
  std::vector<int> lengths;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    all.push_back(0xff);
    begins.push_back(static_cast<unsigned>(all.size()));
    lengths.push_back(static_cast<int>(blocks[b].size()));
    all.insert(all.end(), blocks[b].begin(), blocks[b].end());
    offsets.push_back(offsets.back() + static_cast<unsigned>(rooms[b]));
  }
  const auto untouched = inputs::poison<std::uint8_t>();
  const auto packed = gpu.upload(all);
  auto out = gpu.upload(bytes(offsets.back() + 1, untouched));
  auto found_sizes = gpu.upload(std::vector<int>(blocks.size(), inputs::poison<int>()));
  const auto on_begins = gpu.upload(begins), on_offsets = gpu.upload(offsets);
  const auto on_lengths = gpu.upload(lengths);
  const auto count = static_cast<unsigned>(blocks.size());
  gpu.launch(tg::kernels::lz4_decompress, tg::kernels::lz4_decompress_grid(count), packed, on_begins, on_lengths, out,
             on_offsets, found_sizes, count);
  const auto found = out.to_host();
  const auto status = found_sizes.to_host();
  CHECK(found.back() == untouched);
  std::vector<tg::kernels::reference::lz4_result> results;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    results.push_back({bytes(found.begin() + offsets[b], found.begin() + offsets[b + 1]), status[b]});
  return results;
}
/// Whether a block became what the reference says, and the rest of its room stayed.
inline bool is_as_wanted(const tg::kernels::reference::lz4_result& found, bytes wanted, int size) {
  wanted.resize(found.bytes.size(), inputs::poison<std::uint8_t>());
  return found.size == size && found.bytes == wanted;
}

/// Compresses lines. Checks that nothing behind the bound of a line is written.
inline std::vector<bytes> compressed(tg::device& gpu, const std::vector<bytes>& x) {
  bytes all;
  std::vector<unsigned> offsets{0}, begins{3};
  for (const bytes& line : x) {
    all.insert(all.end(), line.begin(), line.end());
    offsets.push_back(static_cast<unsigned>(all.size()));
    begins.push_back(begins.back() + tg::kernels::lz4_bound(static_cast<unsigned>(line.size())) + 1);
  }
  const std::size_t end = all.size();
  all.resize(end + (all.empty() ? 1 : 0));
  const auto untouched = inputs::poison<std::uint8_t>();
  const auto on_x = gpu.upload(all);
  auto packed = gpu.upload(bytes(begins.back(), untouched));
  auto found_sizes = gpu.upload(std::vector<int>(x.size(), inputs::poison<int>()));
  const auto on_offsets = gpu.upload(offsets), on_begins = gpu.upload(begins);
  gpu.launch(tg::kernels::lz4_compress, tg::grid(static_cast<unsigned>(x.size())), on_x, on_offsets, packed, on_begins,
             found_sizes);
  const auto found = packed.to_host();
  const auto lengths = found_sizes.to_host();
  std::vector<bytes> out;
  std::size_t touched = 0;
  for (std::size_t b = 0; b < x.size(); ++b) {
    const auto length = static_cast<unsigned>(lengths[b]);
    REQUIRE(length <= tg::kernels::lz4_bound(static_cast<unsigned>(x[b].size())));
    out.emplace_back(found.begin() + begins[b], found.begin() + begins[b] + length);
    for (unsigned i = begins[b] + length; i < begins[b + 1]; ++i) touched += found[i] != untouched;
  }
  CHECK(touched == 0);
  return out;
}

#ifdef TG_LZ4
/// A block by liblz4: with its fast compressor for level 0, else with its thorough one.
inline bytes compressed_by_library(const bytes& x, int level) {
  const int n = static_cast<int>(x.size());
  bytes out(static_cast<std::size_t>(LZ4_compressBound(n)));
  const char nothing = 0;
  const char* const from = x.empty() ? &nothing : reinterpret_cast<const char*>(x.data());
  char* const to = reinterpret_cast<char*>(out.data());
  const int room = static_cast<int>(out.size());
  const int size = level == 0 ? LZ4_compress_default(from, to, n, room) : LZ4_compress_HC(from, to, n, room, level);
  REQUIRE(size > 0);
  out.resize(static_cast<std::size_t>(size));
  return out;
}
/// What liblz4 makes of a block, whose size is below 0 where it is refused.
inline tg::kernels::reference::lz4_result decompressed_by_library(const bytes& packed, std::size_t room) {
  bytes out(room + 1);
  const char nothing = 0;
  const char* const from = packed.empty() ? &nothing : reinterpret_cast<const char*>(packed.data());
  const int size =
      LZ4_decompress_safe(from, reinterpret_cast<char*>(out.data()), static_cast<int>(packed.size()), static_cast<int>(room));
  out.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return {out, size};
}
#endif

}  // namespace lz4_blocks
