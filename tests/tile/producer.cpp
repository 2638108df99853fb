#include <tg/tile/producer.hpp>

#include <array>
#include <cstddef>
#include <set>
#include <string>

#include <tg/dsl/cost/cost.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/kernel/trace.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/run/run.hpp>
#include <tg/runtime/package.hpp>

#include "../dsl/recorder/random_number.hpp"
#include "../random_seed.hpp"
#include "tiles.hpp"

namespace {

using namespace tg::literals;
using tg::bf16;
using view = tg::in2<bf16, tg::multiple_of<8>>;

constexpr auto with_producer = tg::block<128> | tg::for_sm<90> | tg::producer;

template <class Y> using out = tg::out2<Y, tg::multiple_of<8>>;

/// Stages of 64 x 64 elements of a and b, over `depth` from `from` on.
template <class M, class N, class Depth, class Row, class Column>
auto stages(view a, view b, const M& m, const N& n, const Depth& depth, const Row& row, const Column& column) {
  return [=](auto k) {
    return tg::stage(tg::tile_at<64, 64>(tg::sized(a, m, depth), row, k),
                     tg::tile_at<64, 64>(tg::sized(b, depth, n), k, column));
  };
}
const auto multiply = [](auto left, auto right) { return tg::dot(left, right); };

/// How the products of a block are asked for.
enum class way { add_products, pipeline, twice, in_a_loop, in_a_branch, behind_shared };

/// y = a * b by tiles of 64 x 64 x 64, in the order of rows that memory says.
template <way Way, int Stages, class Block>
constexpr auto product = tg::kernel<"product">(Block{}, [](auto block, view a, view b, out<float> y, tg::scalar<unsigned> m,
                                                           tg::scalar<unsigned> n, tg::scalar<unsigned> depth,
                                                           tg::in<unsigned> order) {
  const auto row = tg::let(order(block.index.y) * 64_c), column = tg::let(block.index.x * 64_c);
  const auto wanted = stages(a, b, m, n, depth, row, column);
  auto sum = tg::zeros<float, 64, 64>(block);
  const auto add = [&] { tg::add_products<Stages>(block, sum, tg::steps(depth, 64_c), wanted, multiply); };
  if constexpr (Way == way::add_products) {
    add();
  } else if constexpr (Way == way::pipeline) {
    tg::pipeline<Stages>(block, tg::steps(depth, 64_c), wanted, [&](auto left, auto right) { sum += tg::dot(left, right); });
  } else if constexpr (Way == way::twice) {
    add();
    const auto half = tg::eval(sum * 0.5f);
    sum = 0.0f;
    add();
    sum = half + sum * 0.5f;
  } else if constexpr (Way == way::in_a_loop) {  // the first is fetched by the producer, those of the loop by all threads
    add();
    tg::for_(tg::range(2u), [&](auto) {
      add();
      block.sync();
    });
    sum = sum * (1.0f / 3.0f);
  } else if constexpr (Way == way::in_a_branch) {
    add();
    tg::if_(n > 64u, [&] { add(); });
    sum = tg::where(tg::columns_of(sum, 0u) * 0u + n > 64u, sum * 0.5f, sum);
  } else {
    const auto kept = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(a, m, depth), row, 0_c));
    sum += tg::dot(kept, tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(b, depth, n), 0_c, column)));
    const auto once = tg::eval(sum);
    add();
    sum = sum - once;
  }
  tg::tile_at<64, 64>(tg::sized(y, m, n), row, column) = sum;
});

/// As `product`, in the order of the blocks.
template <int Stages, class Block>
constexpr auto plain_product =
    tg::kernel<"plain_product">(Block{}, [](auto block, view a, view b, out<float> y, tg::scalar<unsigned> m,
                                            tg::scalar<unsigned> n, tg::scalar<unsigned> depth, tg::in<unsigned> /*order*/) {
      const auto row = tg::let(block.index.y * 64_c), column = tg::let(block.index.x * 64_c);
      auto sum = tg::zeros<float, 64, 64>(block);
      tg::add_products<Stages>(block, sum, tg::steps(depth, 64_c), stages(a, b, m, n, depth, row, column), multiply);
      tg::tile_at<64, 64>(tg::sized(y, m, n), row, column) = sum;
    });

using shape = std::remove_const_t<decltype(with_producer)>;

