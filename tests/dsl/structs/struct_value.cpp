#include <tg/dsl/structs/struct_value.hpp>

#include "../structs.hpp"

#include <tg/dsl/block/block_bundle.hpp>

#include "../recording.hpp"

namespace {

template <class T, class U> struct two {
  T first;
  U second;
};
template <class T> struct counted {
  T number;
  unsigned count;  // no argument of the template: it stays a number of the host
};

using two_numbers = two<float, unsigned>;
using two_structs = two<structs::complex<float>, structs::point>;

}  // namespace

BOOST_HANA_ADAPT_STRUCT(two_numbers, first, second);
BOOST_HANA_ADAPT_STRUCT(two_structs, first, second);
BOOST_HANA_ADAPT_STRUCT(counted<float>, number, count);

namespace {

using tg::device_struct;
using tg::value;

static_assert(std::is_same_v<device_struct<structs::complex<float>>, structs::complex<value<float>>>);
static_assert(std::is_same_v<device_struct<two<float, unsigned>>, two<value<float>, value<unsigned>>>);
static_assert(std::is_same_v<device_struct<two<structs::complex<float>, structs::point>>,
                             two<structs::complex<value<float>>, tg::struct_value<structs::point>>>);
static_assert(std::is_same_v<device_struct<structs::particle>, tg::struct_value<structs::particle>>);
static_assert(std::is_same_v<device_struct<counted<float>>, tg::struct_value<counted<float>>>);
static_assert(std::is_same_v<device_struct<std::array<float, 3>>, std::array<value<float>, 3>>);
static_assert(tg::bundle<tg::struct_value<structs::particle>> && !tg::bundle<tg::struct_value<structs::nested>>);

using structs::particle;

}  // namespace

TEST_CASE("fields by name, by position, and with another value") {
  recording::of([](auto, recording::parameters p) {
    const auto a = tg::make_struct<particle>(p.a, 2.0f, p.a, 4.0f);
    CHECK(a(&particle::x).operand == a(&particle::z).operand);
    CHECK(a(&particle::y).operand != a(&particle::m).operand);
    const auto [x, y, z, m] = a;
    CHECK(y.operand == a(&particle::y).operand);
    CHECK(m.operand == a(&particle::m).operand);
    (void)x;
    (void)z;
    const auto b = a.with(&particle::m, 8.0f);
    CHECK(b(&particle::y).operand == a(&particle::y).operand);
    CHECK(b(&particle::m).operand.is_reg());
    CHECK(b(&particle::m).operand != a(&particle::m).operand);
    const auto n = tg::make_struct<structs::nested>(structs::complex<value<float>>{x, y}, std::array<value<float>, 2>{y, x},
                                                    tg::make_struct<structs::point>(x, y, z), -1);
    CHECK(n(&structs::nested::p)(&structs::point::y).operand == y.operand);
    CHECK(n(&structs::nested::v)[1].operand == x.operand);
    CHECK(n(&structs::nested::c).im.operand == y.operand);
  });
}

TEST_CASE("the user's operators, and reductions of structs") {
  const auto text = recording::of([](auto block, recording::parameters p) {
                      const auto a = tg::make_struct<structs::complex<float>>(p.a, 2.0f);
                      (void)(a * a);
                      const auto s = tg::make_struct<particle>(p.a, p.a, p.a, p.a);
                      (void)tg::block_combine(block, s, [](const auto& u, const auto& v) {
                        return u.with(&particle::x, u(&particle::x) + v(&particle::x));
                      });
                    }).text;
  CHECK(text.find("mov.f32 mul.f32 mul.f32 sub.f32") == 0);
  CHECK(text.find("shfl") != text.npos);
}
