#include <tg/dsl/memory/cache_hint.hpp>

#include <tg/dsl/memory/shared.hpp>

#include "../recording.hpp"
#include "../word.hpp"

namespace {

using tg::literals::operator""_c;

template <class F> std::string last(F f) {
  const std::string text = recording::of([&](auto block, auto p) { f(block, p); }).text;
  return text.substr(text.rfind(' ') + 1);
}

}  // namespace

TEST_CASE("a hint is part of the instruction") {
  CHECK(last([](auto b, auto p) { (void)tg::load<tg::no_allocate>(p.x(b.thread.x)); }) == "ld.global.L1::no_allocate.nc.f32");
  CHECK(last([](auto b, auto p) { (void)tg::load<tg::evict_last | tg::fetch_128>(p.y(b.thread.x)); }) ==
        "ld.global.L1::evict_last.L2::128B.f32");
  CHECK(last([](auto b, auto p) { (void)tg::load<tg::streaming>(p.x.template vec<4>(b.thread.x * 4_c)); }) ==
        "ld.global.cs.nc.v4.f32");
  CHECK(last([](auto b, auto p) { tg::store<tg::evict_first>(p.y(b.thread.x), 1.0f); }) == "st.global.L1::evict_first.f32");
  CHECK(last([](auto b, auto p) {
          tg::store<tg::no_l1>(p.y.template vec<2>(b.thread.x * 2_c), p.x.template vec<2>(b.thread.x * 2_c).get());
        }) == "st.global.cg.v2.f32");
}

TEST_CASE("what is loaded and stored is the same with every hint, once") {
  const auto kernel = tg::lower(tg::kernel<"hints">(tg::block<64>, [](auto block, tg::in<float> x, tg::inout<float> y) {
    const auto i = block.global_index();
    const auto a = tg::load<tg::evict_first>(x(i)) + tg::load<tg::evict_last>(y(i)) + tg::load<tg::evict_unchanged>(x(i)) +
                   tg::load<tg::no_allocate | tg::fetch_64>(x(i)) + tg::load<tg::fetch_256>(x(i)) + tg::load<tg::no_l1>(x(i));
    tg::store<tg::streaming>(y(i), a);
    tg::store<tg::no_allocate>(y(i), a);
    tg::store<tg::evict_unchanged>(y(i), a);
  }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  int loads = 0;
  for (std::size_t at = 0; (at = kernel.ptx.find("ld.global", at)) != std::string::npos; ++at) ++loads;
  CHECK(loads == 6);
  std::vector<float> x(128, 2.0f), y(128, 1.0f);
  word::launch(kernel.ptx, 2, x, y);
  CHECK(y == std::vector<float>(128, 11.0f));
}

TEST_CASE("shared memory takes no hint") {
  const auto on_tile = [](auto block, auto) {
    (void)tg::load<tg::streaming>(tg::shared<float>(tg::shape<256>)(block.thread.x));
  };
  CHECK(recording::error_of(on_tile) == recording::at(160, __LINE__ - 2));
}
