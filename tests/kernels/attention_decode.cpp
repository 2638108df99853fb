#include <kernels/attention_decode.hpp>

#include <cstdint>
#include <numeric>
#include <vector>

#include <kernels/reference/attention_decode.hpp>
#include <tg/dsl/proof/analyze.hpp>

#include "../random_seed.hpp"
#include "attentions.hpp"

namespace {

using tg::kernels::attention_decode_options;
namespace reference = tg::kernels::reference;

/// What is decoded: keys of each sequence; `shared_pages`: pages in front that all sequences have in common.
struct decoding {
  std::vector<unsigned> lengths;
  reference::decode_shape n;
  unsigned splits = 1, shared_pages = 0;

  unsigned sequences() const { return static_cast<unsigned>(lengths.size()); }
  unsigned rows() const { return sequences() * n.key_heads * n.rows(); }
};

/// Where keys of sequences are in a cache. What belongs to no sequence is not to be read: NaN in slots, large numbers of pages.
struct places {
  unsigned page, width = 1, slots = 0;
  std::vector<unsigned> table;

  places(const decoding& what, unsigned page, std::mt19937& random) : page(page) {
    for (const unsigned length : what.lengths) width = std::max(width, page == 0 ? 1u : (length + page - 1) / page);
    table.assign(std::size_t{what.sequences()} * width, 0xdeadbeef);
    if (page == 0) {
      for (unsigned s = what.sequences(); s-- > 0; slots += what.lengths[s] + 3) table[s] = slots + 1;
      return;
    }
    std::vector<unsigned> numbers(std::size_t{what.sequences()} * width + 5);
    std::iota(numbers.begin(), numbers.end(), 0u);
    std::shuffle(numbers.begin(), numbers.end(), random);
    slots = static_cast<unsigned>(numbers.size()) * page;
    for (unsigned s = 0; s < what.sequences(); ++s)
      for (unsigned p = 0; p * page < what.lengths[s]; ++p)
        table[std::size_t{s} * width + p] = numbers[p < what.shared_pages ? p : std::size_t{s} * width + p];
  }
  unsigned slot(unsigned s, unsigned j) const {
    return page == 0 ? table[s] + j : table[std::size_t{s} * width + j / page] * page + j % page;
  }
};

template <class T> tiles::matrix<T> cache_of(const decoding& what, const places& at, unsigned width, std::mt19937& random) {
  tiles::matrix<T> out(at.slots, width);
  out.elements.assign(out.elements.size(), tiles::matrix<T>::gap());
  std::normal_distribution<float> normal;
  for (unsigned s = 0; s < what.sequences(); ++s)
    for (unsigned j = 0; j < what.lengths[s]; ++j)
      for (unsigned c = 0; c < width; ++c) out(at.slot(s, j), c) = T(normal(random));
  return out;
}

/// Trees of `queries` tokens: each sees itself, those above it, with some number added, and no other.
tiles::matrix<float> trees_of(unsigned trees, unsigned queries, std::mt19937& random) {
  tiles::matrix<float> out(trees * queries, queries, 1);
  for (unsigned t = 0; t < trees; ++t)
    for (unsigned i = 0; i < queries; ++i) {
      for (unsigned j = 0; j < queries; ++j) out(t * queries + i, j) = -tg::infinity<float>;
      for (unsigned up = i;; up = static_cast<unsigned>(random() % up)) {
        out(t * queries + i, up) = up == i ? 0.0f : -0.25f * static_cast<float>(up);
        if (up == 0) break;
      }
    }
  return out;
}

template <class T, int Size, int Rows, attention_decode_options Options> double check(const decoding& what) {
  tg::device gpu;
  const auto seed = random_seed();
  INFO("seed ", seed);
  std::mt19937 random(seed);
  const auto& n = what.n;
  const unsigned sequences = what.sequences(), width = n.key_heads * Size, heads = n.key_heads * n.group;
  const places at(what, Options.page, random);
  const tiles::matrix<T> q(what.rows(), Size, random), k = cache_of<T>(what, at, width, random),
                                                       v = cache_of<T>(what, at, width, random);
  std::vector<float> slopes(heads);
  for (unsigned h = 0; h < heads; ++h) slopes[h] = std::exp2(-8.0f * static_cast<float>(h + 1) / static_cast<float>(heads));
  const bool has_one_tree = what.splits % 2 == 1;
  const auto trees = trees_of(has_one_tree ? 1 : sequences, n.queries, random);

  tiles::on_device<T> dq(gpu, q), dk(gpu, k), dv(gpu, v), d_out(gpu, tiles::matrix<T>(what.rows(), Size));
  tiles::on_device<float> parts(gpu, tiles::matrix<float>(what.splits * what.rows(), Size)), d_trees(gpu, trees);
  auto log_sums = gpu.upload(std::vector<float>(std::size_t{what.splits} * what.rows(), 777.0f));
  const auto lengths = gpu.upload(what.lengths), table = gpu.upload(at.table);
  const auto d_slopes = gpu.upload(slopes);
  const unsigned apart = has_one_tree ? 0 : n.queries;
  constexpr auto& kernel = tg::kernels::attention_decode<T, Size, Rows, Options>;
  const auto launch = [&](const auto&... extra) {
    gpu.launch(kernel, tg::kernels::attention_decode_grid<Rows>(sequences, n.key_heads, n.rows(), what.splits), dq.argument(),
               dk.argument(), dv.argument(), lengths, tg::matrix(table, sequences, at.width), parts.argument(), log_sums,
               sequences, n.key_heads, n.queries, n.group, what.splits, 1 / std::sqrt(float(Size)), extra...);
  };
  if constexpr (Options.alibi && Options.tree) launch(d_slopes, d_trees.argument(), apart);
  else if constexpr (Options.tree) launch(d_trees.argument(), apart);
  else if constexpr (Options.alibi) launch(d_slopes);
  else launch();
  gpu.launch(tg::kernels::attention_join<T, Size>, tg::kernels::attention_join_grid(what.rows()), parts.argument(), log_sums,
             d_out.argument(), what.rows(), what.splits);
  const tiles::matrix<T> o = d_out.read();
  (void)parts.read();
  const std::vector<float> sums = log_sums.to_host();

  tiles::excess excess;
  const reference::attention_errors off{.weight = 2 * attentions::unit<T>,
                                        .least_weight = std::is_same_v<T, tg::f16> ? 0x1p-25 : 0,
                                        .result = attentions::unit<T>};
  for (unsigned s = 0; s < sequences; ++s)
    reference::attend_decoding(
        off, Options, n, Size, s, what.lengths[s], q, [&](unsigned j, unsigned c) { return k(at.slot(s, j), c); },
        [&](unsigned j, unsigned c) { return v(at.slot(s, j), c); }, [&](unsigned h) { return double(slopes[h]); },
        [&](unsigned i, unsigned j) { return trees(s * apart + i, j); },
        [&](unsigned r, unsigned d, double wanted, double bound) { excess(o(r, d), wanted, bound); },
        [&](unsigned r, double wanted, double bound) {
          std::vector<double> own;
          for (unsigned part = 0; part < what.splits; ++part) own.push_back(sums[std::size_t{part} * what.rows() + r]);
          double total = 0;
          const double found = reference::to_weights(own, total);
          if (std::isinf(wanted)) CHECK(found == wanted);
          else excess(found, wanted, bound);
        });
  return excess.worst;
}

}  // namespace

