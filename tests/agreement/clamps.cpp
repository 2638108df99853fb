// Clamped indices: what the compiler and the tracer say, and the most that the emulator counts over bounds that lie before,
// inside and behind each warp.
#include <tests/agreement/agreement.hpp>

#include <cstddef>

#include <tg/dsl/memory/access_cost.hpp>

namespace {

using namespace tg::literals;

enum class reach { exactly, at_most };

/// Judges `form(block, n)` twice as an index of a view, and runs it with all n below 160.
template <class Block, class Form> void check_global(const Block&, reach most, std::uint32_t expected, Form form) {
  const auto kernel = tg::kernel<"clamped">(
      Block{}, [form](auto block, tg::in<float, tg::aligned<128>> x, tg::out<float> y, tg::scalar<unsigned> n) {
        const auto i = form(block, n);
        const auto a = x(i, agreement::while_compiling<tg::TG202>);
        const auto b = x(agreement::traced_index{i.operand}, agreement::while_tracing<tg::TG202>);
        y(block.global_index()) = a + b;
      });
  tg::device gpu("emulator");
  const auto x = gpu.zeros<float>(1 << 16);
  auto y = gpu.zeros<float>(2 * Block::threads);
  ledger counted(kernel);
  for (unsigned n = 0; n < 160; ++n) counted.count([&] { gpu.launch(kernel, tg::grid(2), x, y, n); });
  for (const ledger_row& row : counted.rows()) {
    if (row.access.reason != agreement::compiling) continue;
    CAPTURE(row.text());
    CHECK(row.access.global == agreement::traced_twin(counted.lowered().accesses, row.number).global);
    CHECK(row.access.global.sectors == int(expected));
    CHECK(row.most <= row.compiled());
    if (most == reach::exactly) CHECK(row.most == row.compiled());
  }
}

/// The verdict and the count of a clamped access to a tile.
template <class Block, class Form> void check_shared(const Block&, reach most, std::uint32_t expected, Form form) {
  const auto kernel = tg::kernel<"clamped_tile">(Block{}, [form](auto block, tg::out<float> y, tg::scalar<unsigned> n) {
    const auto tile = tg::shared<float>(tg::shape<8192>);
    const auto i = form(block, n);
    const auto a = tile(i, agreement::while_compiling<tg::TG201>);
    const auto b = tile(agreement::traced_index{i.operand}, agreement::while_tracing<tg::TG201>);
    y(block.global_index()) = a + b;
  });
  tg::device gpu("emulator");
  auto y = gpu.zeros<float>(Block::threads);
  ledger counted(kernel);
  for (unsigned n = 0; n < 160; ++n) counted.count([&] { gpu.launch(kernel, tg::grid(1), y, n); });
  for (const ledger_row& row : counted.rows()) {
    if (row.access.reason != agreement::compiling) continue;
    CAPTURE(row.text());
    CHECK(row.access.shared == agreement::traced_twin(counted.lowered().accesses, row.number).shared);
    CHECK(row.access.shared.wavefronts == int(expected));
    CHECK(row.most <= row.compiled());
    if (most == reach::exactly) CHECK(row.most == row.compiled());
  }
}

}  // namespace

TEST_CASE("views: a clamp that comes last costs no more than the interior; arithmetic behind it counts at the bounds") {
  check_global(tg::block<64>, reach::exactly, 4, [](auto b, auto n) { return tg::min(b.global_index(), n); });
  check_global(tg::block<64>, reach::exactly, 32,
               [](auto b, auto n) { return tg::max(b.thread.x, n) * 33_c - b.thread.x * 32_c; });
  check_global(tg::block<64>, reach::exactly, 32, [](auto b, auto n) { return tg::min(b.thread.x, n) + b.thread.x * 31_c; });
  check_global(tg::block<96>, reach::exactly, 4,
               [](auto b, auto n) { return tg::min(b.thread.x / 3_c, n) * 3_c + b.thread.x % 3_c; });
  check_global(tg::block<8, 8>, reach::exactly, 4, [](auto b, auto n) { return tg::min(b.thread.y, n) * 64_c + b.thread.x; });
  check_global(tg::block<16, 4>, reach::at_most, 6, [](auto b, auto n) { return tg::min(b.thread.y, n) * n + b.thread.x; });
}

TEST_CASE("tiles: lanes at a bound may meet others in a bank") {
  check_shared(tg::block<64>, reach::exactly, 1, [](auto b, auto n) { return tg::min(b.thread.x, n); });
  check_shared(tg::block<64>, reach::exactly, 32,
               [](auto b, auto n) { return tg::max(b.thread.x, n) * 33_c - b.thread.x * 32_c; });
  check_shared(tg::block<64>, reach::at_most, 3, [](auto b, auto n) { return tg::min(b.thread.x * 33_c, n); });
  check_shared(tg::block<8, 8>, reach::exactly, 1, [](auto b, auto n) { return tg::min(b.thread.y, n) * 40_c + b.thread.x; });
}

TEST_CASE("what a clamp leaves unknown is said to be unknown") {
  (void)tg::lower(tg::kernel<"unknown">(tg::block<64>, [](auto b, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
    const auto masked = tg::min(b.thread.x, n) & 7_c;
    const auto wrapped = tg::min(b.thread.x - 1_c, n);
    static_assert(!tg::access_cost<decltype(x), decltype(masked)>.known);
    static_assert(!tg::access_cost<decltype(x), decltype(wrapped)>.known);
    static_assert(tg::access_cost<decltype(x), decltype(tg::min(b.thread.x, n))>.good);
    static_assert(!tg::access_cost<decltype(x), decltype(tg::max(b.thread.x, n) * 33_c - b.thread.x * 32_c)>.good);
    y(b.global_index()) = x(tg::gather(masked)) + x(tg::gather(wrapped));
  }));
}
