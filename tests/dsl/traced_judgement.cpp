#include <tg/dsl/traced_judgement.hpp>

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
