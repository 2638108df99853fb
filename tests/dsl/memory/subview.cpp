#include <tg/dsl/memory/subview.hpp>

#include <tg/dsl/value/gather.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"

using namespace tg::literals;

namespace {

template <class Statements> std::string text(Statements statements) { return recording::of<tg::block_t<32>>(statements).text; }

}  // namespace

TEST_CASE("an element of a part is one of the whole") {
  const auto whole = text([](auto block, recording::parameters p) { (void)p.m(p.n, block.thread.x); });
  CHECK(text([](auto block, recording::parameters p) { (void)tg::row(p.m, p.n)(block.thread.x); }) == whole);
  CHECK(text([](auto block, recording::parameters p) { (void)tg::subview(p.m, p.n, tg::full_extent)(block.thread.x); }) ==
        whole);
  CHECK(text([](auto block, recording::parameters p) {
          (void)tg::subview(p.m, tg::full_extent, tg::slice(4_c))(p.n, block.thread.x);
        }) == text([](auto block, recording::parameters p) { (void)p.m(p.n, 4_c + block.thread.x); }));
  CHECK(text([](auto block, recording::parameters p) {
          (void)tg::subview(tg::row(p.m, p.n), tg::full_extent)(block.thread.x);
        }) == whole);
}

TEST_CASE("slices move and stretch an index") {
  CHECK(text([](auto block, recording::parameters p) { (void)tg::subview(p.x, tg::slice(p.n))(block.thread.x); }) ==
        text([](auto block, recording::parameters p) { (void)p.x(p.n + block.thread.x); }));
  CHECK(text([](auto block, recording::parameters p) { (void)tg::subview(p.x, tg::strided(3_c, 1_c))(block.thread.x); }) ==
        text([](auto block, recording::parameters p) { (void)p.x(3_c + block.thread.x); }));
  CHECK(text([](auto, recording::parameters p) { (void)tg::subview(p.x, tg::strided(3, 2_c))(2); }) ==
        text([](auto, recording::parameters p) { (void)p.x(7); }));
  CHECK(text([](auto, recording::parameters p) { (void)tg::subview(p.x, tg::strided(3_c, 2_c))(2_c); }) ==
        text([](auto, recording::parameters p) { (void)p.x(7_c); }));
  // judged as the whole: every other element
  CHECK(recording::error_of([](auto block, recording::parameters p) {
          (void)tg::subview(p.x, tg::strided(0, 2))(block.thread.x);
        }).substr(0, 3) == "202");
}

TEST_CASE("vectors, data as an index, tiles, and what a variable holds now") {
  CHECK(text([](auto block, recording::parameters p) {
          (void)tg::subview(p.x, tg::slice(p.n * 4_c)).vec<4>(block.thread.x * 4_c);
        }) == text([](auto block, recording::parameters p) { (void)p.x.vec<4>(p.n * 4_c + block.thread.x * 4_c); }));
  const auto gathered =
      recording::of([](auto, recording::parameters p) { (void)tg::subview(p.x, tg::slice(p.n))(tg::gather(p.u(p.n))); });
  CHECK(gathered.accesses[1].verdict == tg::verdict::gather);
  const auto tile = recording::of<tg::block_t<32>>([](auto block, recording::parameters) {
    auto whole = tg::shared<float>(tg::shape<4, 32>);
    const auto third = tg::row(whole, 2_c);
    third(block.thread.x) = 1.0f;
    whole(2_c, block.thread.x) = 2.0f;
  });
  CHECK(tile.accesses[0].shared.good);
  CHECK(text([](auto block, recording::parameters p) {
          tg::var<unsigned> at = p.n;
          const auto part = tg::subview(p.y, tg::slice(tg::let(p.n)));
          at = 7u;
          (void)part(block.thread.x);
        }) == text([](auto block, recording::parameters p) {
          tg::var<unsigned> at = p.n;
          at = 7u;
          (void)p.y(p.n + block.thread.x);
        }));
}
