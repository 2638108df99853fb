#include <tg/tile/to_shared.hpp>

#include <array>
#include <cstdint>

#include <tg/dsl/proof/analyze.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/run/run.hpp>

#include "../random_seed.hpp"
#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// Which operand of the second product is the result of the first one.
enum class side { left, right, right_transposed };

/// y = (a * b) * c or c * (a * b), the first product rounded to T; a is Rows x Depth, b Depth x Columns; c fits.
template <class T, int Rows, int Columns, int Depth, side Side, auto Block, class Team, bool Loops = false>
constexpr auto twice = tg::kernel<"twice">(
    Block, [](auto block, tg::in2<T, tg::multiple_of<8>> a, tg::in2<T, tg::multiple_of<8>> b, tg::in2<T, tg::multiple_of<8>> c,
              tg::out2<float, tg::multiple_of<8>> y, tg::scalar<unsigned> turns) {
      const auto team = Team::of(block);
      const auto whole = [](const auto& view, auto rows, auto columns) {
        constexpr int r = decltype(rows)::value, k = decltype(columns)::value;
        return tg::tile_at<r, k>(tg::sized(view, rows, columns), 0_c, 0_c);
      };
      constexpr tg::constant<Rows> rows{};
      constexpr tg::constant<Columns> columns{};
      constexpr tg::constant<Depth> depth{};
      constexpr bool is_left = Side == side::left, is_turned = Side == side::right_transposed;
      constexpr int up = is_left ? Rows : Depth, across = is_left ? Depth : is_turned ? Rows : Columns;
      const auto left = tg::to_shared(block, whole(a, rows, depth));
      const auto right = tg::to_shared(block, whole(b, depth, columns));
      const auto other = [&] {
        if constexpr (is_left) return tg::to_shared(block, whole(c, columns, depth));
        else if constexpr (is_turned) return tg::to_shared(block, whole(c, depth, columns));
        else return tg::to_shared(block, whole(c, depth, rows));
      }();
      auto sum = tg::zeros<float, up, across>(team);
      const auto add = [&](auto scale) {
        auto product = tg::zeros<float, Rows, Columns>(team);
        product += tg::dot(left, right);
        const auto kept = tg::to_shared(block, tg::cast<T>(product * scale));
        if constexpr (is_left) sum += tg::dot(kept, other);
        else if constexpr (is_turned) sum += tg::dot(other, tg::transposed(kept));
        else sum += tg::dot(other, kept);
      };
      if constexpr (Loops) tg::for_(tg::range(turns), [&](auto turn) { add(tg::cast<float>(turn + 1u)); });
      else add(1.0f);
      tg::tile_at<up, across>(tg::sized(y, tg::constant<up>{}, tg::constant<across>{}), 0_c, 0_c) = sum;
    });

struct plain {
  static auto of(const auto& block) { return block; }
};
struct square {
  static auto of(const auto& block) { return tg::warps<2, 2>(block); }
};
struct cores {
  static auto of(const auto& block) { return tg::warps<2, 2, tg::cuda_cores>(block); }
};

template <class T, int Rows, int Columns, int Depth, side Side, auto Block, class Team, bool Loops = false> void check() {
  static std::mt19937 random(random_seed());
  constexpr bool is_left = Side == side::left, is_turned = Side == side::right_transposed;
  const tiles::matrix<T> a(Rows, Depth, random), b(Depth, Columns, random),
      c(is_left ? Columns : Depth,
        is_left     ? Depth
        : is_turned ? Columns
                    : Rows,
        random);
  tg::device gpu;
  tiles::on_device<T> da(gpu, a), db(gpu, b), dc(gpu, c);
  const unsigned up = is_left ? Rows : Depth, across = is_left ? Depth : is_turned ? Rows : Columns;
  tiles::on_device<float> dy(gpu, tiles::matrix<float>(up, across));
  auto how = tg::emulator::launch_options();
  const auto before = how;
  how.check = tg::emulator::check::checkers::all();
  tg::emulator::set_launch_options(how);
  const unsigned turns = Loops ? 3 : 1;
  gpu.launch(twice<T, Rows, Columns, Depth, Side, Block, Team, Loops>, tg::grid(1), da.argument(), db.argument(), dc.argument(),
             dy.argument(), turns);
  tg::emulator::set_launch_options(before);
  const tiles::matrix<float> y = dy.read();
  tiles::matrix<double> sum(up, across), size(up, across);
  for (auto* m : {&sum, &size})
    for (double& e : m->elements) e = 0;
  for (unsigned turn = 1; turn <= turns; ++turn)
    for (unsigned r = 0; r < Rows; ++r)
      for (unsigned k = 0; k < Columns; ++k) {
        double first = 0, magnitude = 0;
        for (unsigned d = 0; d < Depth; ++d) first += a(r, d) * b(d, k) * turn, magnitude += std::abs(a(r, d) * b(d, k)) * turn;
        const double bound = tiles::rounding<T>(first) + (Depth + 2) * 0x1p-23 * magnitude;
        for (unsigned d = 0; d < Depth; ++d) {
          const double factor = is_left ? c(k, d) : is_turned ? c(d, k) : c(d, r);
          const unsigned row = is_left ? r : d, column = is_left ? d : is_turned ? r : k;
          sum(row, column) += first * factor;
          size(row, column) += bound * std::abs(factor) + (Rows + Columns + 4) * 0x1p-23 * std::abs(first * factor);
        }
      }
  tiles::excess excess;
  for (unsigned r = 0; r < up; ++r)
    for (unsigned k = 0; k < across; ++k) excess(y(r, k), std::as_const(sum)(r, k), std::as_const(size)(r, k));
  CHECK(excess.worst <= 1);
}

