#include <tg/dsl/block/block_scan.hpp>

#include "../word.hpp"

namespace {

using u64 = std::uint64_t;
using tg::literals::operator""_c;

template <int Threads> void check() {
  CAPTURE(Threads);
  constexpr auto number = [](auto block) { return tg::let(block.global_index()); };
  const auto x = word::random_words<u64>(Threads * 2);
  // Composition of k -> a*k + b with a and b in the halves of a word: associative, not commutative.
  constexpr auto compose = [](const auto& f, const auto& g) {
    return (((f >> 32) * (g >> 32)) << 32) | (((g >> 32) * f + g) & u64{0xffffffff});
  };
  const auto host = [&](u64 f, u64 g) { return compose(f, g); };
  const u64 identity = u64{1} << 32;
  const auto at = [&](auto part) {
    return word::run<tg::block_t<Threads>, u64>(
        [=](auto block, auto from, auto to) {
          const auto i = number(block);
          to(i) = part(tg::block_scan(block, tg::let(from(i)), identity, compose));
        },
        x);
  };
  const auto before = at([](auto s) { return s.before; }), through = at([](auto s) { return s.through; }),
             total = at([](auto s) { return s.total; });
  for (std::size_t b = 0; b < x.size(); b += Threads) {
    u64 all = identity;
    for (std::size_t i = b; i < b + Threads; ++i) {
      CHECK(before[i] == all);
      all = host(all, x[i]);
      CHECK(through[i] == all);
    }
    for (std::size_t i = b; i < b + Threads; ++i) CHECK(total[i] == all);
  }
}

}  // namespace

TEST_CASE("each thread knows what the threads before it have") {
  check<1>();
  check<32>();
  check<44>();
  check<96>();
  check<256>();
}

TEST_CASE("a sum of floats is scanned") {
  std::vector<float> x(64);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  const auto y = word::run<tg::block_t<64>, float>(
      [](auto block, auto from, auto to) { to(block.thread.x) = tg::block_scan_sum(block, from(block.thread.x)).before; }, x);
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(y[i] == static_cast<float>(i * (i + 63) / 2 - 32 * i));
}

TEST_CASE("a C++ number is one that each thread of the block has") {
  const auto y = word::run<tg::block_t<96>, unsigned>(
      [](auto block, auto, auto to) {
        const auto threads = tg::block_scan_sum(block, 1u);
        const auto all = tg::block_scan(block, 2u, 0u, [](auto a, auto b) { return a + b; });
        to(block.global_index()) = threads.before + threads.through * 1000u + all.total * 1000000u;
      },
      std::vector<unsigned>(96));
  for (unsigned i = 0; i < 96; ++i) CHECK(y[i] == i + (i + 1) * 1000 + 192000000);
}
