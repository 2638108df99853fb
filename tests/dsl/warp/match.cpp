#include <tg/dsl/warp/match.hpp>

#include <tg/dsl/value/cast.hpp>
#include <tg/dsl/vector/narrow_float.hpp>

#include "../word.hpp"

namespace {

template <class T> std::vector<T> few_values(std::size_t count) {
  std::mt19937 random{random_seed()};
  std::vector<T> out;
  while (out.size() < count) out.push_back(static_cast<T>(out.size() / 32 % 3 == 0 ? 5 : random() % 5));
  return out;
}

template <class T> void check() {
  const auto x = few_values<T>(32 * 12);
  const auto any = word::run<tg::block_t<32>, unsigned>(
      [](auto block, auto from, auto to) {
        to(block.global_index()) = tg::match_any(block.warp(), from(block.global_index()));
      },
      x);
  const auto all = word::run<tg::block_t<32>, unsigned>(
      [](auto block, auto from, auto to) {
        const auto found = tg::match_all(block.warp(), from(block.global_index()));
        to(block.global_index()) = tg::select(found.are_equal, found.lanes, found.lanes + 7u);
      },
      x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    unsigned same = 0;
    for (std::size_t k = 0; k < 32; ++k) same |= unsigned{x[i / 32 * 32 + k] == x[i]} << k;
    CHECK(any[i] == same);
    CHECK(all[i] == (same == ~0u ? same : 7u));
  }
}

}  // namespace

TEST_CASE("lanes find those that hold the same") {
  check<unsigned>();
  check<int>();
  check<unsigned long long>();
  check<float>();
  check<double>();
}

TEST_CASE("floats of 8 and 16 bits are compared as bits too") {
  const auto check_narrow = []<class T>(T) {
    std::vector<T> x;
    for (const float v : few_values<float>(32 * 12)) x.push_back(T(double{v}));
    x[64] = T(-0.0), x[65] = T(0.0);
    const auto any = word::run<tg::block_t<32>, unsigned>(
        [](auto block, auto from, auto to) {
          const auto own = tg::let(from(block.global_index()));
          const auto found = tg::match_all(block.warp(), own);
          to(block.global_index()) = tg::match_any(block.warp(), own) ^ tg::select(found.are_equal, ~found.lanes, found.lanes);
        },
        x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      unsigned same = 0;
      for (std::size_t k = 0; k < 32; ++k) same |= unsigned{x[i / 32 * 32 + k].bits == x[i].bits} << k;
      CHECK(any[i] == same);
    }
  };
  check_narrow(tg::f16{});
  check_narrow(tg::bf16{});
  check_narrow(tg::tf32{});
  check_narrow(tg::f8e4m3{});
}

TEST_CASE("a C++ number is one that each lane has") {
  const auto y = word::run<tg::block_t<32>, unsigned>(
      [](auto block, auto, auto to) {
        const auto all = tg::match_all(block.warp(), 1.0f);
        to(block.global_index()) = tg::match_any(block.warp(), 2.0) & all.lanes & tg::cast<unsigned>(all.are_equal);
      },
      std::vector<unsigned>(32));
  CHECK(y == std::vector<unsigned>(32, 1));
}
