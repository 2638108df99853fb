// Generated accesses to structs, whole and by field: what each instruction of an access costs.
#include <tests/agreement/agreement.hpp>
#include <tests/dsl/structs.hpp>

#include <cstdint>
#include <utility>

#include <tg/dsl/memory/access_cost.hpp>

namespace {

using agreement::tally;
using namespace tg::literals;

constexpr int blocks = 32;  // as many as there are bytes in a sector, so that every base that is permitted occurs
constexpr std::size_t elements = std::size_t{1} << 16;
inline constexpr auto excuse = tg::allow<tg::TG202>("counted");

/// From a view through a tile to a view: four accesses by two indices.
template <std::uint32_t Seed, class Block, class View, class Tile>
void move_through(const Block& block, const View& x, const Tile& tile, const View& y) {
  const auto lanes = agreement::lane_expression<Seed, 1 + agreement::mixed(Seed, 29) % 2>(block);
  const auto i = block.index.x * 512_c + lanes;
  const auto t = lanes % 256_c;
  if constexpr (tg::access_cost<View, decltype(i)>.known && tg::access_cost<Tile, decltype(t)>.known) {
    using namespace agreement;
    tile(t, while_compiling<tg::TG201>) = x(i, while_compiling<tg::TG202>);
    y(i, while_compiling<tg::TG202>) = tile(t, while_compiling<tg::TG201>);
    const traced_index traced_i{i.operand}, traced_t{t.operand};
    tile(traced_t, while_tracing<tg::TG201>) = x(traced_i, while_tracing<tg::TG202>);
    y(traced_i, while_tracing<tg::TG202>) = tile(traced_t, while_tracing<tg::TG201>);
  }
}

template <class T, int Align, std::uint32_t First, class Block, std::uint32_t... Seeds>
void run(tg::device& gpu, const Block&, tally& total, std::integer_sequence<std::uint32_t, Seeds...>) {
  using view = tg::inout<T, tg::aligned<Align>>;
  constexpr auto kernel = tg::kernel<"agreement_structs">(Block{}, [](auto block, view x, view y) {
    const auto tile = tg::shared<T>(tg::shape<256>);
    (move_through<First + Seeds>(block, x, tile, y), ...);
  });
  ledger counted(kernel);
  auto x = gpu.zeros<T>(elements), y = gpu.zeros<T>(elements);
  for (std::size_t shift = 0; shift < 32; ++shift) {
    if (shift * sizeof(T) % Align != 0) continue;
    counted.count([&] { gpu.launch(kernel, tg::grid(blocks), x.part(shift, elements - 32), y.part(shift, elements - 32)); });
  }
  agreement::compare(counted, "structs", total);
}

template <class T, int Align, std::uint32_t First, class Block> void run(tg::device& gpu, const Block&, tally& total) {
  run<T, Align, First>(gpu, Block{}, total, agreement::seeds<8>{});
}

/// Structs at three indices of which the type does not say what they cost.
template <class T> void check_open() {
  constexpr auto kernel = tg::kernel<"open">(tg::block<64>, [](auto block, tg::in<T> x, tg::out3<T> y, tg::scalar<unsigned> n) {
    const auto i = tg::let(block.global_index());
    y(0_c, 0_c, i) = x(i % n);
    y(0_c, 1_c, i) = x(i / n);
    y(1_c, 0_c, i) = x(tg::min(i, n));
  });
  tg::device gpu("emulator");
  const auto x = gpu.zeros<T>(4096);
  auto y = gpu.zeros<T>(4 * 512);
  ledger counted(kernel);
  for (const std::size_t shift : {0u, 16u})
    for (unsigned n = 1; n <= 140; ++n)
      counted.count([&] { gpu.launch(kernel, tg::grid(8), x.part(shift, 4000), tg::mdspan(y, 2u, 2u, 512u), n); });
  std::size_t loads = 0;
  for (const ledger_row& row : counted.rows()) {
    INFO(row.text());
    CHECK(row.access.global.good);
    CHECK(row.most <= row.compiled());
    loads += !row.access.is_write;
  }
  CHECK(loads == 3 * tg::detail::struct_pieces<T, 16>.size());
}

}  // namespace

TEST_CASE("structs at indices of which the type says nothing cost at most what is said") {
  check_open<structs::particle>();
  check_open<structs::point>();
  check_open<structs::rgb8>();
}

TEST_CASE("structs of one to three pieces, moved whole") {
  tg::device gpu("emulator");
  tally total;
  run<structs::particle, 16, 8000>(gpu, tg::block<64>, total);
  run<structs::complex<float>, 8, 8100>(gpu, tg::block<32, 2>, total);
  run<structs::point, 4, 8200>(gpu, tg::block<64>, total);
  run<structs::rgb8, 1, 8300>(gpu, tg::block<16, 4>, total);
  run<structs::mixed, 8, 8400>(gpu, tg::block<64>, total);
  MESSAGE(total.compared, " instructions compared, ", total.bad, " of bad accesses");
  CHECK(total.compared >= 120);
  CHECK(total.bad >= 10);
  CHECK(total.compared - total.bad >= 40);
}

TEST_CASE("one field of structs") {
  constexpr auto kernel = tg::kernel<"fields">(
      tg::block<64>, [](auto block, tg::in<structs::particle, tg::aligned<4>> p, tg::in<structs::rgb8, tg::aligned<1>> c,
                        tg::in<structs::mixed, tg::aligned<8>> m, tg::out<float> y) {
        const auto i = tg::let(block.global_index());
        const auto tile = tg::shared<structs::point>(tg::shape<64>);
        tile(block.thread.x, &structs::point::z) = p(i, &structs::particle::y, excuse);
        y(i) = p(i, &structs::particle::m, excuse) + tg::cast<float>(c(i, &structs::rgb8::g, excuse)) +
               tg::cast<float>(m(i, &structs::mixed::d, excuse)) + tile(block.thread.x, &structs::point::z);
      });
  tg::device gpu("emulator");
  const auto p = gpu.zeros<structs::particle>(4096);
  const auto c = gpu.zeros<structs::rgb8>(4096);
  const auto m = gpu.zeros<structs::mixed>(4096);
  auto y = gpu.zeros<float>(4096);
  ledger counted(kernel);
  for (std::size_t shift = 0; shift < 32; ++shift)
    counted.count([&] {
      gpu.launch(kernel, tg::grid(32), p.part(shift, 3000), c.part(shift, 3000), m.part(shift, 3000),
                 y.part(shift / 4 * 4, 3000));
    });
  std::size_t fields = 0;
  for (const ledger_row& row : counted.rows()) {
    if (row.access.access_bytes == row.access.element_bytes) continue;
    INFO(row.text());
    CHECK(row.most == row.compiled());
    CHECK(row.least == row.compiled_best());
    ++fields;
  }
  CHECK(fields == 6);
}
