#include <tg/dsl/async/copy_tile.hpp>

#include <tg/dsl/async/async_groups.hpp>
#include <tg/dsl/async/stages.hpp>

#include "../recording.hpp"
#include "../word.hpp"

using namespace tg::literals;

namespace {

constexpr unsigned columns = 39, leading = 40, shown = 16 * 32;

/// 16 x 32 elements of a matrix, from (top, left) on, by blocks of some threads, where rows are promised to be Contract
/// apart.
template <class T, int Threads, int Contract> struct tiles {
  std::string ptx =
      tg::lower(tg::kernel<"tiles">(tg::block<Threads>, [](auto block, tg::in2<T, tg::multiple_of<Contract>> x, tg::out<T> y,
                                                           tg::scalar<unsigned> top, tg::scalar<unsigned> rows) {
        auto ring = tg::stages<T, 2>(tg::shape<16, 32>);
        const auto left = tg::let(block.index.x * 8_c);
        tg::copy_tile(block, ring.fill(1_c), x, top, left, rows, columns);
        tg::async_groups start;
        auto one = start.commit();
        auto ready = one.wait();
        block.sync();
        const auto tile = ring.read(ready, 1_c);
        tg::for_(tg::range(block.thread.x, tg::constant<shown>{}, tg::constant<Threads>{}),
                 [&](auto i) { y(block.index.x * tg::constant<shown>{} + i) = tile(i / 32_c, i % 32_c); });
      })).ptx;

  void check() const {
    for (const unsigned rows : {1u, 15u, 16u, 20u})
      for (const unsigned top : {0u, 4u, 20u}) {
        std::vector<T> x(rows * leading), y(3 * shown);
        for (std::size_t i = 0; i < x.size(); ++i)
          x[i] = i % leading < columns ? static_cast<T>(i % 199 + 1) : static_cast<T>(77);
        word::launch(ptx, 3, x, leading * static_cast<unsigned>(sizeof(T)), y, top, rows);
        std::size_t wrong = 0;
        for (unsigned i = 0; i < y.size(); ++i) {
          const unsigned row = top + i % shown / 32, column = i / shown * 8 + i % 32;
          wrong += y[i] != (row < rows && column < columns ? x[row * leading + column] : T{});
        }
        INFO(sizeof(T), " bytes, ", Threads, " threads, contract ", Contract, ", rows ", rows, ", top ", top);
        CHECK(wrong == 0);
      }
  }
  bool has(const char* part) const { return ptx.find(part) != ptx.npos; }
};

}  // namespace

TEST_CASE("a tile arrives, with zeros past the end of the matrix, however it is shared") {
  tiles<float, 64, 4>().check();  // whole rounds of several rows
  tiles<float, 96, 1>().check();  // three rows at a time, and a round that is not whole
  tiles<double, 8, 2>().check();  // half a row at a time
}

TEST_CASE("as much is copied at a time as the contract keeps aligned") {
  const tiles<float, 128, 4> wide;
  CHECK(wide.has("], 16, "));
  CHECK(!wide.has("], 4, "));
  CHECK(tiles<float, 128, 6>().has("], 8, "));
  CHECK(tiles<float, 128, 1>().has("], 4, "));
  CHECK(accuracy::complaints_from_its_sm_on(wide.ptx) == "");
}

TEST_CASE("where columns are known to be a multiple of what is copied at a time, each copy is whole or zeros") {
  const auto text_of = [](auto kernel) { return tg::lower(kernel).ptx; };
  const std::string known = text_of(tg::kernel<"tiles">(
      tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out<float> y, tg::scalar<unsigned> top,
                         tg::scalar<unsigned> rows, tg::scalar<unsigned, tg::multiple_of<4>> columns) {
        auto tile = tg::shared<float>(tg::shape<16, 32>);
        tg::copy_tile(block, tile, x, top, 0_c, rows, columns);
        tg::async_groups start;
        (void)start.commit().wait();
        block.sync();
        tg::for_(tg::range(block.thread.x, 512_c, 128_c), [&](auto i) { y(i) = tile(i / 32_c, i % 32_c); });
      }));
  CHECK(known.find("min.u32") == known.npos);
  const tiles<float, 128, 4> unknown;  // 39 columns
  CHECK(unknown.has("min.u32"));
  for (const unsigned columns : {4u, 28u, 32u, 36u})
    for (const unsigned rows : {1u, 7u, 20u})
      for (const unsigned top : {0u, 4u, 19u}) {
        std::vector<float> x(rows * leading), y(512);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % leading < columns ? float(i + 1) : -1;
        word::launch(known, 1, x, leading * 4, y, top, rows, columns);
        std::size_t wrong = 0;
        for (unsigned i = 0; i < 512; ++i)
          wrong += y[i] != (top + i / 32 < rows && i % 32 < columns ? x[(top + i / 32) * leading + i % 32] : 0);
        CAPTURE(columns);
        CAPTURE(rows);
        CHECK(wrong == 0);
      }
}

