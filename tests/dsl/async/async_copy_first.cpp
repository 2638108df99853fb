#include <tg/dsl/async/async_copy_first.hpp>

#include <tg/dsl/async/async_groups.hpp>
#include <tg/dsl/flow/unroll.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

using namespace tg::literals;

namespace {

/// 128 elements through shared memory, `Width` at a time, of which the first n are read.
template <class T, int Width, bool Signed> std::vector<T> copied(unsigned n) {
  const auto kernel = tg::kernel<"copies">(tg::block<32>, [](auto block, tg::in<T> x, tg::out<T> y, tg::scalar<unsigned> n) {
    auto tile = tg::shared<T>(tg::shape<128>);
    tg::unroll<4 / Width>([&](auto i) {
      const auto at = tg::let(block.thread.x * tg::constant<Width>{} + i * tg::constant<32 * Width>{});
      const auto target = tile.template vec<Width>(at);
      const auto source = x.template vec<Width>(at);
      if constexpr (Signed) tg::async_copy_first(target, source, tg::cast<int>(n) - tg::cast<int>(at));
      else tg::async_copy_first(target, source, n - tg::min(at, n));
    });
    tg::async_groups start;
    auto one = start.commit();
    (void)one.wait();
    block.sync();
    tg::unroll<4>([&](auto i) {
      const auto at = block.thread.x + i * 32_c;
      y(at) = tile(at);
    });
  });
  std::vector<T> x(128), y(128);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(i + 1);
  const auto lowered = tg::lower(kernel);
  CHECK(lowered.module.sm == 80);
  // What is past the end is not there to be read.
  accuracy::run(lowered.ptx, x.data(), n * sizeof(T), y.data(), 128 * sizeof(T), n);
  return y;
}

template <class T, int Width, bool Signed> void check() {
  for (const unsigned n : {1u, 6u, 31u, 32u, 67u, 126u, 127u, 128u}) {
    const auto y = copied<T, Width, Signed>(n);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < y.size(); ++i) wrong += y[i] != (i < n ? static_cast<T>(i + 1) : T{});
    INFO("n ", n);
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("the first elements of a vector arrive, zeros for the others, and no byte past the end is read") {
  check<float, 4, false>();
  check<float, 4, true>();
  check<float, 2, false>();
  check<float, 1, true>();
  check<double, 2, false>();
}

TEST_CASE("the size of the source is one minimum and one shift") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, recording::parameters p) {
    auto tile = tg::shared<float>(tg::shape<128>);
    const auto target = tile.template vec<4>(block.thread.x * 4_c);
    const auto source = p.x.template vec<4>(block.thread.x * 4_c);
    tg::async_copy_first(target, source, p.n);
  });
  CHECK(r.text.ends_with("min.u32 mul.lo.u32 cp.async.cg.shared.global"));
}
