#include <tg/dsl/recorder/tile_placer.hpp>

#include <tg/dsl/memory/sized_tile.hpp>
#include <tg/dsl/value/cast.hpp>

#include "../recording.hpp"

using namespace tg::literals;
using recording::parameters;

TEST_CASE("tiles of 48 KB together are static") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, parameters) {
    auto a = tg::shared<float>(tg::shape<6144>);
    auto b = tg::shared<float>(tg::shape<6144>);
    a(block.thread.x) = 1.0f;
    b(block.thread.x) = 2.0f;
  });
  CHECK(r.module.tiles.empty());
  REQUIRE(r.module.variables.size() == 2);
  CHECK_FALSE(r.module.variables[0].external);
}

TEST_CASE("tiles of more are parts of dynamic shared memory") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, parameters) {
    auto a = tg::shared<unsigned char>(tg::shape<100>);
    auto b = tg::shared<float>(tg::shape<8192>);
    auto c = tg::shared<float>(tg::shape<8192>);
    a(block.thread.x) = tg::cast<unsigned char>(block.thread.x);
    b(5_c) = 1.0f;
    c(5_c) = 2.0f;
  });
  REQUIRE(r.module.variables.size() == 1);
  CHECK(r.module.variables[0].name == "statements_tiles");
  CHECK(r.module.variables[0].external);
  CHECK(r.module.variables[0].count == -1);
  REQUIRE(r.module.tiles.size() == 3);
  CHECK(tg::ptx::fixed_tile_bytes(r.module.tiles) == 112 + 2 * 32768);
  CHECK(r.module.tiles[1].line == static_cast<std::uint32_t>(__LINE__ - 12));
  std::vector<std::int64_t> stores;
  for (const auto& i : r.module.functions[0].body)
    if (i.op == tg::ptx::opcode::st && i[0].base == tg::ptx::operand_kind::variable) stores.push_back(i[0].value);
  CHECK(stores == std::vector<std::int64_t>{112 + 20, 112 + 32768 + 20});
}

TEST_CASE("tiles whose size the launch decides lie behind those of fixed size") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, parameters p) {
    auto a = tg::shared<float>(p.n);
    auto fixed = tg::shared<float>(tg::shape<64>);
    auto b = tg::shared<float>(p.n);
    a(block.thread.x) = 1.0f;
    b(block.thread.x) = 2.0f;
    fixed(block.thread.x) = 3.0f;
  });
  REQUIRE(r.module.variables.size() == 2);
  CHECK(r.module.variables[0].count == 256);
  CHECK(r.module.variables[1].external);
  CHECK(r.module.tiles.size() == 2);
}

TEST_CASE("more than any GPU has is refused with the tiles and their lines") {
  std::string said;
  const int line = __LINE__ + 3;
  try {
    recording::of<tg::block_t<32>>([](auto block, parameters) {
      auto a = tg::shared<float>(tg::shape<32, 1024>);
      auto b = tg::shared<float>(tg::shape<32, 1024>);
      a(0_c, block.thread.x) = b(0_c, block.thread.x);
    });
  } catch (const tg::error& e) {
    CHECK(e.number() == 124);
    said = e.what();
  }
  CHECK(said.find("262144 bytes: 131072 bytes of line " + std::to_string(line) + ", 131072 bytes of line " +
                  std::to_string(line + 1)) != std::string::npos);
  CHECK(said.find("232448") != std::string::npos);
}
