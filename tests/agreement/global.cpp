// Generated loads from global memory: sectors.
#include <tests/agreement/agreement.hpp>

#include <array>
#include <cstdint>
#include <utility>

#include <tg/dsl/memory/access_cost.hpp>

namespace {

using agreement::tally;
using namespace tg::literals;

constexpr int blocks = 32;  // as many as there are bytes in a sector, so that every base that is permitted occurs
constexpr std::size_t elements = std::size_t{1} << 21;

template <int Width, class View, class I>
void add(tg::var<unsigned>& sum, const View& x, const I& i, tg::allow<tg::TG202> excuse) {
  if constexpr (Width == 1) sum += tg::cast<unsigned>(x(i, excuse));
  else sum += tg::cast<unsigned>(x.template vec<Width>(i, excuse)(0));
}

template <std::uint32_t Seed, int Width, class Block, class View>
void read(const Block& block, const View& x, tg::var<unsigned>& sum) {
  const auto i = agreement::block_expression<Seed>(block) * tg::constant<Width>{};
  if constexpr (tg::vector_access_cost<Width, View, decltype(i)>.known) {
    add<Width>(sum, x, i, agreement::while_compiling<tg::TG202>);
    add<Width>(sum, x, agreement::traced_index{i.operand}, agreement::while_tracing<tg::TG202>);
  }
}

template <class T, int Width, std::uint32_t First, class Block, std::uint32_t... Seeds>
void run_rank_1(tg::device& gpu, const Block&, tally& total, std::integer_sequence<std::uint32_t, Seeds...>) {
  using view = tg::in<T, tg::aligned<Width * sizeof(T)>>;
  constexpr auto kernel = tg::kernel<"agreement_rank_1">(Block{}, [](auto block, view x, tg::out<unsigned> y) {
    tg::var<unsigned> sum = 0u;
    (read<First + Seeds, Width>(block, x, sum), ...);
    y(block.global_index()) = sum;
  });
  ledger counted(kernel);
  const auto x = gpu.zeros<T>(elements);
  auto y = gpu.zeros<unsigned>(std::size_t{blocks} * Block::threads);
  // A base may lie at any multiple of the promised alignment.
  for (std::size_t shift = 0; shift * sizeof(T) < 32; shift += Width)
    counted.count([&] { gpu.launch(kernel, tg::grid(blocks), x.part(shift, elements - 32), y); });
  agreement::compare(counted, Width == 1 ? "elements" : "vectors", total);
}

template <class T, int Width, std::uint32_t First, class Block> void run_rank_1(tg::device& gpu, const Block&, tally& total) {
  run_rank_1<T, Width, First>(gpu, Block{}, total, agreement::seeds<16>{});
}

template <class View, class R, class C>
void add(tg::var<unsigned>& sum, const View& a, const R& row, const C& column, tg::allow<tg::TG202> excuse) {
  sum += tg::cast<unsigned>(a(row, column, excuse));
}

template <std::uint32_t Seed, class Block, class View>
void read_row(const Block& block, const View& a, tg::var<unsigned>& sum) {
  const auto row = agreement::lane_expression<agreement::mixed(Seed, 41), 1>(block) % 64_c;
  const auto column = agreement::lane_expression<Seed, 2>(block) % 64_c + block.index.x;
  if constexpr (tg::access_cost<View, decltype(row), decltype(column)>.known) {
    using agreement::traced_index;
    add(sum, a, row, column, agreement::while_compiling<tg::TG202>);
    add(sum, a, traced_index{row.operand}, traced_index{column.operand}, agreement::while_tracing<tg::TG202>);
  }
}

template <class T, int Multiple, std::uint32_t First, class Block, std::uint32_t... Seeds>
void run_rank_2(tg::device& gpu, const Block&, tally& total, std::integer_sequence<std::uint32_t, Seeds...>) {
  using view = tg::in2<T, tg::multiple_of<Multiple>, tg::aligned<sizeof(T)>>;
  constexpr auto kernel = tg::kernel<"agreement_rank_2">(Block{}, [](auto block, view a, tg::out<unsigned> y) {
    tg::var<unsigned> sum = 0u;
    (read_row<First + Seeds>(block, a, sum), ...);
    y(block.global_index()) = sum;
  });
  ledger counted(kernel);
  const auto a = gpu.zeros<T>(elements);
  auto y = gpu.zeros<unsigned>(std::size_t{blocks} * Block::threads);
  for (std::size_t step = 0; step < 32; ++step)
    counted.count([&] { gpu.launch(kernel, tg::grid(blocks), tg::matrix(a, 64, 128, 1024 + step * Multiple), y); });
  agreement::compare(counted, "elements by row and column", total);
}

template <class T, int Multiple, std::uint32_t First, class Block>
void run_rank_2(tg::device& gpu, const Block&, tally& total) {
  run_rank_2<T, Multiple, First>(gpu, Block{}, total, agreement::seeds<12>{});
}

template <std::uint32_t Seed, class Block, class View>
void read_plane(const Block& block, const View& a, tg::var<unsigned>& sum) {
  // Lanes in several planes, or in several rows of one plane: of lanes in both, the verdict is a bound that no pair of
  // strides need reach.
  const auto spread = agreement::lane_expression<agreement::mixed(Seed, 43), 1>(block) % 8_c;
  const auto same = block.index.x % 8_c;
  const auto [plane, row] = [&] {
    if constexpr (Seed % 2 == 0) return std::pair(spread, same);
    else return std::pair(same, spread);
  }();
  const auto column = agreement::lane_expression<Seed, 2>(block) % 64_c + block.index.x;
  if constexpr (tg::access_cost<View, decltype(plane), decltype(row), decltype(column)>.known) {
    using agreement::traced_index;
    const auto add = [&](const auto& k, const auto& r, const auto& c, tg::allow<tg::TG202> excuse) {
      sum += tg::cast<unsigned>(a(k, r, c, excuse));
    };
    add(plane, row, column, agreement::while_compiling<tg::TG202>);
    add(traced_index{plane.operand}, traced_index{row.operand}, traced_index{column.operand},
        agreement::while_tracing<tg::TG202>);
  }
}

template <class T, int Multiple, std::uint32_t First, class Block, std::uint32_t... Seeds>
void run_rank_3(tg::device& gpu, const Block&, tally& total, std::integer_sequence<std::uint32_t, Seeds...>) {
  using view = tg::in3<T, tg::multiple_of<Multiple>, tg::aligned<sizeof(T)>>;
  constexpr auto kernel = tg::kernel<"agreement_rank_3">(Block{}, [](auto block, view a, tg::out<unsigned> y) {
    tg::var<unsigned> sum = 0u;
    (read_plane<First + Seeds>(block, a, sum), ...);
    y(block.global_index()) = sum;
  });
  ledger counted(kernel);
  const auto a = gpu.zeros<T>(elements);
  auto y = gpu.zeros<unsigned>(std::size_t{blocks} * Block::threads);
  // Both strides take all that they can be within a sector, each with each.
  constexpr std::size_t steps = 32 / sizeof(T) / Multiple == 0 ? 1 : 32 / sizeof(T) / Multiple;
  for (std::size_t k = 0; k < steps * steps; ++k) {
    const std::size_t row = 1024 + k % steps * Multiple, plane = 16 * 1056 + k / steps * Multiple;
    counted.count([&] {
      gpu.launch(kernel, tg::grid(blocks), tg::mdspan(a, std::array<std::size_t, 3>{8, 16, 128}, std::array{plane, row}), y);
    });
  }
  agreement::compare(counted, "elements by plane, row and column", total);
}

template <class T, int Multiple, std::uint32_t First, class Block>
void run_rank_3(tg::device& gpu, const Block&, tally& total) {
  run_rank_3<T, Multiple, First>(gpu, Block{}, total, agreement::seeds<8>{});
}

}  // namespace

