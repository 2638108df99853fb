#include <tg/dsl/traced_judgement.hpp>

#include <tg/dsl/math.hpp>
#include <tg/dsl/shared.hpp>

#include "recording.hpp"

using namespace tg::literals;

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
  const auto column = [](auto block, recording::parameters p) { (void)p.m.vec<4>(tg::gather(p.u(block.thread.x)), block.thread.x * 4_c); };
  CHECK(recording::error_of(column) == recording::at(203, __LINE__ - 1));  // rows of any length
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
