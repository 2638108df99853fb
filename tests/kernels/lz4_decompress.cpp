#include <kernels/lz4_decompress.hpp>

#include "lz4_blocks.hpp"

using lz4_blocks::bytes;
using namespace tg::kernels;

namespace {

/// Checks blocks, good and bad ones, against the reference: bytes, statuses, and what stays.
void check(const std::vector<bytes>& blocks, const std::vector<std::size_t>& rooms) {
  tg::device gpu;
  const auto found = lz4_blocks::decompressed(gpu, blocks, rooms);
  std::size_t wrong = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const auto wanted = reference::lz4_decompress(blocks[b], rooms[b]);
    const bool is_right = lz4_blocks::is_as_wanted(found[b], wanted.bytes, wanted.size);
    if (!is_right && wrong++ == 0) FAIL_CHECK("block " << b << " became " << found[b].size << ", not " << wanted.size);
  }
  CHECK(wrong == 0);
}

void add_length(bytes& out, std::size_t rest) {
  for (; rest >= 255; rest -= 255) out.push_back(255);
  out.push_back(static_cast<std::uint8_t>(rest));
}
/// One sequence with random literals, and five literals behind it.
bytes one_match(inputs::generator& random, std::size_t literals, std::size_t distance, std::size_t length) {
  bytes out{static_cast<std::uint8_t>(std::min<std::size_t>(literals, 15) << 4 | std::min<std::size_t>(length - 4, 15))};
  if (literals >= 15) add_length(out, literals - 15);
  for (std::size_t i = 0; i < literals; ++i) out.push_back(static_cast<std::uint8_t>(random.engine()));
  out.push_back(static_cast<std::uint8_t>(distance)), out.push_back(static_cast<std::uint8_t>(distance >> 8));
  if (length >= 19) add_length(out, length - 19);
  for (const std::uint8_t byte : {0x50, 1, 2, 3, 4, 5}) out.push_back(byte);
  return out;
}

}  // namespace

TEST_CASE("matches that overlap themselves, of each distance from 1 to 40") {
  inputs::generator random;
  INFO("seed ", random.seed);
  std::vector<bytes> blocks;
  std::vector<std::size_t> rooms;
  for (std::size_t distance = 1; distance <= 40; ++distance)
    for (const std::size_t length : {4, 5, 18, 19, 20, 31, 32, 33, 64, 101}) {
      const std::size_t literals = distance + random.engine() % 3;
      blocks.push_back(one_match(random, literals, distance, length));
      rooms.push_back(literals + length + 5);
    }
  check(blocks, rooms);
}

TEST_CASE("lengths around each number of length bytes") {
  inputs::generator random;
  INFO("seed ", random.seed);
  std::vector<bytes> blocks;
  std::vector<std::size_t> rooms;
  for (const std::size_t count :
       {14u, 15u, 16u, 269u, 270u, 271u, 15 + 255 * 31u, 15 + 255 * 32u - 1, 15 + 255 * 32u, 15 + 255 * 33u})
    for (const std::size_t length : {count, std::size_t{4}}) {
      blocks.push_back(one_match(random, count, 1 + random.engine() % count, length + 4));
      rooms.push_back(count + length + 4 + 5);
    }
  check(blocks, rooms);
}

TEST_CASE("blocks that end too early, at each place") {
  inputs::generator random;
  INFO("seed ", random.seed);
  const auto whole = reference::lz4_compress(lz4_blocks::text(random, 300));
  std::vector<bytes> blocks;
  for (std::size_t n = 0; n <= whole.size(); ++n) blocks.emplace_back(whole.begin(), whole.begin() + std::ptrdiff_t(n));
  blocks.push_back(bytes(70, 0xff));  // a length that does not end
  check(blocks, std::vector<std::size_t>(blocks.size(), 300));
}

TEST_CASE("blocks with less room than they need, of each size") {
  inputs::generator random;
  INFO("seed ", random.seed);
  const auto whole = reference::lz4_compress(lz4_blocks::repeats(random, 150));
  std::vector<bytes> blocks;
  std::vector<std::size_t> rooms;
  for (std::size_t n = 0; n <= 151; ++n) blocks.push_back(whole), rooms.push_back(n);
  check(blocks, rooms);
}

