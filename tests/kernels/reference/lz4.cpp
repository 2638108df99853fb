#include <kernels/reference/lz4.hpp>

#include <doctest/doctest.h>

#include <string>

using tg::kernels::reference::lz4_compress;
using tg::kernels::reference::lz4_decompress;

namespace {

std::vector<std::uint8_t> to_bytes(const std::string& text) { return {text.begin(), text.end()}; }

}  // namespace

TEST_CASE("blocks by hand") {
  // One literal, its run of 14, then five literals.
  CHECK((lz4_compress(std::vector<std::uint8_t>(20, 'a')) ==
         std::vector<std::uint8_t>{0x1a, 'a', 1, 0, 0x50, 'a', 'a', 'a', 'a', 'a'}));
  CHECK((lz4_compress({}) == std::vector<std::uint8_t>{0}));
  CHECK((lz4_compress(to_bytes("abc")) == std::vector<std::uint8_t>{0x30, 'a', 'b', 'c'}));
  const std::vector<std::uint8_t> block{0x32, 'a', 'b', 'c', 2, 0, 0x10, 'x'};
  CHECK((lz4_decompress(block, 10).bytes == to_bytes("abcbcbcbcx")));
  CHECK(lz4_decompress(block, 10).size == 10);
}

TEST_CASE("what is wrong with a block") {
  const std::vector<std::uint8_t> block{0x32, 'a', 'b', 'c', 2, 0, 0x10, 'x'};
  for (std::size_t n = 0; n < block.size(); ++n) {
    const int size = lz4_decompress({block.data(), n}, 10).size;
    CHECK(size == (n == 4 ? 3 : -1));
  }
  for (std::size_t room = 0; room < 10; ++room) CHECK(lz4_decompress(block, room).size == -2);
  for (const std::uint8_t distance : {0, 4, 255}) {
    auto bad = block;
    bad[4] = distance;
    CHECK(lz4_decompress(bad, 10).size == -3);
    CHECK((lz4_decompress(bad, 10).bytes == to_bytes("abc")));
  }
}

TEST_CASE("forth and back") {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += std::to_string(i * i % 97);
  CHECK(lz4_compress(to_bytes(text)).size() < text.size() / 2);
  for (const std::size_t n : {std::size_t{0}, std::size_t{12}, std::size_t{13}, std::size_t{40}, text.size()}) {
    const auto x = to_bytes(text.substr(0, n));
    CHECK((lz4_decompress(lz4_compress(x), n).bytes == x));
  }
}
