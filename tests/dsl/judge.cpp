#include <tg/dsl/judge.hpp>

#include <type_traits>

#include <tg/dsl/shared.hpp>

#include "recording.hpp"

using namespace tg::literals;

using namespace tg::index;
using lane = single<thread<'x', 32, 1, 1>>;
using tx = tg::value<unsigned, lane>;
using view = tg::in<float>;
using matrix = tg::in2<float, tg::multiple_of<4>>;
namespace d = tg::diagnosis;

template <class View, int N, class... I>
using judged = typename tg::detail::global_judgement<View, N, tg::detail::checked, I...>::type;
template <class Form> using at = tg::value<unsigned, Form>;

static_assert(std::is_same_v<judged<view, 1, tx>, d::none>);
static_assert(std::is_same_v<judged<view, 1, int>, d::none>, "judged when recorded");
static_assert(std::is_same_v<judged<view, 1, at<times<lane, number<8>>>>, d::none>, "other accesses may fill the gaps");
static_assert(std::is_same_v<judged<view, 1, at<times<lane, number<9>>>>,
                             d::global_access<false, d::uncoalesced_access<d::sectors<32>, d::ideal_sectors<4>>>>);
static_assert(std::is_same_v<judged<view, 1, at<data>>, d::known_index<false, d::data_dependent_index<d::types<at<data>>>>>);
static_assert(std::is_same_v<judged<matrix, 1, at<data>, tx>, d::known_index<false, d::data_dependent_index<d::types<at<data>>>>>);
static_assert(std::is_same_v<judged<matrix, 1, tg::data_index<unsigned>, tx>, d::none>);
static_assert(!std::is_same_v<judged<matrix, 1, tg::data_index<unsigned>, at<times<lane, number<9>>>>, d::none>);
static_assert(std::is_same_v<judged<view, 1, at<node<lane, single<uniform<1>>, tg::index::remainder<lane, single<uniform<1>>, false>>>>, d::none>,
              "judged when recorded");
static_assert(std::is_same_v<judged<view, 4, tx>, d::aligned_access<false, d::misaligned_vector<d::access_bytes<16>, d::proved_alignment_bytes<4>>>>);
static_assert(std::is_same_v<judged<matrix, 4, at<single<uniform<1>>>, at<times<lane, number<4>>>>, d::none>);
static_assert(!std::is_same_v<judged<tg::in2<float>, 4, at<single<uniform<1>>>, at<times<lane, number<4>>>>, d::none>);
static_assert(std::is_same_v<judged<matrix, 1, tx, tg::constant<0>>,
                             d::global_access<false, d::uncoalesced_access<d::sectors<32>, d::ideal_sectors<4>>>>);
static_assert(std::is_same_v<typename tg::detail::global_judgement<view, 1, tg::allow<tg::TG202>, at<times<lane, number<2>>>>::type, d::none>);

TEST_CASE("what the compiler judged is recorded with its cost") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    p.y(block.thread.x) = 0.0f;
    (void)p.x(block.thread.x * 2_c, tg::allow<tg::TG202>("a test"));
  });
  REQUIRE(r.accesses.size() == 3);
  CHECK(r.accesses[1].verdict == tg::verdict::proved);
  CHECK(r.accesses[2].verdict == tg::verdict::allowed);
  CHECK(r.accesses[2].global.sectors == 9);
}
