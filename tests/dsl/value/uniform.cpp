#include <tg/dsl/value/uniform.hpp>

#include <tg/dsl/memory/shared.hpp>

#include "../recording.hpp"

using namespace tg::literals;

TEST_CASE("numbers of one multiple are one type, and immediates") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, recording::parameters p) {
    static_assert(std::is_same_v<decltype(tg::uniform<4>(0)), decltype(tg::uniform<4>(8u))>);
    for (int i = 0; i < 3; ++i) p.y(block.thread.x + tg::uniform<32>(32 * i)) = p.a;
  });
  std::vector<long long> added;
  for (const auto& i : r.module.functions[0].body)
    if (i.op == tg::ptx::opcode::add && !i[2].is_reg()) added.push_back(i[2].value);
  // The handle of the block adds numbers first.
  REQUIRE(added.size() >= 3);
  CHECK(std::vector(added.end() - 3, added.end()) == std::vector<long long>{0, 32, 64});
}

TEST_CASE("an index is judged by the multiple, in global and shared memory") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, recording::parameters p) {
    const auto tile = tg::shared<float>(tg::shape<8, 128>);
    (void)p.x(block.thread.x + tg::uniform(3));
    (void)p.x.template vec<4>(block.thread.x * 4_c + tg::uniform<4>(20));
    (void)tile.template vec<4>(tg::uniform(7), block.thread.x * 4_c);
  });
  REQUIRE(r.accesses.size() == 3);
  for (const auto& a : r.accesses) CHECK(a.verdict == tg::verdict::proved);
  CHECK(r.accesses[0].global.sectors == 5);
  CHECK(r.accesses[1].global.sectors == 17);
  CHECK(r.accesses[2].shared.ways == 1);
}

TEST_CASE("TG126 for a number that is no multiple, TG122 for one that is negative") {
  const auto error_of = [](int n) {
    return recording::error_of([n](auto, recording::parameters) { (void)tg::uniform<4>(n); }).substr(0, 4);
  };
  CHECK(error_of(6) == "126 ");
  CHECK(error_of(-4) == "122 ");
  CHECK(error_of(8) == "none");
  const auto error_below_64 = [](int n) {
    return recording::error_of([n](auto, recording::parameters) { (void)tg::uniform<16, 64>(n); }).substr(0, 4);
  };
  CHECK(error_below_64(64) == "126 ");
  CHECK(error_below_64(24) == "126 ");
  CHECK(error_below_64(48) == "none");
}
