#include <tg/dsl/value/gather.hpp>

#include "../recording.hpp"

static_assert(tg::index_like<tg::data_index<int>> && tg::index_like<int> && tg::index_like<tg::constant<3>> &&
              !tg::index_like<float>);
static_assert(tg::is_data_index<tg::data_index<int>> && !tg::is_data_index<int>);

TEST_CASE("nothing is claimed about an index that comes from data") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    p.y(tg::scatter(p.u(block.thread.x))) = p.x(tg::gather(p.u(block.thread.x)));
  });
  int gathered = 0;
  for (const auto& a : r.accesses) gathered += a.verdict == tg::verdict::gather;
  CHECK(gathered == 3);  // the read, the write, and the read that a store to an inout view begins with
}

TEST_CASE("a row from data, with a column that is known") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    auto v = p.m(tg::gather(p.u(block.index.x)), block.thread.x);
    (void)v;
  });
  CHECK(r.accesses[1].verdict == tg::verdict::gather);
}

TEST_CASE("the pattern of what is not gathered is judged") {
  const auto column_of = [](auto index) {
    return [index](auto block, recording::parameters p) { (void)p.m(tg::gather(p.u(block.thread.x)), index(block, p)); };
  };
  const int line = __LINE__ - 2;
  CHECK(recording::error_of(column_of([](auto block, auto p) { return block.thread.x % p.n; })) == "none");
  CHECK(recording::error_of(column_of([](auto block, auto) {
          int stride = 64;
          return block.thread.x * stride;
        })) == recording::at(202, line));
}

TEST_CASE("an index that is a number of C++ is no gather") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    p.y(tg::scatter(block.thread.x)) = p.x(tg::gather(3u)) + p.x(tg::gather(tg::constant<4>{}));
  });
  for (std::size_t k = 0; k < 2; ++k) CHECK(r.accesses[k].verdict != tg::verdict::gather);
}