const tally& agreement::global_elements() {
  static const tally all = [] {
    tg::device gpu("emulator");
    tally total;
    run_rank_1<float, 1, 100>(gpu, tg::block<256>, total);
    run_rank_1<float, 1, 200>(gpu, tg::block<32, 8>, total);
    run_rank_1<float, 1, 300>(gpu, tg::block<16, 16>, total);
    run_rank_1<float, 1, 400>(gpu, tg::block<8, 4, 4>, total);
    run_rank_1<float, 1, 500>(gpu, tg::block<100>, total);
    run_rank_1<float, 1, 600>(gpu, tg::block<7, 5, 3>, total);
    run_rank_1<std::uint8_t, 1, 700>(gpu, tg::block<128>, total);
    run_rank_1<std::uint8_t, 1, 800>(gpu, tg::block<96, 4>, total);
    run_rank_1<std::uint16_t, 1, 900>(gpu, tg::block<64, 2>, total);
    run_rank_1<std::uint16_t, 1, 1000>(gpu, tg::block<4, 4, 8>, total);
    run_rank_1<double, 1, 1100>(gpu, tg::block<64>, total);
    run_rank_1<double, 1, 1200>(gpu, tg::block<8, 16>, total);
    return total;
  }();
  return all;
}

const tally& agreement::global_vectors() {
  static const tally all = [] {
    tg::device gpu("emulator");
    tally total;
    run_rank_1<std::uint8_t, 2, 2000>(gpu, tg::block<128>, total);
    run_rank_1<std::uint8_t, 4, 2100>(gpu, tg::block<32, 4>, total);
    run_rank_1<std::uint16_t, 4, 2200>(gpu, tg::block<64>, total);
    run_rank_1<std::uint8_t, 16, 2700>(gpu, tg::block<64>, total);
    run_rank_1<std::uint16_t, 8, 2800>(gpu, tg::block<32, 4>, total);
    run_rank_1<float, 2, 2300>(gpu, tg::block<64, 2>, total);
    run_rank_1<float, 4, 2400>(gpu, tg::block<128>, total);
    run_rank_1<float, 4, 2500>(gpu, tg::block<4, 8, 2>, total);
    run_rank_1<double, 2, 2600>(gpu, tg::block<96>, total);
    return total;
  }();
  return all;
}

