#include <tg/dsl/bulk/bulk_store.hpp>

#include "../word.hpp"

#include <tg/dsl/vector/narrow_float.hpp>

using namespace tg::literals;

namespace {

using one_warp = tg::block_t<32, 1, 1>;

// y, which starts as zeros, after two blocks have reduced their halves of x into it.
template <tg::reduction How, class T> std::vector<T> reduced(std::vector<T> x) {
  const auto kernel = tg::lower(tg::kernel<"k">(tg::block<32>, [](auto block, tg::in<T> from, tg::inout<T> to) {
    const auto tile = tg::shared<T>(tg::shape<32>);
    tile(block.thread.x) = from(block.global_index());
    tg::fence_async_proxy();
    block.sync();
    tg::if_(block.thread.x == 0u, [&] {
      tg::bulk_reduce<How>(to, 0u, tile);
      tg::bulk_groups<>().commit().wait();
    });
  }));
  INFO(kernel.ptx);
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  std::vector<T> y(32);
  word::launch(kernel.ptx, 2, x, y);
  return y;
}

template <tg::reduction How, class T, class F> void check(F f) {
  std::vector<T> x;
  for (const auto w : word::random_words<unsigned>(64)) x.push_back(static_cast<T>(static_cast<float>(w % 1000)));
  const auto y = reduced<How, T>(x);
  for (std::size_t i = 0; i < 32; ++i) {
    const bool is_first = y[i] == f(f(T(0.0f), x[i]), x[i + 32]), is_second = y[i] == f(f(T(0.0f), x[i + 32]), x[i]);
    CHECK((is_first || is_second));  // either block may be the first
  }
}

}  // namespace

TEST_CASE("a tile is stored by one thread") {
  const auto x = word::random_words<unsigned>(320);
  const auto y = word::run<one_warp, unsigned>(
      [](auto block, auto from, auto to) {
        const auto tile = tg::shared<unsigned>(tg::shape<32>);
        tile(block.thread.x) = from(block.global_index()) * 5u;
        tg::fence_async_proxy();
        block.sync();
        tg::if_(block.thread.x == 0u, [&] {
          tg::bulk_store(to, block.index.x * 32_c, tile);
          tg::bulk_groups<>().commit().wait();
        });
      },
      x, 10);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == x[i] * 5);
}

TEST_CASE("without the fence the emulator says that the copy may not see what threads wrote") {
  const auto run = [] {
    (void)word::run<one_warp, unsigned>(
        [](auto block, auto from, auto to) {
          const auto tile = tg::shared<unsigned>(tg::shape<32>);
          tile(block.thread.x) = from(block.global_index());
          block.sync();
          tg::if_(block.thread.x == 0u, [&] {
            tg::bulk_store(to, 0u, tile);
            tg::bulk_groups<>().commit().wait();
          });
        },
        word::random_words<unsigned>(32));
  };
  word::check_is_objected(run);
}

TEST_CASE("tiles are reduced into what is there") {
  using tg::reduction;
  check<reduction::add, unsigned>([](auto a, auto b) { return a + b; });
  check<reduction::add, int>([](auto a, auto b) { return a + b; });
  check<reduction::add, long long>([](auto a, auto b) { return a + b; });
  check<reduction::add, float>([](auto a, auto b) { return a + b; });
  check<reduction::add, double>([](auto a, auto b) { return a + b; });
  check<reduction::max, int>([](auto a, auto b) { return std::max(a, b); });
  check<reduction::min, long long>([](auto a, auto b) { return std::min(a, b); });
  check<reduction::max, unsigned long long>([](auto a, auto b) { return std::max(a, b); });
  check<reduction::or_, unsigned>([](auto a, auto b) { return a | b; });
  check<reduction::xor_, unsigned long long>([](auto a, auto b) { return a ^ b; });
  check<reduction::and_, unsigned>([](auto a, auto b) { return a & b; });
  check<reduction::increment, unsigned>([](auto a, auto b) { return a >= b ? 0u : a + 1; });
  check<reduction::decrement, unsigned>([](auto a, auto b) { return a == 0 || a > b ? b : a - 1; });
  const auto more = [](auto a, auto b) { return static_cast<float>(a) > static_cast<float>(b) ? a : b; };
  check<reduction::max, tg::f16>(more);
  check<reduction::max, tg::bf16>(more);
  check<reduction::add, tg::f16>([](auto a, auto b) { return tg::f16(static_cast<float>(a) + static_cast<float>(b)); });
}