template <class Kernel> void check(const Kernel& kernel, unsigned m, unsigned n, unsigned k) {
  static std::mt19937 random(random_seed());
  tg::device gpu;
  const tiles::matrix<bf16> a(m, k, random), b(k, n, random);
  tiles::on_device<bf16> da(gpu, a), db(gpu, b);
  tiles::on_device<float> dy(gpu, tiles::matrix<float>(m, n));
  const unsigned down = (m + 63) / 64;
  std::vector<unsigned> order(down);
  for (unsigned d = 0; d < down; ++d) order[d] = down - 1 - d;
  const auto places = gpu.upload(order);
  gpu.launch(kernel, tg::grid((n + 63) / 64, down), da.argument(), db.argument(), dy.argument(), m, n, k, places);
  const tiles::matrix<float> y = dy.read();
  tiles::excess excess;
  for (unsigned r = 0; r < m; ++r)
    for (unsigned c = 0; c < n; ++c) {
      double sum = 0, size = 0;
      for (unsigned d = 0; d < k; ++d) sum += a(r, d) * b(d, c), size += std::abs(a(r, d) * b(d, c));
      excess(y(r, c), sum, 0x1p-23 * (3 * k + 3) * size);
    }
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CHECK(excess.worst <= 1);
}

/// All checkers of the emulator watch as long as it lives.
class watched {
 public:
  watched() : before_(tg::emulator::launch_options()) {
    auto all = before_;
    all.check = tg::emulator::check::checkers::all();
    tg::emulator::set_launch_options(all);
  }
  watched(const watched&) = delete;
  ~watched() { tg::emulator::set_launch_options(before_); }

 private:
  tg::emulator::options before_;
};

template <way Way> void check_way() {
  const watched all;
  for (const auto& size : {std::array{64u, 64u, 64u}, {64u, 64u, 640u}, {1u, 1u, 1u}, {65u, 127u, 63u}, {130u, 67u, 257u}})
    check(product<Way, 3, shape>, size[0], size[1], size[2]);
}

}  // namespace

TEST_CASE("a producer fetches for a product, at sizes that fit the tiles and at edges") {
  const auto lowered = tg::lower(product<way::add_products, 3, shape>);
  INFO(lowered.ptx);
  CHECK(lowered.module.functions[0].bounds.required_threads[0] == 256);
  CHECK(lowered.ptx.find("setmaxnreg.dec.sync.aligned.u32 24") != std::string::npos);
  check_way<way::add_products>();
}
TEST_CASE("it fetches for a pipeline whose body waits for its products") { check_way<way::pipeline>(); }
TEST_CASE("it fetches for two pipelines, one after the other") { check_way<way::twice>(); }
TEST_CASE("pipelines in loops are filled by the other threads") { check_way<way::in_a_loop>(); }
TEST_CASE("pipelines in branches are filled by one of the other threads") { check_way<way::in_a_branch>(); }
TEST_CASE("the other threads fill shared memory and meet without it") { check_way<way::behind_shared>(); }

TEST_CASE("what all blocks of a cluster want is copied once, by all of them together") {
  const watched all;
  using across = decltype(tg::block<128> | tg::cluster<2> | tg::for_sm<90> | tg::producer);     // one row of tiles: a is shared
  using down = decltype(tg::block<128> | tg::cluster<1, 2> | tg::for_sm<90> | tg::producer);    // one column: b is shared
  using square = decltype(tg::block<128> | tg::cluster<2, 2> | tg::for_sm<90> | tg::producer);  // neither
  const auto copies = [](const auto& kernel) {
    const std::string text = tg::to_ptx(kernel);
    int found = 0;
    for (std::size_t at = 0; (at = text.find(".multicast::cluster", at)) != std::string::npos; ++at) ++found;
    return found;
  };
  CHECK(copies(plain_product<3, across>) == 1);
  CHECK(copies(plain_product<3, down>) == 1);
  CHECK(copies(plain_product<3, square>) == 0);
  CHECK(copies(product<way::add_products, 3, down>) == 1);
  CHECK(copies(product<way::add_products, 3, across>) == 0);  // memory says which rows: nobody knows that they are equal
  CHECK(copies(plain_product<3, shape>) == 0);
  for (const auto& size : {std::array{64u, 128u, 64u}, {128u, 128u, 640u}, {65u, 127u, 63u}, {127u, 67u, 257u}}) {
    check(plain_product<3, across>, size[0], size[1], size[2]);
    check(plain_product<2, square>, 128, 67, size[2]);
    if (size[0] > 64) check(plain_product<2, down>, size[0], size[1], size[2]);
    if (size[0] > 64) check(product<way::twice, 2, down>, size[0], size[1], size[2]);
    if (size[0] > 64) check(product<way::pipeline, 2, down>, size[0], size[1], size[2]);
    if (size[0] > 64) check(product<way::in_a_loop, 2, down>, size[0], size[1], size[2]);
    if (size[0] > 64) check(product<way::in_a_branch, 2, down>, size[0], size[1], size[2]);
  }
}

