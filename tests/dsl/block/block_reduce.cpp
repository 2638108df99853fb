#include <tg/dsl/block/block_reduce.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

#include <numeric>

#include "../word.hpp"

namespace {

using u32 = std::uint32_t;
using tg::literals::operator""_c;

/// 2x2 matrices of bytes in a word, row by row: associative, not commutative.
template <class Word> Word product(const Word& a, const Word& b) {
  const auto at = [](const Word& m, unsigned k) { return (m >> 8 * k) & 255u; };
  const auto cell = [&](unsigned r, unsigned c) {
    return ((at(a, 2 * r) * at(b, c) + at(a, 2 * r + 1) * at(b, 2 + c)) & 255u) << 8 * (2 * r + c);
  };
  return cell(0, 0) | cell(0, 1) | cell(1, 0) | cell(1, 1);
}
constexpr auto multiply = [](const auto& a, const auto& b) {
  return product<tg::value<u32>>({a.get().operand}, {b.get().operand});
};

template <class Block> void check() {
  constexpr std::size_t threads = Block::threads;
  CAPTURE(threads);
  const auto x = word::random_words<u32>(threads * 3);
  const auto of_blocks = [&](auto f) {
    std::vector<u32> out;
    for (std::size_t b = 0; b < 3; ++b)
      out.push_back(std::accumulate(x.begin() + b * threads + 1, x.begin() + (b + 1) * threads, x[b * threads], f));
    return out;
  };
  const auto in_all = [&](auto statement, auto f) {
    const auto y = word::run<Block, u32>(
        [statement](auto block, auto from, auto to) {
          const auto i = tg::let(block.index.x * tg::constant<decltype(block)::shape::threads>{} + block.thread_index());
          to(i) = statement(block, tg::let(from(i)));
        },
        x);
    const auto wanted = of_blocks(f);
    for (std::size_t i = 0; i < y.size(); ++i) REQUIRE(y[i] == wanted[i / threads]);
  };
  in_all([](auto block, auto v) { return tg::block_sum(block, v); }, [](u32 a, u32 b) { return a + b; });
  in_all([](auto block, auto v) { return tg::block_max(block, v); }, [](u32 a, u32 b) { return std::max(a, b); });
  in_all([](auto block, auto v) { return tg::block_min(block, v) + 0u; }, [](u32 a, u32 b) { return std::min(a, b); });
  in_all([](auto block, auto v) { return tg::block_combine(block, v, multiply); }, product<u32>);
  in_all([](auto block, auto v) { return block.sum(v); }, [](u32 a, u32 b) { return a + b; });
  in_all([](auto block, auto v) { return block.max(v); }, [](u32 a, u32 b) { return std::max(a, b); });
  in_all([](auto block, auto v) { return block.min(v); }, [](u32 a, u32 b) { return std::min(a, b); });
  in_all([](auto block, auto v) { return block.combine(v, multiply); }, product<u32>);
  const auto first = word::run<Block, u32>(
      [](auto block, auto from, auto to) {
        const auto i = tg::let(block.index.x * tg::constant<decltype(block)::shape::threads>{} + block.thread_index());
        to(i) = tg::block_combine_to_first(block, tg::let(from(i)), multiply);
      },
      x);
  const auto wanted = of_blocks(product<u32>);
  for (std::size_t b = 0; b < 3; ++b) CHECK(first[b * threads] == wanted[b]);
}

}  // namespace

TEST_CASE("every thread gets what its block has, in order, whatever the block's size") {
  check<tg::block_t<32>>();
  check<tg::block_t<1>>();
  check<tg::block_t<20>>();
  check<tg::block_t<72>>();
  check<tg::block_t<96>>();
  check<tg::block_t<1024>>();
  check<tg::block_t<16, 3, 5>>();
}

TEST_CASE("a C++ number is one that each thread of the block has") {
  const auto y = word::run<tg::block_t<96>, float>(
      [](auto block, auto, auto to) {
        const auto add = [](auto a, auto b) { return a + b; };
        const auto whole = tg::block_sum(block, 1.5f) + block.sum(0.25f) + tg::block_combine(block, 2.0f, add);
        const auto ends = tg::block_max(block, 3.0f) - tg::block_min(block, -4.0f);
        tg::var first = 0.0f;
        const auto sum = tg::let(tg::block_sum_to_first(block, 10.0f));
        tg::if_(block.thread.x == 0u, [&] { first = sum; });
        to(block.global_index()) = whole + ends + first;
      },
      std::vector<float>(96));
  CHECK(y[0] == 1327.0f);
  for (std::size_t i = 1; i < y.size(); ++i) CHECK(y[i] == 367.0f);
}

TEST_CASE("in a loop the partial results are not overtaken") {
  const auto looped = [](bool of_first) {
    return tg::lower(
        tg::kernel<"rounds">(tg::block<64>, [=](auto block, tg::in<double> x, tg::inout<double> y, tg::scalar<unsigned> n) {
          tg::for_(tg::range(n), [&](auto k) {
            const auto v = x(k * 64u + block.thread.x);
            const auto sum = of_first ? tg::block_sum_to_first(block, v).get() : tg::block_sum(block, v).get();
            tg::if_(block.thread.x == 0, [&] { y(k) = sum; });
          });
        }));
  };
  for (const bool of_first : {false, true}) {
    const auto kernel = looped(of_first);
    std::vector<double> x(64 * 5), y(5), wanted(5);
    for (std::size_t i = 0; i < x.size(); ++i) wanted[i / 64] += x[i] = static_cast<double>(i * i);
    word::launch(kernel.ptx, 1, x, y, 5u);
    CHECK(y == wanted);

    // Without its second barrier the race is found.
    std::string overtaken = kernel.ptx;
    const std::size_t at = overtaken.rfind("bar.sync");
    overtaken.erase(at, overtaken.find(';', at) - at + 1);
    word::check_is_objected([&] { word::launch(overtaken, 1, x, y, 5u); });
  }
}

TEST_CASE("outside a loop a block reduction is one barrier, of one warp none") {
  const auto barriers = [](const std::string& text) {
    int out = 0;
    for (std::size_t at = 0; (at = text.find("bar.sync", at)) != text.npos; ++at) ++out;
    return out;
  };
  const auto sum = [](auto block, tg::inout<float> y) { y(block.thread.x) = tg::block_sum(block, y(block.thread.x)); };
  CHECK(barriers(tg::lower(tg::kernel<"several">(tg::block<128>, sum)).ptx) == 1);
  CHECK(barriers(tg::lower(tg::kernel<"one">(tg::block<32>, sum)).ptx) == 0);
}
