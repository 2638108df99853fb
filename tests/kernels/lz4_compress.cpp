#include <kernels/lz4_compress.hpp>

#include "lz4_blocks.hpp"

using lz4_blocks::bytes;
using namespace tg::kernels;

TEST_CASE("lines of each kind and size become the blocks of the reference, and are decompressed again") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  std::vector<bytes> lines;
  std::vector<std::size_t> rooms;
  for (const std::size_t n : lz4_blocks::sizes)
    for (const bytes& line : lz4_blocks::lines(random, n)) lines.push_back(line), rooms.push_back(n);
  const auto blocks = lz4_blocks::compressed(gpu, lines);
  const auto back = lz4_blocks::decompressed(gpu, blocks, rooms);
  for (std::size_t b = 0; b < lines.size(); ++b) {
    INFO("bytes ", rooms[b], ", kind ", b % 5);
    CHECK((blocks[b] == reference::lz4_compress(lines[b])));
    CHECK((back[b].bytes == lines[b]));
#ifdef TG_LZ4
    const auto by_library = lz4_blocks::decompressed_by_library(blocks[b], rooms[b]);
    CHECK((by_library.bytes == lines[b]));
    CHECK(by_library.size == static_cast<int>(rooms[b]));
    CHECK(lz4_bound(static_cast<unsigned>(rooms[b])) == static_cast<unsigned>(LZ4_compressBound(static_cast<int>(rooms[b]))));
#endif
  }
}

TEST_CASE("runs and text shrink") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const auto text = lz4_blocks::text(random, 65536);
  const auto blocks = lz4_blocks::compressed(gpu, {bytes(65536, 7), text, random.bytes(65536)});
  CHECK(blocks[0].size() < 300);
  CHECK(blocks[1].size() < 65536 / 2);
  CHECK(blocks[2].size() <= lz4_bound(65536));
#ifdef TG_LZ4
  const auto fast = lz4_blocks::compressed_by_library(text, 0).size();
  MESSAGE("64 KiB of text: ", blocks[1].size(), " bytes, liblz4 ", fast);
  CHECK(static_cast<double>(blocks[1].size()) < 1.15 * static_cast<double>(fast));
#endif
}

#ifndef TG_LZ4
TEST_CASE("liblz4 decompresses the blocks") { MESSAGE("no liblz4 (Debian: liblz4-dev): skipped"); }
#endif