TEST_CASE("steps that differ in a cluster, in their number or place, are copied by each block for itself") {
  const auto kernel = [](auto cluster, auto depth_of, auto row_of) {
    return tg::kernel<"k">(tg::block<128> | cluster | tg::for_sm<90> | tg::producer, [=](auto block, view x, out<float> y,
                                                                                         tg::scalar<unsigned> depth) {
      auto sum = tg::zeros<float, 64, 64>(block);
      tg::add_products<2>(
          block, sum, tg::steps(depth_of(block, depth), 64_c),
          [&](auto k) { return tg::stage(tg::tile_at<64, 64>(tg::sized(x, 64u, depth), row_of(block, k), k)); },
          [](auto part) { return tg::dot(part, tg::transposed(part)); });
      tg::tile_at<64, 64>(tg::sized(y, 128u, 64u), block.index.x * 64_c, 0_c) = sum;
    });
  };
  const auto is_shared = [](const auto& own) { return tg::to_ptx(own).find(".multicast") != std::string::npos; };
  const auto same = [](auto, auto x) { return x + 0u; };
  const auto longer = [](auto block, auto depth) { return depth + block.index.x * 64u; };
  const auto further = [](auto block, auto k) { return k * (block.index.x + 1u); };
  const auto first = [](auto, auto) { return 0_c; };
  CHECK(is_shared(kernel(tg::cluster<2>, same, first)));
  CHECK_FALSE(is_shared(kernel(tg::cluster<2>, longer, first)));
  CHECK(is_shared(kernel(tg::cluster<1, 2>, longer, first)));
  CHECK_FALSE(is_shared(kernel(tg::cluster<2>, same, further)));
  CHECK(is_shared(kernel(tg::cluster<1, 2>, same, further)));
}

TEST_CASE("stages of two and of five") {
  const watched all;
  check(product<way::add_products, 2, shape>, 65, 63, 641);
  check(product<way::add_products, 5, shape>, 65, 63, 641);
  check(product<way::pipeline, 2, shape>, 65, 63, 641);
}

TEST_CASE("nothing is refuted of a kernel with a producer, and its rings and their mbarriers alone are unknown") {
  const auto& kernel = product<way::add_products, 3, shape>;
  const auto found = tg::analyze(kernel);
  INFO(found.text());
  CHECK(found.refuted().empty());
  std::set<std::string> objects{"parameter 4"};  // memory says which rows a block writes
  const auto tiles = tg::trace(kernel).module.tiles;
  for (std::size_t k = 0; k < tiles.size(); ++k)
    if (tiles[k].element_bytes == 3 * 64 * 64 * 2 || tiles[k].element_bytes == 3 * 8)
      objects.insert("tile " + std::to_string(k));
  CHECK(objects.size() == 5);
  for (const auto& f : found.unknown()) {
    CAPTURE(f.text());
    CHECK(objects.contains(f.object));
  }
}

