#include <tg/tile/spread_like.hpp>

#include <tg/tile/functions.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// What was loaded in rows, spread as sums of products are, stored from there.
template <class T>
constexpr auto moves =
    tg::kernel<"moves">(tg::block<128>, [](auto block, tg::in2<T, tg::multiple_of<8>> x, tg::out2<T, tg::multiple_of<8>> y) {
      const auto all = tg::load(block, tg::tile_at<64, 128>(tg::sized(x, 64u, 128u), 0_c, 0_c));
      const auto sums = tg::zeros<float, 64, 128>(tg::warps<2, 2>(block));
      tg::tile_at<64, 128>(tg::sized(y, 64u, 128u), 0_c, 0_c) = tg::spread_like(all, sums);
    });

template <class T> void check_moves() {
  tg::device gpu;
  std::mt19937 random(9);
  const tiles::matrix<T> x(64, 128, random);
  tiles::on_device<T> dx(gpu, x), dy(gpu, tiles::matrix<T>(64, 128));
  gpu.launch(moves<T>, tg::grid(1), dx.argument(), dy.argument());
  const tiles::matrix<T> y = dy.read();
  bool is_same = true;
  for (unsigned r = 0; r < 64; ++r)
    for (unsigned c = 0; c < 128; ++c) is_same = is_same && x(r, c) == y(r, c);
  CHECK(is_same);
}

/// y(i): registers of thread i that hold another element than they should when a tile of 64 x 32 goes from one distribution to
/// each of several.
template <class T, class From, class... To>
constexpr auto conversions = tg::kernel<"conversions">(tg::block<128>, [](auto block, tg::out<int> y) {
  const auto team = tg::detail::team_of(block);
  const auto like = tg::zeros<float, 64, 32>(block);
  const auto number = tg::cast<T>(tg::cast<float>(tg::rows_of(like, 0) * 32u + tg::columns_of(like, 0)));
  const auto given = tg::detail::evaluate<From>(number, team);
  tg::var<int> wrong = 0;
  const auto compare = [&]<class D>(std::type_identity<D>) {
    const auto moved = tg::detail::spread_as<D, T>(given.node(), team, tg::source_location::current());
    const auto wanted = tg::detail::evaluate<D>(number, team);
    for (int r = 0; r < D::value.registers(); ++r)
      wrong = wrong + tg::select(tg::cast<float>(moved(r)) == tg::cast<float>(wanted(r)), 0, 1);
  };
  (compare(std::type_identity<To>{}), ...);
  y(block.thread.x) = wrong;
});

template <class T, class... D> void check_all_pairs() {
  tg::device gpu;
  const auto check = [&]<class From>(std::type_identity<From>) {
    auto y = gpu.upload(std::vector<int>(128, -1));
    gpu.launch(conversions<T, From, D...>, tg::grid(1), y);
    CHECK(y.to_host() == std::vector<int>(128, 0));
  };
  (check(std::type_identity<D>{}), ...);
}

}  // namespace

TEST_CASE("conversions between all pairs of distributions are exact and meet no bank twice") {
  using sums = tg::sums_spread<64, 32, 4, 1>;
  using square = tg::sums_spread<64, 32, 2, 2>;
  using by_groups = tg::group_spread<64, 32, 1>;
  using by_fma = tg::fma_spread<64, 32, 4, 1>;
  using runs = tg::run_spread<64, 32, 4, 8>;
  using flat = tg::transposed_spread<tg::run_spread<32, 64, 4, 4>>;
  check_all_pairs<tg::f16, sums, square, by_groups, by_fma, runs, flat>();
  check_all_pairs<float, sums, square, by_groups, by_fma, runs, flat>();
}

TEST_CASE("registers under other names need no memory") {
  constexpr auto renames = tg::kernel<"renames">(tg::block<128>, [](auto block, tg::out<float> y) {
    const auto team = tg::detail::team_of(block);
    const auto own = tg::eval(tg::zeros<float, 64, 32>(block) + 1.0f);
    const auto moved =
        tg::detail::spread_as<tg::group_spread<64, 32, 1>, float>(own.node(), team, tg::source_location::current());
    y(block.thread.x) = moved(0);
  });
  const std::string text = tg::to_ptx(renames);
  CHECK(text.find(".shared") == text.npos);
  CHECK(text.find("bar.sync") == text.npos);
}

TEST_CASE("tiles change how they are spread and keep their elements") {
  check_moves<float>();
  check_moves<tg::bf16>();
}

TEST_CASE("neighbouring bits of a swizzle whose sources are as far away are one term") {
  constexpr auto swizzle = [] {
    tg::bank_swizzle out;
    out.mask[8] = 1 << 4, out.mask[9] = 1 << 5 | 1 << 3, out.mask[10] = 1 << 6;
    return out;
  }();
  using found = std::remove_const_t<decltype(tg::detail::to_element_swizzle<swizzle, 2>())>;
  static_assert(std::is_same_v<found, tg::swizzles_t<tg::swizzle_t<3, 3, 4>, tg::swizzle_t<1, 2, 6>>>);
  for (std::uint32_t at = 0; at < 4096; at += 2) CHECK(found::apply(at / 2) * 2 == swizzle(at));
}