const tally& agreement::global_matrices() {
  static const tally all = [] {
    tg::device gpu("emulator");
    tally total;
    run_rank_2<float, 1, 3000>(gpu, tg::block<32, 8>, total);
    run_rank_2<float, 1, 3100>(gpu, tg::block<16, 8>, total);
    run_rank_2<float, 8, 3200>(gpu, tg::block<8, 8, 2>, total);
    run_rank_2<std::uint8_t, 1, 3300>(gpu, tg::block<64, 2>, total);
    run_rank_2<std::uint16_t, 4, 3400>(gpu, tg::block<32, 4>, total);
    run_rank_2<double, 2, 3500>(gpu, tg::block<128>, total);
    return total;
  }();
  return all;
}

TEST_CASE("rank 1: elements of 1 to 8 bytes in blocks of one to three dimensions") {
  const tally& total = agreement::global_elements();
  MESSAGE(total.compared, " accesses compared, ", total.bad, " of them bad");
  CHECK(total.compared >= 140 / agreement::compilers);
  CHECK(total.bad >= 20 / agreement::compilers);
  CHECK(total.compared - total.bad >= 40 / agreement::compilers);
}

TEST_CASE("rank 1: vectors of 2 to 16 bytes") {
  const tally& total = agreement::global_vectors();
  MESSAGE(total.compared, " accesses compared, ", total.bad, " of them bad");
  CHECK(total.compared >= 80 / agreement::compilers);
}

TEST_CASE("rank 3: unknown strides of rows and planes") {
  tg::device gpu("emulator");
  tally total;
  run_rank_3<float, 1, 4000>(gpu, tg::block<32, 8>, total);
  run_rank_3<float, 4, 4100>(gpu, tg::block<8, 8, 2>, total);
  run_rank_3<std::uint16_t, 4, 4200>(gpu, tg::block<16, 8>, total);
  run_rank_3<double, 1, 4300>(gpu, tg::block<64>, total);
  MESSAGE(total.compared, " accesses compared, ", total.bad, " of them bad");
  CHECK(total.compared >= 24 / agreement::compilers);
}

TEST_CASE("rank 2: unknown leading dimensions") {
  const tally& total = agreement::global_matrices();
  MESSAGE(total.compared, " accesses compared, ", total.bad, " of them bad");
  CHECK(total.compared >= 50 / agreement::compilers);
}
