// Generated loads and stores of vectors, of packed pairs and of values that other threads may touch: sectors and
// wavefronts.
#include <tests/agreement/agreement.hpp>

#include <cstdint>
#include <utility>

#include <tg/dsl/memory/access_cost.hpp>
#include <tg/dsl/memory/atomic_access.hpp>
#include <tg/dsl/vector/packed.hpp>

namespace {

using agreement::tally;
using namespace tg::literals;

constexpr int blocks = 32;  // as many as there are bytes in a sector, so that every base that is permitted occurs
constexpr std::size_t elements = std::size_t{1} << 20;

// How a value is loaded and stored.
enum class manner { plain, relaxed };

template <manner How, int Width, class To, class From, class I, class J, int E, int F>
void move(const To& to, const I& i, tg::allow<E> excuse, const From& from, const J& j, tg::allow<F> other) {
  if constexpr (How == manner::relaxed)
    tg::atomic_store<tg::order::relaxed, tg::scope::block>(
        to(i, excuse), tg::atomic_load<tg::order::relaxed, tg::scope::block>(from(j, other)));
  else if constexpr (Width == 1) to(i, excuse) = from(j, other).get();
  else to.template vec<Width>(i, excuse) = from.template vec<Width>(j, other).get();
}

/// From a view through a tile to a view: four accesses by two indices.
template <std::uint32_t Seed, manner How, int Width, class Block, class From, class Tile, class To>
void move_through(const Block& block, const From& x, const Tile& tile, const To& y) {
  const auto lanes = agreement::lane_expression<Seed, 1 + agreement::mixed(Seed, 29) % 2>(block);
  const auto i = (block.index.x * 512_c + lanes) * tg::constant<Width>{};
  const auto t = lanes % tg::constant<Tile::columns / Width>{} * tg::constant<Width>{};
  if constexpr (tg::vector_access_cost<Width, From, decltype(i)>.known &&
                tg::vector_access_cost<Width, Tile, decltype(t)>.known) {
    using namespace agreement;
    move<How, Width>(tile, t, while_compiling<tg::TG201>, x, i, while_compiling<tg::TG202>);
    move<How, Width>(y, i, while_compiling<tg::TG202>, tile, t, while_compiling<tg::TG201>);
    const traced_index traced_i{i.operand}, traced_t{t.operand};
    move<How, Width>(tile, traced_t, while_tracing<tg::TG201>, x, traced_i, while_tracing<tg::TG202>);
    move<How, Width>(y, traced_i, while_tracing<tg::TG202>, tile, traced_t, while_tracing<tg::TG201>);
  }
}

template <class T, manner How, int Width, std::uint32_t First, class Block, std::uint32_t... Seeds>
void run(tg::device& gpu, const Block&, const char* kind, tally& total, std::integer_sequence<std::uint32_t, Seeds...>) {
  using alignment = tg::aligned<Width * sizeof(T)>;
  using view = tg::inout<T, alignment>;
  constexpr auto kernel = tg::kernel<"agreement_moves">(Block{}, [](auto block, view x, view y) {
    const auto tile = tg::shared<T>(tg::shape<1024>);
    (move_through<First + Seeds, How, Width>(block, x, tile, y), ...);
  });
  ledger counted(kernel);
  auto x = gpu.zeros<T>(elements), y = gpu.zeros<T>(elements);
  for (std::size_t shift = 0; shift * sizeof(T) < 32; shift += Width)
    counted.count([&] { gpu.launch(kernel, tg::grid(blocks), x.part(shift, elements - 32), y.part(shift, elements - 32)); });
  agreement::compare(counted, kind, total);
}

template <class T, int Width, std::uint32_t First, manner How = manner::plain, class Block>
void run(tg::device& gpu, const Block&, const char* kind, tally& total) {
  run<T, How, Width, First>(gpu, Block{}, kind, total, std::make_integer_sequence<std::uint32_t, 7>{});
}

}  // namespace

const tally& agreement::moved_values() {
  static const tally all = [] {
    tg::device gpu("emulator");
    tally total;
    run<tg::f16x2, 1, 5000>(gpu, tg::block<64>, "packed pairs", total);
    run<tg::bf16x2, 4, 5100>(gpu, tg::block<32, 2>, "vectors of packed pairs", total);
    run<tg::f8e4m3x2, 2, 5200>(gpu, tg::block<64>, "vectors of packed pairs", total);
    run<tg::bf16, 8, 5300>(gpu, tg::block<16, 4>, "vectors", total);
    run<std::uint8_t, 16, 5400>(gpu, tg::block<32>, "vectors", total);
    run<float, 2, 5500>(gpu, tg::block<8, 8>, "vectors", total);
    run<unsigned, 1, 5600, manner::relaxed>(gpu, tg::block<64>, "relaxed elements", total);
    run<double, 1, 5700, manner::relaxed>(gpu, tg::block<32, 2>, "relaxed elements", total);
    return total;
  }();
  return all;
}

TEST_CASE("loads and stores of vectors, packed pairs and relaxed elements") {
  const tally& total = agreement::moved_values();
  MESSAGE(total.compared, " accesses compared, ", total.bad, " of them bad");
  CHECK(total.kinds.at("packed pairs, global stores") >= 4);
  CHECK(total.kinds.at("vectors of packed pairs, shared loads") >= 8);
  CHECK(total.kinds.at("relaxed elements, shared stores") >= 8);
  CHECK(total.compared >= 150);
}