TEST_CASE("one token for each sequence, whose keys lie side by side") {
  constexpr attention_decode_options side_by_side{};
  CHECK(check<tg::bf16, 64, 16, side_by_side>({{1}, {1, 1, 1}}) <= 1);
  CHECK(check<tg::bf16, 64, 16, side_by_side>({{0, 1, 15, 16, 17, 64, 65, 131}, {2, 1, 4}, 1}) <= 1);
  CHECK(check<tg::bf16, 64, 16, side_by_side>({{0, 64, 257, 65, 128}, {1, 1, 8}, 3}) <= 1);
  CHECK(check<tg::bf16, 64, 16, side_by_side>({{70, 3, 200}, {3, 1, 1}, 7}) <= 1);
}
TEST_CASE("several tokens, more rows than a block has, fewer keys than tokens") {
  constexpr attention_decode_options side_by_side{};
  CHECK(check<tg::bf16, 64, 16, side_by_side>({{5, 0, 3, 67, 130}, {2, 5, 4}, 2}) <= 1);
  CHECK(check<tg::bf16, 64, 16, side_by_side>({{33, 129}, {1, 33, 1}, 3}) <= 1);
}
TEST_CASE("pages of 16 keys in any order, some shared by all sequences") {
  constexpr attention_decode_options pages{.page = 16};
  CHECK(check<tg::bf16, 128, 16, pages>({{0, 1, 15, 16, 17, 64, 65}, {1, 1, 8}, 1}) <= 1);
  CHECK(check<tg::bf16, 128, 16, pages>({{97, 45, 33, 200}, {2, 1, 4}, 3, 2}) <= 1);
  CHECK(check<tg::bf16, 128, 16, pages>({{31, 5}, {1, 2, 1}, 9}) <= 1);
}
TEST_CASE("pages of 64 keys and a window, heads whose size is no power of two") {
  constexpr attention_decode_options window{.page = 64, .window = 33};
  CHECK(check<tg::f16, 80, 16, window>({{0, 1, 32, 33, 34, 64, 65, 97, 211}, {1, 1, 4}, 1}) <= 1);
  CHECK(check<tg::f16, 80, 16, window>({{300, 130, 64}, {2, 5, 1}, 3, 1}) <= 1);
  CHECK(check<tg::f16, 80, 16, window>({{260, 20}, {1, 40, 1}, 2}) <= 1);
}
TEST_CASE("slopes of heads, blocks of four warps") {
  constexpr attention_decode_options slopes{.page = 64, .alibi = true};
  CHECK(check<tg::bf16, 96, 64, slopes>({{0, 1, 17, 65, 200}, {2, 1, 4}, 1}) <= 1);
  CHECK(check<tg::bf16, 96, 64, slopes>({{131, 64}, {1, 9, 8}, 3, 1}) <= 1);
}
TEST_CASE("heads of 256 elements") {
  constexpr attention_decode_options pages{.page = 32};
  CHECK(check<tg::f16, 256, 16, pages>({{0, 1, 31, 32, 33, 101}, {1, 1, 8}, 2}) <= 1);
}
TEST_CASE("trees of tokens") {
  constexpr attention_decode_options tree{.page = 16, .tree = true};
  CHECK(check<tg::bf16, 64, 16, tree>({{5, 6, 0, 16, 17, 20, 21, 64, 67}, {1, 5, 1}, 1}) <= 1);
  CHECK(check<tg::bf16, 64, 16, tree>({{65, 133, 31}, {2, 5, 4}, 2, 1}) <= 1);
  CHECK(check<tg::bf16, 64, 16, tree>({{18, 50}, {1, 19, 1}, 3}) <= 1);
}
TEST_CASE("trees with slopes, whose keys lie side by side") {
  constexpr attention_decode_options both{.alibi = true, .tree = true};
  CHECK(check<tg::f16, 128, 64, both>({{5, 64, 69, 130}, {1, 5, 8}, 1}) <= 1);
  CHECK(check<tg::f16, 128, 64, both>({{5, 66, 67}, {2, 5, 1}, 2}) <= 1);
}

