#include <tg/dsl/value/bit_cast.hpp>

#include "../accuracy.hpp"

TEST_CASE("bits survive in both directions") {
  const auto floats = accuracy::samples<float>(-1, 1);
  const auto bits = accuracy::apply<float, unsigned>([](auto x) { return tg::bit_cast<unsigned>(x); }, floats);
  for (std::size_t i = 0; i < floats.size(); ++i)
    if (bits[i] != std::bit_cast<unsigned>(floats[i])) FAIL(bits[i]);

  const std::vector<unsigned long long> words = {0, 1, 0x3ff0000000000000, 0x7ff8000000000001, ~0ull};
  const auto doubles = accuracy::apply<unsigned long long, double>([](auto x) { return tg::bit_cast<double>(x); }, words);
  for (std::size_t i = 0; i < words.size(); ++i) CHECK(std::bit_cast<unsigned long long>(doubles[i]) == words[i]);
}

TEST_CASE("signs of integers change without an instruction") {
  const auto kernel = accuracy::lowered<unsigned, int>([](auto x) { return tg::bit_cast<int>(x); });
  CHECK(accuracy::run<int>(kernel.ptx, std::vector<unsigned>{0xffffffff, 5}) == std::vector<int>{-1, 5});
  CHECK(kernel.ptx.find("mov.b32") == std::string::npos);
}

TEST_CASE("constants are known bits") {
  const auto f = [](auto x) {
    const auto one = tg::bit_cast<float>((x & 0u) | 0x3f800000u);
    return tg::bit_cast<unsigned>(one + tg::bit_cast<float>(x));
  };
  const auto kernel = accuracy::lowered<unsigned, unsigned>(f);
  CHECK(accuracy::run<unsigned>(kernel.ptx, std::vector<unsigned>{0x3f800000}) == std::vector<unsigned>{0x40000000});
  CHECK(accuracy::complaints_about(kernel.ptx) == "");
}
