#include <tg/dsl/memory/judge.hpp>

#include <type_traits>

#include <tg/dsl/math/math.hpp>
#include <tg/dsl/memory/shared.hpp>

#include "../recording.hpp"

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
static_assert(
    std::is_same_v<judged<matrix, 1, at<data>, tx>, d::known_index<false, d::data_dependent_index<d::types<at<data>>>>>);
static_assert(std::is_same_v<judged<matrix, 1, tg::data_index<unsigned>, tx>, d::none>);
static_assert(!std::is_same_v<judged<matrix, 1, tg::data_index<unsigned>, at<times<lane, number<9>>>>, d::none>);
static_assert(
    std::is_same_v<judged<view, 1, at<node<lane, single<uniform<1>>, tg::index::remainder<lane, single<uniform<1>>, false>>>>,
                   d::none>,
    "judged when recorded");
static_assert(
    std::is_same_v<judged<view, 4, tx>,
                   d::aligned_access<false, d::misaligned_vector<d::access_bytes<16>, d::proved_alignment_bytes<4>>>>);
static_assert(std::is_same_v<judged<matrix, 4, at<single<uniform<1>>>, at<times<lane, number<4>>>>, d::none>);
static_assert(!std::is_same_v<judged<tg::in2<float>, 4, at<single<uniform<1>>>, at<times<lane, number<4>>>>, d::none>);
static_assert(std::is_same_v<judged<matrix, 1, tx, tg::constant<0>>,
                             d::global_access<false, d::uncoalesced_access<d::sectors<32>, d::ideal_sectors<4>>>>);
static_assert(std::is_same_v<
              typename tg::detail::global_judgement<view, 1, tg::allow<tg::TG202>, at<times<lane, number<2>>>>::type, d::none>);

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

TEST_CASE("an index with C++ integers is judged when recorded") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    for (int k = 0; k < 4; ++k) p.y(block.thread.x + k * 256) = 0.0f;
  });
  CHECK(r.accesses.size() == 8);
  for (const auto& a : r.accesses) CHECK(a.verdict == tg::verdict::traced);
}

TEST_CASE("each warp's share is the one that the compiler finds") {
  const auto r = recording::of<tg::block_t<40>>([](auto block, recording::parameters p) {
    const auto i = block.thread.x;
    unsigned width = 4;
    const auto tile = tg::shared<float>(tg::shape<512>);
    (void)p.x.vec<4>(i * 4_c * (1_c + i / 32_c), tg::allow<tg::TG202>("a test"));
    (void)p.x.vec<4>(i * width * (1_c + i / 32_c), tg::allow<tg::TG202>("a test"));
    (void)tile.template vec<4>(i * 4_c * (1_c + i / 32_c), tg::allow<tg::TG201>("a test"));
    (void)tile.template vec<4>(i * width * (1_c + i / 32_c), tg::allow<tg::TG201>("a test"));
  });
  REQUIRE(r.accesses.size() == 4);
  CHECK(r.accesses[0].global == r.accesses[1].global);
  CHECK(r.accesses[2].shared == r.accesses[3].shared);
  for (std::size_t w = 0; w < 2; ++w) {
    CHECK(r.accesses[0].global_of_warp[w] == r.accesses[1].global_of_warp[w]);
    CHECK(r.accesses[2].shared_of_warp[w] == r.accesses[3].shared_of_warp[w]);
  }
  CHECK(r.accesses[3].shared_of_warp[0] == tg::shared_share{4, 4});
  CHECK(r.accesses[3].shared_of_warp[1] == tg::shared_share{2, 1});
}

TEST_CASE("TG202 of a stride known when recorded") {
  const auto stored = [](int stride) {
    return [stride](auto block, recording::parameters p) { p.y(block.thread.x * stride) = 0.0f; };
  };
  const int line = __LINE__ - 2;
  CHECK(recording::error_of(stored(64)) == recording::at(202, line));
  CHECK(recording::error_of(stored(3)) == recording::at(202, line));  // when no other store has filled the gaps
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

TEST_CASE("TG204 of bits of a clamped index") {
  const auto masked = [](auto block, recording::parameters p) { (void)p.x(tg::min(block.thread.x, p.n) & 127_c); };
  CHECK(recording::error_of(masked) == recording::at(204, __LINE__ - 1));
  const auto clamped = [](auto block, recording::parameters p) { (void)p.x(tg::min(block.thread.x & 127_c, p.n)); };
  CHECK(recording::error_of(clamped) == "none");
}

TEST_CASE("TG203 of a gathered vector whose index is no multiple of its width") {
  const auto at = [](auto width) {
    return [width](auto block, recording::parameters p) { (void)p.x.vec<4>(tg::gather(p.u(block.thread.x) * width)); };
  };
  const int line = __LINE__ - 2;
  CHECK(recording::error_of(at(2_c)) == recording::at(203, line));
  CHECK(recording::error_of(at(4_c)) == "none");
  const auto promised = [](auto block, recording::parameters p) { (void)p.x.vec<4>(tg::gather<4>(p.u(block.thread.x))); };
  CHECK(recording::error_of(promised) == "none");
  const auto column = [](auto block, recording::parameters p) {
    (void)p.m.vec<4>(tg::gather(p.u(block.thread.x)), block.thread.x * 4_c);
  };
  CHECK(recording::error_of(column) == recording::at(203, __LINE__ - 2));  // rows of any length
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
