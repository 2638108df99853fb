#include <tg/dsl/math/philox.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include <tg/tg.hpp>

#include "../../random_seed.hpp"

namespace {

using words = std::array<std::uint32_t, 4>;

/// The definition, word by word.
words on_host(words c, std::array<std::uint32_t, 2> k) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p = std::uint64_t{0xD2511F53} * c[0], q = std::uint64_t{0xCD9E8D57} * c[2];
    c = {static_cast<std::uint32_t>(q >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(q),
         static_cast<std::uint32_t>(p >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(p)};
    k = {k[0] + 0x9E3779B9, k[1] + 0xBB67AE85};
  }
  return c;
}

constexpr auto kernel = tg::kernel<"philox">(tg::block<32>, [](auto block, tg::in<unsigned> from, tg::out<unsigned> to) {
  const auto i = block.thread.x;
  const auto word = [&](unsigned k) { return tg::let(from(i + 32u * k)); };
  const auto bits = tg::philox(word(0), word(1), word(2), word(3), word(4), word(5));
  to(i) = bits.x;
  to(i + 32u) = bits.y;
  to(i + 64u) = bits.z;
  to(i + 96u) = bits.w;
});

}  // namespace

TEST_CASE("the words of the authors' own test vectors, and of any others") {
  CHECK(on_host({0, 0, 0, 0}, {0, 0}) == words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(on_host({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  tg::device gpu;
  std::mt19937 random(random_seed());
  std::vector<unsigned> from(32 * 6);
  for (unsigned& x : from) x = random();
  auto given = gpu.upload(from);
  auto made = gpu.allocate<unsigned>(32 * 4);
  gpu.launch(kernel, tg::grid(1), given, made);
  const auto got = made.to_host();
  for (std::size_t i = 0; i < 32; ++i) {
    const auto at = [&](std::size_t k) { return from[i + 32 * k]; };
    CHECK(words{got[i], got[i + 32], got[i + 64], got[i + 96]} == on_host({at(0), at(1), at(2), at(3)}, {at(4), at(5)}));
  }
}
