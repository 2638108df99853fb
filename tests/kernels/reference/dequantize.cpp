#include <kernels/reference/dequantize.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

namespace reference = tg::kernels::reference;

TEST_CASE("the reference reads blocks as gguf does") {
  std::ifstream file("tests/kernels/dequantize_values.txt");
  REQUIRE(file);
  std::string name, hex, line;
  std::size_t blocks = 0;
  while (std::getline(file, name) && std::getline(file, hex) && std::getline(file, line)) {
    CAPTURE(name);
    std::vector<std::uint8_t> bytes(hex.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<std::uint8_t>(std::stoul(hex.substr(2 * i, 2), nullptr, 16));
    std::istringstream weights(line);
    unsigned j = 0;
    for (std::string bits; weights >> bits; ++j) {
      const auto wanted = std::bit_cast<float>(static_cast<std::uint32_t>(std::stoul(bits, nullptr, 16)));
      const auto w = reference::weight_of(name, bytes.data(), j);
      CHECK(std::abs(w.value - static_cast<double>(wanted)) <= 2 * 0x1p-24 * w.size);
    }
    CHECK(j == (bytes.size() > 100 ? 256 : 32));
    ++blocks;
  }
  CHECK(blocks == 26);
}

TEST_CASE("4-bit numbers of the normal distribution") {
  std::uint8_t block[36] = {0, 0, 0, 0x40};  // a scale of 2
  for (unsigned i = 0; i < 8; ++i) block[4 + i] = static_cast<std::uint8_t>(2 * i << 4 | (2 * i + 1));
  const double wanted[] = {-1,      -0.69619, -0.52507, -0.39492, -0.28444, -0.18477, -0.09105, 0,
                           0.07958, 0.16093,  0.24611,  0.33792,  0.44071,  0.56262,  0.72296,  1};
  for (unsigned j = 0; j < 16; ++j) CHECK(std::abs(reference::weight_of("nf4", block, j).value - 2 * wanted[j]) < 2e-5);
}