template <auto Block, class Team> void check_sides() {
  check<tg::bf16, 64, 64, 64, side::left, Block, Team>();
  check<tg::f16, 64, 64, 64, side::right, Block, Team>();
  check<tg::bf16, 64, 64, 64, side::right_transposed, Block, Team>();
  check<tg::bf16, 64, 128, 64, side::left, Block, Team>();
  check<tg::bf16, 128, 64, 64, side::right, Block, Team>();
  check<tg::bf16, 64, 32, 64, side::left, Block, Team>();
  check<tg::bf16, 64, 64, 64, side::left, Block, Team, true>();
}

constexpr auto ampere = tg::block<128>;
constexpr auto hopper = tg::block<128> | tg::for_sm<90>;
constexpr auto two_groups = tg::block<256> | tg::for_sm<90>;

}  // namespace

TEST_CASE("a product is an operand of another one, by mma.sync") { check_sides<ampere, plain>(); }
TEST_CASE("a product whose rows several warps share is an operand of another one") { check_sides<ampere, square>(); }
TEST_CASE("a product is an operand of another one, by wgmma") {
  check_sides<hopper, plain>();
  check<tg::bf16, 128, 128, 128, side::left, two_groups, plain>();
  check<tg::f16, 128, 128, 128, side::right, two_groups, plain>();
}
TEST_CASE("floats that CUDA cores multiply") {
  check<float, 64, 64, 64, side::left, ampere, cores>();
  check<float, 64, 64, 64, side::right, ampere, cores>();
  check<float, 64, 64, 64, side::left, ampere, cores, true>();
}

namespace {

/// y(r, c) = x(r, c) + x(r - 1, c), by a rectangle of what is kept.
template <class T, int Columns, auto Block>
constexpr auto neighbours =
    tg::kernel<"neighbours">(Block, [](auto block, tg::in2<T, tg::multiple_of<16>> x, tg::out2<T, tg::multiple_of<16>> y) {
      const auto own = tg::tile_at<64, Columns>(tg::sized(x, 64_c, tg::constant<Columns>{}), 0_c, 0_c);
      const auto kept = tg::to_shared(block, tg::load(block, own) * T(2));
      const auto above = tg::tile_at<32, Columns>(tg::sized(y, 64_c, tg::constant<Columns>{}), 0_c, 0_c);
      above = tg::eval_like(tg::tile_at<32, Columns>(kept, 0_c, 0_c),
                            tg::load(block, tg::tile_at<32, Columns>(tg::sized(x, 64_c, tg::constant<Columns>{}), 0_c, 0_c)));
      const auto below = tg::tile_at<32, Columns>(tg::sized(y, 64_c, tg::constant<Columns>{}), 32_c, 0_c);
      below = tg::eval_like(tg::tile_at<32, Columns>(kept, 32_c, 0_c),
                            tg::load(block, tg::tile_at<32, Columns>(tg::sized(x, 64_c, tg::constant<Columns>{}), 0_c, 0_c)));
    });

template <class T, int Columns, auto Block> void check_kept() {
  static std::mt19937 random(random_seed());
  const tiles::matrix<T> x(64, Columns, random, 16);
  tg::device gpu;
  tiles::on_device<T> dx(gpu, x), dy(gpu, tiles::matrix<T>(64, Columns, 16));
  gpu.launch(neighbours<T, Columns, Block>, tg::grid(1), dx.argument(), dy.argument());
  const tiles::matrix<T> y = dy.read();
  unsigned wrong = 0;
  for (unsigned r = 0; r < 64; ++r)
    for (unsigned c = 0; c < Columns; ++c) wrong += y(r, c) != 2 * x(r, c);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("what was loaded is kept too, at any width") {
  check_kept<float, 16, ampere>();
  check_kept<float, 128, ampere>();
  check_kept<tg::bf16, 16, ampere>();
  check_kept<tg::bf16, 32, hopper>();
  check_kept<tg::bf16, 64, hopper>();
  check_kept<tg::f16, 256, hopper>();
  check_kept<tg::f16, 256, ampere>();
  check_kept<float, 64, hopper>();
}

TEST_CASE("kept tiles are proved: no race, nothing unread, banks apart") {
  for (const auto& found : {tg::analyze(twice<tg::bf16, 64, 64, 64, side::left, ampere, square, true>),
                            tg::analyze(twice<tg::bf16, 64, 64, 64, side::right, hopper, plain, true>)}) {
    INFO(found.text());
    CHECK(found.refuted().empty());
    CHECK(found.unknown().empty());
  }
}
