#include <tg/dsl/bulk/tensor_copy.hpp>

#include "../word.hpp"

#include <tg/dsl/cluster/cluster.hpp>
#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/vector/narrow_float.hpp>
#include <tg/runtime.hpp>
#include <tg/runtime/tensor_map.hpp>

using namespace tg::literals;

namespace {

/// An array of random numbers, row-major, and what a copy finds in it.
template <class T, int Rank> struct numbers {
  std::array<std::size_t, Rank> extents;
  std::vector<T> all;

  explicit numbers(const std::array<std::size_t, Rank>& e) : extents(e) {
    std::size_t count = 1;
    for (const auto n : e) count *= n;
    for (const auto w : word::random_words<unsigned>(count)) all.push_back(static_cast<T>(static_cast<float>(w % 251)));
  }
  T at(const std::array<long long, Rank>& place) const {
    std::size_t index = 0;
    for (std::size_t k = 0; k < Rank; ++k) {
      if (place[k] < 0 || place[k] >= static_cast<long long>(extents[k])) return T(0.0f);
      index = index * extents[k] + static_cast<std::size_t>(place[k]);
    }
    return all[index];
  }
};

/// Splits the number of an element of a box.
template <int... E> std::array<long long, sizeof...(E)> place_in(tg::shape_t<E...>, long long n) {
  constexpr long long extents[] = {E...};
  std::array<long long, sizeof...(E)> out;
  for (std::size_t k = sizeof...(E); k-- > 0; n /= extents[k]) out[k] = n % extents[k];
  return out;
}

/// A tile of a box, as two dimensions.
template <class Map> auto tile_of() {
  constexpr int columns = Map::box::extent(Map::rank - 1);
  using layout = typename Map::layout;
  if constexpr (std::is_pointer_v<layout>)
    return tg::shared<typename Map::element_type>(tg::shape<Map::box::size / columns, columns>);
  else return tg::shared<typename Map::element_type>(tg::shape<Map::box::size / columns, columns>, layout{});
}

template <class Map, std::size_t... K> auto place_of(const Map& map, const std::array<int, 5>& at, std::index_sequence<K...>) {
  return map(at[K]...);
}

/// Copies the box at `at` to a tile and its elements, one by one, to a buffer.
template <class Map> void check_load(const std::array<std::size_t, Map::rank>& extents, const std::array<int, 5>& at) {
  using T = typename Map::element_type;
  constexpr int size = Map::box::size, columns = Map::box::extent(Map::rank - 1);
  const auto k = tg::kernel<"load">(tg::block<64>, [at](auto block, Map map, tg::out<T> y) {
    const auto tile = tile_of<Map>();
    auto full = tg::mbarriers<1>(block, 1);
    block.sync();
    auto phase = full.phase(0_c);
    tg::if_(block.thread.x == 0u, [&] {
      map.prefetch();
      const auto from = place_of(map, at, std::make_index_sequence<Map::rank>{});
      tg::tensor_prefetch(from);
      full.expect(0, tg::tensor_copy(tile, from));
    });
    (void)phase.wait();
    tg::for_(tg::range(block.thread.x, static_cast<unsigned>(size), 64_c), [&](auto i) {
      y(i) = tile(i / tg::constant<columns>{}, i % tg::constant<columns>{}, tg::allow<tg::TG201>("a test"));
    });
  });
  const auto lowered = tg::lower(k);
  INFO(lowered.ptx);
  CHECK(accuracy::complaints_from_its_sm_on(lowered.ptx) == "");
  CHECK(lowered.module.sm == 90);
  tg::device gpu;
  const numbers<T, Map::rank> x(extents);
  auto from = gpu.upload(x.all);
  auto to = gpu.template allocate<T>(size);
  if constexpr (Map::rank == 1) gpu.launch(k, tg::grid(1), from, to);
  else gpu.launch(k, tg::grid(1), tg::mdspan<T, Map::rank>(from.whole(), extents), to);
  const auto y = to.to_host();
  int wrong = 0;
  for (int n = 0; n < size; ++n) {
    auto place = place_in(typename Map::box{}, n);
    for (std::size_t d = 0; d < Map::rank; ++d) {
      place[d] *= static_cast<long long>(Map::facts.steps[Map::rank - 1 - d]);
      place[d] += at[d];
    }
    T want = x.at(place);
    bool is_outside = false;
    for (std::size_t d = 0; d < Map::rank; ++d) is_outside |= place[d] < 0 || place[d] >= static_cast<long long>(extents[d]);
    const auto got = static_cast<float>(y[static_cast<std::size_t>(n)]);
    const bool is_right = is_outside && Map::facts.fills_nan ? got != got : got == static_cast<float>(want);
    if (!is_right && wrong++ < 3) CHECK(got == static_cast<float>(want));
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("boxes of 1 to 5 dimensions, inside and across the edges") {
  check_load<tg::in_map<float, tg::shape<64>>>({1000}, {4});
  check_load<tg::in_map<float, tg::shape<64>>>({1000}, {-4});
  check_load<tg::in_map<unsigned, tg::shape<8, 32>>>({40, 100}, {7, 12});
  check_load<tg::in_map<int, tg::shape<8, 32>>>({40, 100}, {-2, 88});
  check_load<tg::in_map<unsigned short, tg::shape<2, 3, 8>>>({5, 6, 16}, {4, -1, 8});
  check_load<tg::in_map<float, tg::shape<2, 2, 3, 4>>>({3, 4, 5, 8}, {1, 3, 2, -4});
  check_load<tg::in_map<double, tg::shape<1, 2, 2, 3, 2>>>({2, 3, 4, 5, 6}, {1, 2, 3, 4, 4});
  check_load<tg::in_map<unsigned char, tg::shape<16, 16>>>({20, 48}, {3, 32});
}

TEST_CASE("swizzles, as tiles have them") {
  SUBCASE("128 bytes") check_load<tg::in_map<tg::bf16, tg::shape<64, 64>, tg::swizzle<3, 3, 3>>>({100, 128}, {20, 64});
  SUBCASE("64 bytes") check_load<tg::in_map<tg::bf16, tg::shape<64, 32>, tg::swizzle<2, 3, 3>>>({100, 128}, {20, 16});
  SUBCASE("32 bytes") check_load<tg::in_map<tg::f16, tg::shape<32, 16>, tg::swizzle<1, 3, 3>>>({100, 128}, {90, 120});
  SUBCASE("128 bytes of floats") check_load<tg::in_map<float, tg::shape<16, 32>, tg::swizzle<3, 2, 3>>>({20, 64}, {-4, 8});
  SUBCASE("64 bytes of floats") check_load<tg::in_map<float, tg::shape<32, 16>, tg::swizzle<2, 2, 3>>>({50, 64}, {5, 8});
  SUBCASE("128 bytes of bytes")
  check_load<tg::in_map<unsigned char, tg::shape<16, 128>, tg::swizzle<3, 4, 3>>>({20, 256}, {5, 144});
}

TEST_CASE("NaN outside of the array, elements that are skipped, what the L2 cache fetches") {
  SUBCASE("NaN") check_load<tg::in_map<float, tg::shape<8, 32>, tg::fill_nan>>({12, 40}, {8, 16});
  SUBCASE("every other row") check_load<tg::in_map<float, tg::shape<8, 32>, tg::skip<2>, tg::promote<128>>>({30, 40}, {1, 0});
  SUBCASE("both") check_load<tg::in_map<tg::f16, tg::shape<4, 3, 8>, tg::fill_nan, tg::skip<3, 2>>>({9, 9, 24}, {1, 2, 8});
}

namespace {

/// y, which starts as numbers, after the box at `at` of each of `blocks` blocks was stored or reduced.
template <class Map, class Do> auto stored(std::vector<float> start, unsigned blocks, Do what) {
  const auto k = tg::kernel<"store">(tg::block<64>, [what](auto block, Map map) {
    const auto tile = tile_of<Map>();
    for (int row = 0; row < 8; row += 2) {
      const auto own = block.thread.x / 32_c + static_cast<unsigned>(row);
      const auto column = block.thread.x % 32_c;
      tile(own, column) = tg::cast<float>(own * 100u + column + block.index.x * 1000u);
    }
    tg::fence_async_proxy();
    block.sync();
    tg::if_(block.thread.x == 0u, [&] {
      what(block, map, tile);
      tg::bulk_groups<>().commit().wait();
    });
  });
  const auto lowered = tg::lower(k);
  INFO(lowered.ptx);
  CHECK(accuracy::complaints_from_its_sm_on(lowered.ptx) == "");
  tg::device gpu;
  auto y = gpu.upload(start);
  const auto map = tg::encode_map<Map>(tg::matrix(y, 20, 36));
  gpu.launch(k, tg::grid(blocks), map);
  return y.to_host();
}
float in_tile(std::size_t row, std::size_t column) { return static_cast<float>(row * 100 + column); }

}  // namespace

TEST_CASE("a tile is stored to a box, and what is outside is left out") {
  using map = tg::out_map<float, tg::shape<8, 32>, tg::swizzle<3, 2, 3>>;
  const auto y = stored<map>(std::vector<float>(20 * 36, -1), 1,
                             [](auto, auto to, const auto& tile) { tg::tensor_store(to(14, 8), tile); });
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t row = i / 36, column = i % 36;
    CHECK(y[i] == (row < 14 || column < 8 ? -1 : in_tile(row - 14, column - 8)));
  }
}

TEST_CASE("a store to a negative coordinate is refused") {
  const auto refusal = [](auto what) -> std::string {
    try {
      (void)stored<tg::inout_map<float, tg::shape<8, 32>>>(std::vector<float>(20 * 36), 1, what);
    } catch (const tg::error& e) { return e.what(); }
    return "";
  };
  const auto store = refusal([](auto, auto to, const auto& tile) { tg::tensor_store(to(-2, 0), tile); });
  CHECK(store.find("TG150") != store.npos);
  CHECK(store.find("begins at a negative coordinate") != store.npos);
  const auto reduce =
      refusal([](auto, auto to, const auto& tile) { tg::tensor_reduce<tg::reduction::add>(to(0_c, -4_c), tile); });
  CHECK(reduce.find("TG150") != reduce.npos);
  CHECK(refusal([](auto, auto to, const auto& tile) { tg::tensor_store(to(18, 32), tile); }) == "");
  if (gpu_machine::is_asked()) return;
  // A number that is known when the kernel runs.
  const auto late =
      refusal([](auto block, auto to, const auto& tile) { tg::tensor_store(to(tg::cast<int>(block.index.x) - 1, 0), tile); });
  CHECK(late.find("TG455") != late.npos);
}

TEST_CASE("tiles of several blocks are reduced into a box") {
  using map = tg::inout_map<float, tg::shape<8, 32>>;
  const auto y = stored<map>(std::vector<float>(20 * 36, 5), 3,
                             [](auto, auto to, const auto& tile) { tg::tensor_reduce<tg::reduction::add>(to(14, 8), tile); });
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t row = i / 36, column = i % 36;
    CHECK(y[i] == (row < 14 || column < 8 ? 5 : 5 + 3000 + 3 * in_tile(row - 14, column - 8)));
  }
}

TEST_CASE("each block of a cluster copies half of a box to both") {
  using map = tg::in_map<float, tg::shape<4, 32>>;
  const auto k = tg::kernel<"shared_out">(tg::block<32> | tg::cluster<2>, [](auto block, map x, tg::out2<float> y) {
    const auto cluster = block.cluster();
    const auto tile = tg::stages<float, 2>(tg::shape<4, 32>);
    auto full = tg::mbarriers<1>(block, 1);
    cluster.sync();
    auto phase = full.phase(0_c);
    const auto top = block.index.x / 2_c * 8_c;
    tg::if_(block.thread.x == 0u, [&] {
      const auto mine = tg::tensor_copy(tile.fill(cluster.rank), x(top + cluster.rank * 4_c, 0)).multicast(3u);
      full.expect(0, mine, tg::from_another_block(mine));
    });
    (void)phase.wait();
    tg::unroll<8>([&](auto row) { y(block.index.x * 8_c + row, block.thread.x) = tile.all()(row, block.thread.x); });
    cluster.sync();
  });
  const auto lowered = tg::lower(k);
  INFO(lowered.ptx);
  CHECK(lowered.ptx.find(".multicast::cluster") != std::string::npos);
  CHECK(accuracy::complaints_from_its_sm_on(lowered.ptx) == "");
  const numbers<float, 2> x({16, 32});
  tg::device gpu;
  auto from = gpu.upload(x.all);
  auto to = gpu.zeros<float>(32 * 32);
  gpu.launch(k, tg::grid(4), tg::matrix(from, 16, 32), tg::matrix(to, 32, 32));
  const auto y = to.to_host();
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(y[i] == x.all[i / 32 / 16 * 256 + i / 32 % 8 * 32 + i % 32]);
}
