#include <tg/dsl/warp/match.hpp>

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