TEST_CASE("corrupted blocks and random bytes") {
  inputs::generator random;
  INFO("seed ", random.seed);
  std::vector<bytes> blocks;
  std::vector<std::size_t> rooms;
  for (int run = 0; run < 300; ++run) {
    const std::size_t n = 1 + random.engine() % 500;
    auto block = run % 3 == 0 ? random.bytes(n) : reference::lz4_compress(lz4_blocks::lines(random, n)[random.engine() % 5]);
    for (int changes = 1 + int(random.engine() % 4); run % 3 == 1 && changes > 0; --changes)
      block[random.engine() % block.size()] = static_cast<std::uint8_t>(random.engine());
    if (run % 3 == 2)  // bits of a token or a length, more likely than not
      block[random.engine() % std::min<std::size_t>(block.size(), 24)] ^= static_cast<std::uint8_t>(1u << random.engine() % 8);
    blocks.push_back(block);
    rooms.push_back(n + random.engine() % 20);
  }
  check(blocks, rooms);
}

TEST_CASE("a packed size below 0 is an empty input; no blocks at all") {
  tg::device gpu;
  const auto packed = gpu.upload(bytes{0});
  const auto begins = gpu.upload(std::vector<unsigned>{0}), offsets = gpu.upload(std::vector<unsigned>{0, 1});
  const auto lengths = gpu.upload(std::vector<int>{lz4_no_room});
  auto out = gpu.upload(bytes{7});
  auto sizes = gpu.upload(std::vector<int>{5});
  gpu.launch(lz4_decompress, tg::grid(1), packed, begins, lengths, out, offsets, sizes, 0u);
  CHECK(sizes.to_host()[0] == 5);
  gpu.launch(lz4_decompress, lz4_decompress_grid(1), packed, begins, lengths, out, offsets, sizes, 1u);
  CHECK(sizes.to_host()[0] == lz4_truncated);
  CHECK(out.to_host()[0] == 7);
}

#ifdef TG_LZ4
TEST_CASE("what liblz4 compresses, fast and thoroughly") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  for (const int level : {0, 9}) {
    std::vector<bytes> wanted, blocks;
    std::vector<std::size_t> rooms;
    for (const std::size_t n : lz4_blocks::sizes)
      for (const bytes& line : lz4_blocks::lines(random, n)) {
        wanted.push_back(line);
        blocks.push_back(lz4_blocks::compressed_by_library(line, level));
        rooms.push_back(n);
      }
    const auto found = lz4_blocks::decompressed(gpu, blocks, rooms);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      INFO("level ", level, ", bytes ", rooms[b], ", kind ", b % 5);
      CHECK(lz4_blocks::is_as_wanted(found[b], wanted[b], static_cast<int>(rooms[b])));
    }
  }
}

TEST_CASE("corrupted blocks become what liblz4 makes of them, where it accepts them too") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  std::vector<bytes> blocks;
  std::vector<std::size_t> rooms;
  for (int run = 0; run < 400; ++run) {
    const std::size_t n = 20 + random.engine() % 300;
    auto block = lz4_blocks::compressed_by_library(lz4_blocks::lines(random, n)[2 + random.engine() % 3], run % 2 == 0 ? 0 : 9);
    block[random.engine() % block.size()] ^= static_cast<std::uint8_t>(1u << random.engine() % 8);
    blocks.push_back(block);
    rooms.push_back(n);
  }
  const auto found = lz4_blocks::decompressed(gpu, blocks, rooms);
  int both = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const auto wanted = lz4_blocks::decompressed_by_library(blocks[b], rooms[b]);
    // liblz4 1.9 takes a distance of 0, which the format forbids.
    if (wanted.size < 0 || found[b].size == lz4_bad_distance) continue;
    ++both;
    CHECK(lz4_blocks::is_as_wanted(found[b], wanted.bytes, wanted.size));
  }
  CHECK(both > 20);
}
#else
TEST_CASE("what liblz4 compresses") { MESSAGE("no liblz4 (Debian: liblz4-dev): skipped"); }
#endif
