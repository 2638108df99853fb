#include <tg/dsl/bulk/view_map.hpp>

#include <string>

#include <doctest/doctest.h>

#include <tg/dsl.hpp>
#include <tg/dsl/kernel/trace.hpp>
#include <tg/dsl/vector/narrow_float.hpp>

namespace {

using tg::detail::has_view_map;
constexpr auto facts = tg::detail::make_map_facts<float, tg::shape_t<8, 32>>();
using view = tg::in2<float, tg::multiple_of<4>>;

struct seen {
  tg::detail::recorded_view_map map;
  tg::dynamic_array<tg::ptx::view_map> all;
};

/// The map of `x` that ends where `extents(rows, columns)` says.
template <class Extents> seen map_with(const Extents& extents) {
  seen out;
  const auto k = tg::kernel<"k">(
      tg::block<32>, [&](auto block, view x, tg::scalar<unsigned> n, tg::scalar<unsigned> m, tg::in<unsigned> data) {
        const auto [rows, columns] = extents(n, m, data(block.index.x), block);
        out.map = tg::detail::map_view(x.registers(), facts, rows, columns);
      });
  out.all = tg::trace(k).module.maps;
  return out;
}
template <class X> tg::ptx::operand number(const X& x) { return tg::detail::argument<unsigned>(x); }

}  // namespace

TEST_CASE("read-only matrices have maps whose rows are promised to be multiples of 16 bytes apart") {
  CHECK(has_view_map<view>);
  CHECK(has_view_map<tg::in2<tg::bf16, tg::multiple_of<8>>>);
  CHECK(has_view_map<tg::in2<unsigned, tg::extents<tg::dynamic, 64>>>);
  CHECK_FALSE(has_view_map<tg::in2<tg::bf16, tg::multiple_of<4>>>);
  CHECK_FALSE(has_view_map<tg::in2<float>>);
  CHECK_FALSE(has_view_map<tg::in2<float, tg::multiple_of<4>, tg::aligned<8>>>);
  CHECK_FALSE(has_view_map<tg::inout2<float, tg::multiple_of<4>>>);
  CHECK_FALSE(has_view_map<tg::in<float>>);
}

TEST_CASE("a map ends where scalar parameters say, else where its argument does") {
  const auto known = map_with(
      [](const auto& n, const auto& m, const auto&, const auto&) { return std::pair(number(n * 2u + 1u), number(m)); });
  REQUIRE(known.all.size() == 1);
  CHECK(known.map.address.is_reg());
  CHECK(known.map.ends_with_rows);
  CHECK(known.map.ends_with_columns);
  CHECK(known.all[0].parameter == 5);  // behind those that the C++ names
  CHECK(to_string(known.all[0]) == ".view_map 5 7 4 0 8 32 (argument 0) (argument 1) (argument 2 2 mul 1 add) (argument 3);");

  const auto unknown = map_with([](const auto& n, const auto&, const auto& read, const auto& block) {
    return std::pair(number(read.get()), number(n * block.index.x));
  });
  REQUIRE(unknown.all.size() == 1);
  CHECK_FALSE(unknown.map.ends_with_rows);
  CHECK_FALSE(unknown.map.ends_with_columns);
  CHECK(to_string(unknown.all[0]) == ".view_map 5 7 4 0 8 32 (argument 0) (argument 1) () ();");
}

TEST_CASE("maps that are alike are one parameter, others are not") {
  const auto k = tg::kernel<"k">(tg::block<32>, [](auto, view x, view y, tg::scalar<unsigned> n) {
    const auto own = [&](const view& v, const auto& rows) {
      return tg::detail::map_view(v.registers(), facts, number(rows), number(n));
    };
    for (int time = 0; time < 2; ++time) {
      (void)own(x, n);
      (void)own(y, n);
      (void)own(x, n + 1u);
    }
  });
  const auto traced = tg::trace(k);
  CHECK(traced.module.maps.size() == 3);
  CHECK(traced.module.functions[0].params.size() == 8);
}
