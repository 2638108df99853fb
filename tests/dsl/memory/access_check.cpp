#include <tg/dsl/memory/access_check.hpp>

#include <doctest/doctest.h>

using tg::detail::are_gathered;
using tg::detail::are_integers;
using tg::detail::linear_form;
using tg::index::number;
using tg::index::single;
using tg::index::uniform;

using lane = single<tg::index::thread<'x', 32, 1, 1>>;
using tx = tg::value<unsigned, lane>;
using ld = single<uniform<4>>;
struct line { using pitches = tg::detail::pitch_list<>; };
template <class Pitch> struct rows_of { using pitches = tg::detail::pitch_list<Pitch>; };
struct planes { using pitches = tg::detail::pitch_list<single<uniform<1>>, ld>; };

static_assert(are_integers<tx, int, tg::constant<3>> && !are_integers<tg::value<float>> &&
              !are_integers<tg::value<unsigned char>>);
static_assert(are_gathered<tx, tg::data_index<int>> && !are_gathered<tx, int>);
static_assert(are_integers<tx, tg::value<long>>, "64 bits for a row or column as well");

static_assert(std::is_same_v<linear_form<line, tx>, lane>);
static_assert(std::is_same_v<linear_form<rows_of<number<33>>, tg::constant<2>, tx>, tg::index::plus<number<66>, lane>>);
static_assert(std::is_same_v<linear_form<rows_of<ld>, tx, int>, tg::index::traced>);
static_assert(std::is_same_v<linear_form<rows_of<ld>, tg::value<unsigned>, int>, tg::index::data>);

static_assert(std::is_same_v<linear_form<planes, tg::constant<0>, tg::constant<0>, tx>, lane>);
static_assert(!std::is_same_v<linear_form<planes, tx, tg::constant<0>, tg::constant<0>>,
                              linear_form<planes, tg::constant<0>, tx, tg::constant<0>>>,
              "each stride is its own");

template <int Rank, int N, class... I>
using found = typename decltype(tg::detail::check_written<void, float, Rank, N, I...>())::type;

TEST_CASE("the first thing that is wrong is the only one") {
  namespace d = tg::diagnosis;
  CHECK(std::is_same_v<found<1, 1, tx>, d::none>);
  CHECK(std::is_same_v<found<1, 1, tx, tg::value<float>>, d::rank<false, d::types<void, d::given_count<2>>>>);
  CHECK(std::is_same_v<found<1, 3, tg::value<float>>, d::integer_index<false, d::types<float>>>);
  CHECK(std::is_same_v<found<1, 3, tx>, d::vector_width<false, d::types<float, d::elements<3>>>>);
  CHECK(std::is_same_v<found<2, 4, tx, tx>, d::none>);
  CHECK(std::is_same_v<found<1, 8, tx>, d::vector_width<false, d::types<float, d::elements<8>>>>);
}
