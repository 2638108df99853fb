#include <tg/dsl/memory/field_access.hpp>

#include <type_traits>

#include "../recording.hpp"
#include "../structs.hpp"

using namespace tg::literals;

namespace d = tg::diagnosis;
using structs::particle;
using structs::point;
using tg::index::single;
using lane = single<tg::index::thread<'x', 32, 1, 1>>;
using tx = tg::value<unsigned, lane>;
using read_from_memory = tg::value<unsigned, tg::index::data>;

template <class Struct, class Field, class... I>
using judged = typename tg::detail::field_judgement<tg::in<particle>, Struct, Field, tg::detail::checked, I...>::type;

static_assert(std::is_same_v<judged<particle, float, tx>, d::none>);
static_assert(std::is_same_v<judged<point, float, tx>, d::field_of_struct<false, d::types<particle, point>>>);
static_assert(std::is_same_v<judged<particle, float, read_from_memory>,
                             d::known_index<false, d::data_dependent_index<d::types<read_from_memory>>>>);
static_assert(!std::is_same_v<judged<particle, char*, tx>, d::none>);
static_assert(!std::is_same_v<judged<particle, float, tx, tx>, d::none>, "a vector of structs has one index");

TEST_CASE("a field is moved from where it lies in its struct, and counted as part of it") {
  const auto traced = tg::trace(tg::kernel<"field">(tg::block<64>, [](auto, tg::in<particle> p, tg::scalar<unsigned> n) {
    (void)p(n, &particle::z);  // all lanes read one struct
  }));
  const auto& a = traced.accesses;
  REQUIRE(a.size() >= 1);
  CHECK(a.back().element_bytes == sizeof(particle));
  CHECK(a.back().access_bytes == 4);
  CHECK(a.back().offset_bytes == 8);
}

TEST_CASE("a field that is a struct itself is moved by its pieces") {
  const auto traced = tg::trace(tg::kernel<"field">(
      tg::block<64>, [](auto, tg::in<structs::nested> p, tg::scalar<unsigned> n) { (void)p(n, &structs::nested::p); }));
  int bytes = 0;
  for (const tg::access& a : traced.accesses)
    if (a.element_bytes == sizeof(structs::nested)) bytes += a.access_bytes;
  CHECK(bytes == sizeof(point));
}