TEST_CASE("blocks are launched with the producer, and elements are counted without it") {
  const auto numbers = tg::kernel<"numbers">(
      tg::block<256> | tg::for_sm<90> | tg::producer,
      [](auto block, view x, tg::out<unsigned> y, tg::scalar<unsigned> n, out<float> sums) {
        auto sum = tg::zeros<float, 128, 64>(block);
        tg::add_products<2>(
            block, sum, tg::steps(64u, 64_c),
            [&](auto k) {
              return tg::stage(tg::tile_at<128, 64>(tg::sized(x, 128u, 64u), 0_c, k),
                               tg::tile_at<64, 64>(tg::sized(x, 64u, 64u), k, 0_c));
            },
            multiply);
        tg::if_(block.index.x == 0u, [&] { tg::tile_at<128, 64>(tg::sized(sums, 128u, 64u), 0_c, 0_c) = sum; });
        tg::if_(block.global_index() < n, [&] { y(block.global_index()) = block.global_index(); });
      });
  const unsigned n = 1000;
  tg::device gpu;
  tiles::on_device<bf16> x(gpu, [] {
    tiles::matrix<bf16> m(128, 64);
    for (auto& e : m.elements) e = bf16(1.0f);
    return m;
  }());
  tiles::on_device<float> sums(gpu, tiles::matrix<float>(128, 64));
  const auto check = [&](const auto& launch) {
    auto y = gpu.upload(std::vector<unsigned>(n, 77u));
    launch(y);
    const auto found = y.to_host();
    unsigned wrong = 0;
    for (unsigned i = 0; i < n; ++i) wrong += found[i] != i;
    CHECK(wrong == 0);
    CHECK(sums.read()(127, 63) == 64.0);
  };
  check([&](auto& y) { gpu.launch(numbers, tg::cover(n), x.argument(), y, n, sums.argument()); });
  check([&](auto& y) {
    const tg::prepared ready(gpu, numbers, tg::cover(n));
    ready(x.argument(), y, n, sums.argument());
  });
  check([&](auto& y) {
    tg::graph g(gpu);
    g.after().launch(numbers, tg::cover(n), x.argument(), y, n, sums.argument());
    const auto ready = g.instantiate();
    auto work = tg::stream(gpu).begin();
    work.replay(ready);
    (void)std::move(work).submit().wait();
  });
  check([&](auto& y) {
    const auto packed =
        tg::packaged_kernel<std::remove_const_t<decltype(numbers)>>(tg::to_package(tg::to_bytes(tg::package_of(numbers))));
    gpu.launch(packed, tg::cover(n), x.argument(), y, n, sums.argument());
  });
  const auto cost = tg::cost(numbers, 4);
  CHECK(cost.block_threads == 384);
}

namespace {

/// Sums of two products of tiles that begin at random numbers, which the seed decides; some of them of memory and of the step.
template <class Block> auto random_product(Block shape, std::uint32_t seed) {
  return tg::kernel<"random_product">(
      shape, [seed](auto block, view a, view b, out<float> y, tg::scalar<unsigned> n, tg::in<unsigned> order) {
        using number = tg::value<unsigned>;
        const auto leaf = [](const auto& x) { return number{tg::detail::operand_of<unsigned>(x)}; };
        const number read = {tg::let(order(block.index.y)).operand};
        const auto tiles = n / 64u;
        auto sum = tg::zeros<float, 64, 64>(block);
        for (std::uint32_t turn = 0; turn < 2; ++turn) {
          const number steps = {(random_number(seed + turn, {leaf(block.index.x), leaf(n), read}).make(2) % 4u).operand};
          const auto wanted = [&](auto k) {
            random_number random(seed + turn,
                                 {leaf(block.index.x), leaf(block.index.y), leaf(block.grid.y), leaf(n), leaf(k), read});
            const auto place = [&] { return tg::assume_uniform(random.make(3) % tiles) * 64_c; };
            const auto row = place(), column = place(), depth = place();
            return tg::stage(tg::tile_at<64, 64>(tg::sized(a, n, n), row, depth),
                             tg::tile_at<64, 64>(tg::sized(b, n, n), depth, column));
          };
          tg::add_products<3>(block, sum, tg::steps(steps * 64_c, 64_c), wanted, multiply);
        }
        tg::tile_at<64, 64>(tg::sized(y, n, n), block.index.y * 64_c, block.index.x * 64_c) = sum;
      });
}

}  // namespace

TEST_CASE("random tiles come as they come without a producer, or are refused") {
  const watched all;
  std::mt19937 random(random_seed());
  constexpr unsigned n = 192;
  tg::device gpu;
  tiles::on_device<bf16> a(gpu, tiles::matrix<bf16>(n, n, random)), b(gpu, tiles::matrix<bf16>(n, n, random));
  tiles::on_device<float> y(gpu, tiles::matrix<float>(n, n));
  const auto order = gpu.upload(std::vector<unsigned>{2, 0, 1});
  int made = 0;
  for (int at = 0; at < 40; ++at) {
    const std::uint32_t seed = random_seed() * 2;
    INFO("seed ", seed);
    const auto run = [&](auto shape) {
      gpu.launch(random_product(shape, seed), tg::grid(3, 3), a.argument(), b.argument(), y.argument(), n, order);
      return y.read();
    };
    const tiles::matrix<float> expected = run(tg::block<128> | tg::for_sm<90>);
    try {
      const tiles::matrix<float> got = run(with_producer);
      ++made;
      bool are_equal = true;
      for (unsigned r = 0; r < n; ++r)
        for (unsigned c = 0; c < n; ++c) are_equal = are_equal && got(r, c) == expected(r, c);
      CHECK(are_equal);
    } catch (const tg::error& e) { CHECK(e.code() == tg::code{612}); }
  }
  CHECK(made > 10);
}
