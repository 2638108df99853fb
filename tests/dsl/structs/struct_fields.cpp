#include <tg/dsl/structs/struct_fields.hpp>

#include "../structs.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace {

/// What is wrong with T as an element.
template <class T> using found = typename tg::detail::element_check<T>::type;
template <class T> inline constexpr bool is_fine = std::is_same_v<found<T>, tg::diagnosis::none>;

template <class D, template <bool, class> class Kind> inline constexpr bool is_kind = false;
template <template <bool, class> class Kind, class Facts> inline constexpr bool is_kind<Kind<false, Facts>, Kind> = true;

static_assert(is_fine<structs::particle> && is_fine<structs::rgb8> && is_fine<structs::complex<float>> &&
              is_fine<structs::mixed>);
static_assert(is_fine<structs::nested> && is_fine<structs::wide> && is_fine<std::array<float, 3>> && is_fine<float>);

}  // namespace

namespace wrong {

struct unadapted { float x; };
struct pointing { float* x; };
struct with_constructor {
  with_constructor(float a) : x(a) {}
  float x;
};
struct half_adapted { float x, y; };
struct turned {
  float x;
  double y;
};
struct __attribute__((packed)) packed {
  std::uint8_t a;
  float b;
};
struct apart {
  int a;
  std::uint8_t b;
  alignas(2) std::uint8_t c;
};

}  // namespace wrong

BOOST_HANA_ADAPT_STRUCT(wrong::pointing, x);
BOOST_HANA_ADAPT_STRUCT(wrong::with_constructor, x);
BOOST_HANA_ADAPT_STRUCT(wrong::half_adapted, x);
BOOST_HANA_ADAPT_STRUCT(wrong::turned, y, x);
BOOST_HANA_ADAPT_STRUCT(wrong::packed, a, b);
BOOST_HANA_ADAPT_STRUCT(wrong::apart, a, b, c);

namespace {

using namespace tg::diagnosis;
static_assert(is_kind<found<wrong::unadapted>, element_type> && is_kind<found<char*>, element_type>);
static_assert(is_kind<found<wrong::pointing>, field_type> && is_kind<found<std::array<char*, 2>>, field_type>);
static_assert(is_kind<found<wrong::with_constructor>, plain_struct>);
static_assert(is_kind<found<wrong::half_adapted>, struct_layout> && is_kind<found<wrong::packed>, struct_layout>);
static_assert(is_fine<wrong::apart>);  // seen when it is used

template <class T, int Align> std::vector<int> pieces() {
  std::vector<int> out;
  for (const auto& p : tg::detail::struct_pieces<T, Align>) {
    out.push_back(p.offset_bytes);
    out.push_back(p.bytes);
  }
  return out;
}

}  // namespace

TEST_CASE("pieces are as wide as the alignment of the struct in memory, and no wider than 16 bytes") {
  CHECK(pieces<structs::particle, 16>() == std::vector<int>{0, 16});
  CHECK(pieces<structs::particle, 4>() == std::vector<int>{0, 4, 4, 4, 8, 4, 12, 4});
  CHECK(pieces<structs::point, 16>() == std::vector<int>{0, 4, 4, 4, 8, 4});
  CHECK(pieces<structs::complex<float>, 256>() == std::vector<int>{0, 8});
  CHECK(pieces<structs::rgb8, 16>() == std::vector<int>{0, 1, 1, 1, 2, 1});
  CHECK(pieces<structs::wide, 16>() == std::vector<int>{0, 16, 16, 16});
  CHECK(pieces<structs::wide, 8>() == std::vector<int>{0, 8, 8, 8, 16, 8});
  CHECK(pieces<float, 16>() == std::vector<int>{0, 4});
}

TEST_CASE("the numbers of a struct, at any depth") {
  std::vector<int> at;
  for (const auto& leaf : tg::detail::leaves_of<structs::nested>) at.push_back(leaf.offset_bytes);
  CHECK(at == std::vector<int>{0, 4, 8, 12, 16, 20, 24, 28});
}

TEST_CASE("fields that are not where their types put them") {
  const auto number = [](auto check) {
    try {
      check();
    } catch (const tg::error& e) { return e.number(); }
    return 0;
  };
  CHECK(number([] { tg::detail::require_layout<structs::mixed>({}); }) == 0);
  CHECK(number([] { tg::detail::require_layout<wrong::apart>({}); }) == 195);
  CHECK(number([] { tg::detail::require_layout<wrong::turned>({}); }) == 195);
}