TEST_CASE("where the matrix is known to end beside the tile, only its rows are looked at") {
  const auto text_of = [](auto end_of) {
    return tg::lower(tg::kernel<"tiles">(
                         tg::block<128>,
                         [=](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out<float> y, tg::scalar<unsigned> rows) {
                           const auto left = tg::let(block.index.x * 8_c);
                           auto tile = tg::shared<float>(tg::shape<16, 32>);
                           tg::copy_tile(block, tile, x, 0_c, left, rows, end_of(left));
                           tg::async_groups start;
                           (void)start.commit().wait();
                           block.sync();
                           tg::for_(tg::range(block.thread.x, 512_c, 128_c),
                                    [&](auto i) { y(block.index.x * 512_c + i) = tile(i / 32_c, i % 32_c); });
                         }))
        .ptx;
  };
  const std::string beside = text_of([](const auto& left) { return left + 32_c; });
  const std::string inside = text_of([](const auto& left) { return left + 24_c; });
  const auto count = [](const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++n;
    return n;
  };
  CHECK(count(beside, "selp.b32") == count(inside, "selp.b32") - 1);  // one for all rounds: a thread copies one column
  for (const unsigned rows : {1u, 15u, 16u})
    for (const unsigned width : {24u, 32u}) {
      std::vector<float> x(rows * leading), y(2 * 512);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = float(i + 1);
      word::launch(width == 32 ? beside : inside, 2, x, leading * 4, y, rows);
      std::size_t wrong = 0;
      for (unsigned i = 0; i < 2 * 512; ++i) {
        const unsigned row = i % 512 / 32, column = i % 32;
        wrong += y[i] != (row < rows && column < width ? x[row * leading + i / 512 * 8 + column] : 0);
      }
      CAPTURE(rows);
      CAPTURE(width);
      CHECK(wrong == 0);
    }
}

TEST_CASE("rows that are picked arrive in their order, with zeros for those that there are not") {
  const std::string ptx =
      tg::lower(tg::kernel<"picked">(tg::block<64>, [](auto block, tg::in2<float, tg::multiple_of<4>> x,
                                                       tg::in<unsigned> places, tg::out<float> y, tg::scalar<unsigned> rows) {
        const auto tile = tg::shared<float>(tg::shape<16, 32>);
        const auto pick = [&](const auto& row) { return tg::let(places(row)); };
        tg::copy_rows(block, tile, x, pick, 8_c, rows, columns);
        tg::async_groups start;
        (void)start.commit().wait();
        block.sync();
        tg::for_(tg::range(block.thread.x, tg::constant<shown>{}, 64_c), [&](auto i) { y(i) = tile(i / 32_c, i % 32_c); });
      })).ptx;
  constexpr unsigned rows = 20;
  std::vector<unsigned> places = {3, 3, 19, 0, 20, 7, 4000000000u, 1, 2, 18, 17, 5, 5, 0xffffffff, 11, 12};
  std::vector<float> x(rows * leading), y(shown);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % leading < columns ? float(i + 1) : -1;
  word::launch(ptx, 1, x, leading * 4, places, y, rows);
  std::size_t wrong = 0;
  for (unsigned i = 0; i < shown; ++i) {
    const unsigned row = places[i / 32], column = 8 + i % 32;
    wrong += y[i] != (row < rows && column < columns ? x[row * leading + column] : 0);
  }
  CHECK(wrong == 0);
}

TEST_CASE("each copy is judged on the line of the tile's") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, recording::parameters p) {
    auto tile = tg::shared<float>(tg::shape<8, 32>);
    tg::copy_tile(block, tile, p.m, 0_c, 0_c, p.n, p.n);
  });
  const int line = __LINE__ - 2;
  std::size_t copies = 0;
  for (const tg::access& a : r.accesses) {
    CHECK(a.where.line == line);
    CHECK(a.verdict == tg::verdict::proved);
    copies += !a.is_shared && a.shared.wavefronts > 0;
  }
  CHECK(copies == 8);
}
