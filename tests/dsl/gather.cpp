#include <tg/dsl/gather.hpp>

#include "recording.hpp"

static_assert(tg::index_like<tg::data_index<int>> && tg::index_like<int> && tg::index_like<tg::constant<3>> && !tg::index_like<float>);
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
