// Compression of lines of bytes and back.
#pragma once

#include <kernels/lz4_compress.hpp>
#include <kernels/lz4_decompress.hpp>
#include <kernels/reference/lz4.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// m lines of up to n bytes, which repeat what stands at most k bytes in front of them, and what each becomes as an LZ4 block.
struct lines_to_compress {
  std::vector<std::uint8_t> bytes;
  std::vector<unsigned> offsets{0};
  std::vector<std::vector<std::uint8_t>> blocks;

  template <class Trial> lines_to_compress(Trial& t, const shape& s) {
    for (unsigned line = 0; line < s.m; ++line) {
      const std::size_t first = bytes.size(), length = line == 0 ? s.n : t.engine()() % (s.n + 1);
      while (bytes.size() < first + length) {
        const std::size_t distance = 1 + t.engine()() % s.k, run = 1 + t.engine()() % 24;
        for (std::size_t i = 0; i < run && bytes.size() < first + length; ++i) {
          const bool repeats = run > 4 && distance <= bytes.size() - first;
          bytes.push_back(repeats ? bytes[bytes.size() - distance] : static_cast<std::uint8_t>(t.engine()()));
        }
      }
      offsets.push_back(static_cast<unsigned>(bytes.size()));
      blocks.push_back(tg::kernels::reference::lz4_compress({bytes.data() + first, length}));
    }
  }
};

inline constexpr auto try_lz4_decompress = [](auto& t, const shape& s) {
  const lines_to_compress lines(t, s);
  std::vector<std::uint8_t> packed;
  std::vector<unsigned> begins;
  std::vector<int> packed_sizes, sizes;
  for (unsigned line = 0; line < s.m; ++line) {
    const auto& block = lines.blocks[line];
    begins.push_back(static_cast<unsigned>(packed.size()));
    packed_sizes.push_back(static_cast<int>(block.size()));
    sizes.push_back(static_cast<int>(lines.offsets[line + 1] - lines.offsets[line]));
    packed.insert(packed.end(), block.begin(), block.end());
  }
  t.launch(tg::kernels::lz4_decompress_grid(s.m), t.in(packed), t.in(begins), t.in(packed_sizes),
           t.template out<std::uint8_t>(exactly(lines.bytes)), t.in(lines.offsets), t.template out<int>(exactly(sizes)), s.m);
};
inline constexpr auto try_lz4_compress = [](auto& t, const shape& s) {
  const lines_to_compress lines(t, s);
  std::vector<std::uint8_t> packed;
  std::vector<unsigned> begins;
  std::vector<int> packed_sizes;
  for (unsigned line = 0; line < s.m; ++line) {
    const auto& block = lines.blocks[line];
    begins.push_back(static_cast<unsigned>(packed.size()));
    packed_sizes.push_back(static_cast<int>(block.size()));
    packed.insert(packed.end(), block.begin(), block.end());
    packed.resize(begins.back() + tg::kernels::lz4_bound(lines.offsets[line + 1] - lines.offsets[line]),
                  poison<std::uint8_t>());
  }
  t.launch(tg::grid(s.m), t.in(lines.bytes), t.in(lines.offsets), t.template out<std::uint8_t>(exactly(packed)), t.in(begins),
           t.template out<int>(exactly(packed_sizes)));
};
inline constexpr auto sizes_of_compression = [] {
  return std::vector<shape>{{1, 1, 1}, {1, 13, 5}, {3, 97, 40}, {4, 1009, 300}, {5, 4096, 4096}, {9, 509, 33}};
};

}  // namespace detail

inline constexpr row lz4_decompress{
    tg::kernels::lz4_decompress,
    {.family = "compression", .writes = placing::by_data, .other = {"lz4.cu", "lz4_decompress"}, .large = {64, 4096, 1024}},
    detail::sizes_of_compression,
    detail::try_lz4_decompress};
inline constexpr row lz4_compress{
    tg::kernels::lz4_compress,
    {.family = "compression", .writes = placing::permuted, .other = {"lz4.cu", "lz4_compress"}, .large = {64, 4096, 1024}},
    detail::sizes_of_compression,
    detail::try_lz4_compress};

template <class Ask> void each_compression(Ask ask) {
  ask(lz4_decompress);
  ask(lz4_compress);
}

}  // namespace registry
