#include <tg/dsl/vector/bundle.hpp>

#include "../recording.hpp"

namespace {

struct one { tg::value<float> a; };
struct three {
  tg::value<float> a;
  tg::value<unsigned> b;
  tg::value<double> c;
};
struct nothing {};

static_assert(tg::detail::field_count<one>() == 1 && tg::detail::field_count<three>() == 3);
static_assert(tg::bundle<one> && tg::bundle<three> && !tg::bundle<nothing> && !tg::bundle<tg::value<float>> &&
              !tg::bundle<float>);

}  // namespace

TEST_CASE("each field by itself") {
  CHECK(recording::of([](auto, recording::parameters p) {
          const three s{p.a, p.n, tg::cast<double>(p.a)};
          const three doubled = tg::detail::each_field(s, [](const auto& v) { return v + v; });
          (void)tg::detail::each_pair(s, doubled, [](const auto& a, const auto& b) { return a * b; });
        }).text == "cvt.f64.f32 add.f32 add.u32 add.f64 mul.f32 mul.lo.u32 mul.f64");
}