TEST_CASE("what a window leaves out is not read") {
  // Keys in front of the window lie in pages that do not exist.
  using T = tg::f16;
  tg::device gpu;
  constexpr attention_decode_options window{.page = 64, .window = 33};
  std::mt19937 random(random_seed());
  const tiles::matrix<T> q(1, 80, random), k(64, 80, random), v(64, 80, random);
  tiles::on_device<T> dq(gpu, q), dk(gpu, k), dv(gpu, v), o(gpu, tiles::matrix<T>(1, 80));
  tiles::on_device<float> parts(gpu, tiles::matrix<float>(1, 80));
  auto log_sums = gpu.zeros<float>(1);
  const auto lengths = gpu.upload(std::vector<unsigned>{1 << 20});
  std::vector<unsigned> pages((1 << 20) / 64, 0xdeadbeef);
  pages.back() = 0;
  const auto table = gpu.upload(pages);
  gpu.launch(tg::kernels::attention_decode<T, 80, 16, window>, tg::kernels::attention_decode_grid(1, 1, 1, 1), dq.argument(),
             dk.argument(), dv.argument(), lengths, tg::matrix(table, 1, pages.size()), parts.argument(), log_sums, 1u, 1u, 1u,
             1u, 1u, 0.125f);
  for (unsigned c = 0; c < 80; ++c) CHECK(std::isfinite(parts.read()(0, c)));
}

TEST_CASE("how many parts the keys are divided in") {
  using tg::kernels::attention_splits;
  static_assert(attention_splits(1, 0, 132) == 1);
  static_assert(attention_splits(1, 511, 132) == 1);
  static_assert(attention_splits(8, 1 << 17, 132) == 66);
  static_assert(attention_splits(8, 4096, 132) == 16);
  static_assert(attention_splits(1000, 1 << 17, 132) == 1);
  static_assert(attention_splits(0, 1 << 20, 132) == 128);
  static_assert(tg::kernels::attention_decode_grid(1u << 20, 1u << 13, 1, 1).extents[0] == std::int64_t{1} << 33);
}

TEST_CASE("each access and each barrier is proved") {
  const auto check = [](const auto& kernel) {
    const tg::kernel_analysis found = tg::analyze(kernel);
    INFO(found.text());
    CHECK(found.refuted().empty());
    CHECK(found.unknown().empty());
  };
  check(tg::kernels::attention_decode<tg::bf16, 64, 16>);
  check(tg::kernels::attention_decode<tg::bf16, 64, 16, attention_decode_options{.page = 16, .tree = true}>);
  check(tg::kernels::attention_decode<tg::f16, 80, 16, attention_decode_options{.page = 64, .window = 33}>);
  check(tg::kernels::attention_decode<tg::bf16, 96, 64, attention_decode_options{.page = 64, .alibi = true}>);
  check(tg::kernels::attention_join<tg::bf16, 64>);
}
