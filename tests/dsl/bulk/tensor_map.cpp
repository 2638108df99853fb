#include <tg/dsl/bulk/tensor_map.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/memory/sized_tile.hpp>
#include <tg/emulator/async/tensor_map.hpp>

namespace {

template <class T> constexpr int type_of = tg::detail::map_type_of<T>();
using tg::emulator::tensor_type;

}  // namespace

TEST_CASE("the box, swizzle and steps are told innermost first") {
  using map = tg::in_map<tg::bf16, tg::shape<4, 8, 64>, tg::swizzle<3, 3, 3>, tg::skip<2, 3>, tg::promote<256>>;
  constexpr auto facts = map::facts;
  static_assert(facts.rank == 3 && facts.element_bytes == 2 && facts.swizzle == 3 && facts.promotion == 3);
  static_assert(facts.box[0] == 64 && facts.box[1] == 22 && facts.box[2] == 7 && facts.box[3] == 1);
  static_assert(facts.steps[0] == 1 && facts.steps[1] == 3 && facts.steps[2] == 2);
  static_assert(map::bytes == 4096 && map::alignment_bytes == 1024);
  static_assert(std::is_same_v<map::layout, tg::swizzle_t<3, 3, 3>>);
  using plain = tg::out_map<float, tg::shape<16>>;
  static_assert(plain::alignment_bytes == 128 && std::is_same_v<plain::layout, void*> && !plain::facts.fills_nan);
  static_assert(tg::in_map<double, tg::shape<2, 4>, tg::swizzle<1, 1, 3>, tg::fill_nan>::facts.fills_nan);
  CHECK(facts.rank == 3);
}

TEST_CASE("types of elements are those that the emulator names") {
  using enum tensor_type;
  const auto is = [](int number, tensor_type t) { return number == static_cast<int>(t); };
  CHECK(is(type_of<unsigned char>, u8));
  CHECK(is(type_of<signed char>, u8));
  CHECK(is(type_of<tg::f8e4m3>, u8));
  CHECK(is(type_of<unsigned short>, u16));
  CHECK(is(type_of<unsigned>, u32));
  CHECK(is(type_of<int>, s32));
  CHECK(is(type_of<unsigned long long>, u64));
  CHECK(is(type_of<long long>, s64));
  CHECK(is(type_of<tg::f16>, f16));
  CHECK(is(type_of<float>, f32));
  CHECK(is(type_of<double>, f64));
  CHECK(is(type_of<tg::bf16>, bf16));
  CHECK(is(type_of<tg::tf32>, tf32));
  CHECK(type_of<bool*> == -1);
}

namespace {

/// What is said of a last coordinate that `last(x, thread)` gives; "": nothing.
template <class Last> std::string refusal(Last last) {
  using namespace tg::literals;
  try {
    (void)tg::lower(tg::kernel<"k">(
        tg::block<32>, [&](auto block, tg::in_map<float, tg::shape<8, 32>> map, tg::scalar<unsigned> x,
                           tg::scalar<unsigned, tg::multiple_of<4>> fours) { (void)map(block.index.x, last(x, fours)); }));
  } catch (const tg::error& e) { return e.what(); }
  return "";
}

}  // namespace

TEST_CASE("a copy begins at a multiple of 16 bytes of a row, or is refused") {
  using namespace tg::literals;
  CHECK(refusal([](auto x, auto) { return x * 4_c; }) == "");
  CHECK(refusal([](auto x, auto) { return x / 8_c * 8_c - 4u; }) == "");
  CHECK(refusal([](auto, auto fours) { return fours.get(); }) == "");
  CHECK(refusal([](auto, auto) { return -8; }) == "");
  const std::string unknown = refusal([](auto x, auto) { return x.get(); }), odd = refusal([](auto, auto) { return -6; });
  CHECK(unknown.find("TG150") != unknown.npos);
  CHECK(unknown.find("nothing says that the last coordinate of this tensor copy is a multiple of 4") != unknown.npos);
  CHECK(unknown.find("x / 4_c * 4_c") != unknown.npos);
  CHECK(odd.find("TG150") != odd.npos);
  CHECK(odd.find("-24 bytes from its beginning") != odd.npos);
  CHECK(refusal([](auto x, auto) { return x * 4_c + 2u; }).find("TG150") != std::string::npos);
}
