#include <kernels/reference/quantize.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

TEST_CASE("the reference makes blocks as gguf does") {
  std::ifstream file("tests/kernels/quantize_values.txt");
  REQUIRE(file);
  std::string name, line, hex;
  std::size_t blocks = 0;
  while (std::getline(file, name) && std::getline(file, line) && std::getline(file, hex)) {
    CAPTURE(name);
    CAPTURE(blocks);
    std::vector<float> x;
    std::istringstream numbers(line);
    for (std::string bits; numbers >> bits;)
      x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(std::stoul(bits, nullptr, 16))));
    REQUIRE(x.size() == 32);
    std::string found;
    for (const std::uint8_t b : tg::kernels::reference::quantize(name, x))
      for (const unsigned digit : {b / 16u, b % 16u}) found += "0123456789abcdef"[digit];
    CHECK(found == hex);
    ++blocks;
  }
  CHECK(blocks == 12);
}
