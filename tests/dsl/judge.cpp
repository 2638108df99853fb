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
static_assert(std::is_same_v<judged<view, 1, at<times<lane, number<2>>>>,
                             d::global_access<false, d::uncoalesced_access<d::sectors<9>, d::ideal_sectors<4>>>>);
static_assert(std::is_same_v<judged<view, 1, at<data>>, d::known_index<false, d::data_dependent_index<data>>>);
static_assert(std::is_same_v<judged<view, 4, tx>, d::aligned_access<false, d::misaligned_vector<d::access_bytes<16>, d::proved_alignment_bytes<4>>>>);
static_assert(std::is_same_v<judged<matrix, 4, at<single<uniform<1>>>, at<times<lane, number<4>>>>, d::none>);
static_assert(!std::is_same_v<judged<tg::in2<float>, 4, at<single<uniform<1>>>, at<times<lane, number<4>>>>, d::none>);
static_assert(std::is_same_v<judged<matrix, 1, tx, tg::constant<0>>,
                             d::global_access<false, d::uncoalesced_access<d::sectors<32>, d::ideal_sectors<4>>>>);
static_assert(std::is_same_v<typename tg::detail::global_judgement<view, 1, tg::allow<tg::TG202>, at<times<lane, number<2>>>>::type, d::none>);

// C++ integers take part: the same findings while the kernel is recorded, with the line.
TEST_CASE("an index with C++ integers is judged when recorded") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    for (int k = 0; k < 4; ++k) p.y(block.thread.x + k * 256) = 0.0f;
  });
  CHECK(r.accesses.size() == 8);
  for (const auto& a : r.accesses) CHECK(a.verdict == tg::verdict::traced);
}

TEST_CASE("TG202 of a stride known when recorded") {
  const auto stored = [](int stride) {
    return [stride](auto block, recording::parameters p) { p.y(block.thread.x * stride) = 0.0f; };
  };
  CHECK(recording::error_of(stored(3)) == recording::at(202, __LINE__ - 2));
  CHECK(recording::error_of(stored(1)) == "none");
  const auto excused = [](auto block, recording::parameters p) {
    int stride = 3;
    (void)p.x(block.thread.x * stride, tg::allow<tg::TG202>("a test"));
  };
  CHECK(recording::error_of(excused) == "none");
}

TEST_CASE("TG203 of an offset known when recorded") {
  const auto from = [](int first) {
    return [first](auto block, recording::parameters p) { (void)p.x.vec<4>(block.thread.x * 4_c + first); };
  };
  CHECK(recording::error_of(from(2)) == recording::at(203, __LINE__ - 2));
  CHECK(recording::error_of(from(8)) == "none");
}

TEST_CASE("TG204 of a division by a run-time number") {
  const auto divided = [](auto block, recording::parameters p) {
    int first = 2;
    (void)p.x((block.thread.x + first) / p.n);
  };
  CHECK(recording::error_of(divided) == recording::at(204, __LINE__ - 2));
}

TEST_CASE("TG201 of a column known when recorded") {
  const auto column = [](int pitch) {
    return [pitch](auto block, recording::parameters) {
      auto tile = tg::shared<float>(tg::shape<2048>);
      (void)tile(block.thread.x * pitch);
    };
  };
  const int line = __LINE__ - 3;
  CHECK(recording::error_of<tg::block_t<32>>(column(32)) == recording::at(201, line));
  CHECK(recording::error_of<tg::block_t<32>>(column(33)) == "none");
}
