#include <tg/dsl/warp/redux.hpp>

#include "../word.hpp"

namespace {

/// Each lane's result is that of its whole warp, whatever the order.
template <class T, class F, class Host> void check(F f, Host host) {
  const auto x = word::random_words<T>(64 * 7);
  const auto y = word::run<tg::block_t<64>, T>(
      [f](auto block, auto from, auto to) {
        const auto i = block.global_index();
        to(i) = f(block.warp(), tg::let(from(i)));
      },
      x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    T all = x[i / 32 * 32];
    for (std::size_t k = 1; k < 32; ++k) all = static_cast<T>(host(all, x[i / 32 * 32 + k]));
    CHECK(y[i] == all);
  }
}

template <class T> void check_all() {
  using U = std::make_unsigned_t<T>;
  check<T>([](auto w, auto v) { return tg::redux_sum(w, v); }, [](T a, T b) { return static_cast<U>(a) + static_cast<U>(b); });
  check<T>([](auto w, auto v) { return tg::redux_min(w, v); }, [](T a, T b) { return std::min(a, b); });
  check<T>([](auto w, auto v) { return tg::redux_max(w, v); }, [](T a, T b) { return std::max(a, b); });
  check<T>([](auto w, auto v) { return tg::redux_and(w, v); }, [](T a, T b) { return a & b; });
  check<T>([](auto w, auto v) { return tg::redux_or(w, v); }, [](T a, T b) { return a | b; });
  check<T>([](auto w, auto v) { return tg::redux_xor(w, v); }, [](T a, T b) { return a ^ b; });
}

}  // namespace

TEST_CASE("integers are reduced over a warp by one instruction") {
  check_all<std::uint32_t>();
  check_all<std::int32_t>();
}

TEST_CASE("a C++ number is one that each lane has") {
  const auto y = word::run<tg::block_t<32>, unsigned>(
      [](auto block, auto, auto to) {
        const auto warp = block.warp();
        to(block.global_index()) = tg::redux_sum(warp, 3u) + tg::redux_max(warp, 1000u) + tg::redux_xor(warp, 5u);
      },
      std::vector<unsigned>(32));
  CHECK(y == std::vector<unsigned>(32, 1096));
}
