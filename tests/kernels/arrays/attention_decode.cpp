#include <kernels/arrays/attention_decode.hpp>

#include <numeric>
#include <vector>

#include <kernels/reference/attention_decode.hpp>

#include "../attentions.hpp"
#include "../inputs.hpp"
#include "refusals.hpp"

namespace {

using refusals::code_of_error;
using tg::decode_options;
namespace reference = tg::kernels::reference;

template <class T> std::vector<T> normal(inputs::generator& random, std::size_t count) {
  std::normal_distribution<float> any;
  std::vector<T> out(count);
  for (T& x : out) x = T(any(random.engine));
  return out;
}

/// Sequences with a cache on the host. Slots that no key is in hold NaN.
template <class T, int Size, decode_options Options> struct decoding {
  static constexpr unsigned page = Options.page == 0 ? 1 : Options.page;
  inputs::generator random;
  reference::decode_shape n;
  unsigned sequences, width = 1, pages;
  std::vector<unsigned> lengths;
  std::vector<int> table;
  std::vector<T> q, keys, values;
  std::vector<float> slopes, tree;

  decoding(const std::vector<unsigned>& all, const reference::decode_shape& n, bool has_one_tree)
      : n(n), sequences(static_cast<unsigned>(all.size())), lengths(all) {
    for (const unsigned length : all) width = std::max(width, (length + page - 1) / page);
    pages = sequences * width;
    std::vector<int> numbers(pages);
    std::iota(numbers.begin(), numbers.end(), 0);
    if (Options.page == 0)
      for (unsigned s = 0; s < sequences; ++s) table.push_back(static_cast<int>((sequences - 1 - s) * width));
    else std::shuffle(numbers.begin(), numbers.end(), random.engine), table = numbers;
    q = normal<T>(random, std::size_t{sequences} * n.queries * heads() * Size);
    keys.assign(std::size_t{pages} * page * columns(), T(std::numeric_limits<float>::quiet_NaN()));
    values = keys;
    for (unsigned s = 0; s < sequences; ++s)
      for (unsigned j = 0; j < lengths[s]; ++j)
        for (auto* cache : {&keys, &values}) {
          const auto row = normal<T>(random, columns());
          std::copy(row.begin(), row.end(), cache->begin() + static_cast<std::ptrdiff_t>(slot(s, j) * columns()));
        }
    slopes = random.floats(heads(), 0, 0.5f);
    tree = random.floats(std::size_t{has_one_tree ? 1 : sequences} * n.queries * n.queries);
    for (std::size_t i = 0; i < tree.size(); ++i)
      if (tree[i] > 0 && i / n.queries % n.queries != i % n.queries) tree[i] = -INFINITY;
  }

  unsigned heads() const { return n.key_heads * n.group; }
  unsigned columns() const { return n.key_heads * Size; }
  std::size_t slot(unsigned s, unsigned j) const {
    if (Options.page == 0) return static_cast<std::size_t>(table[s]) + j;
    return std::size_t{static_cast<unsigned>(table[std::size_t{s} * width + j / page])} * page + j % page;
  }

  /// The largest error of a result, relative to what it may be.
  double worst_of(const std::vector<T>& out) const {
    tiles::excess excess;
    REQUIRE(out.size() == q.size());
    const unsigned group = n.group, queries = n.queries, key_heads = n.key_heads;
    // Row ((s * key_heads + h) * queries + i) * group + g of the reference is token i of head h * group + g.
    const auto place = [&](unsigned row, unsigned d) {
      const unsigned g = row % group, i = row / group % queries, h = row / group / queries % key_heads;
      const unsigned s = row / group / queries / key_heads;
      return ((std::size_t{s} * queries + i) * heads() + h * group + g) * Size + d;
    };
    const bool has_one_tree = tree.size() == std::size_t{queries} * queries;
    for (unsigned s = 0; s < sequences; ++s)
      reference::attend_decoding(
          {.weight = 2 * attentions::unit<T>, .least_weight = 0x1p-25, .result = attentions::unit<T>}, Options, n, Size, s,
          lengths[s], [&](unsigned r, unsigned d) { return static_cast<double>(q[place(r, d)]); },
          [&](unsigned j, unsigned c) { return static_cast<double>(keys[slot(s, j) * columns() + c]); },
          [&](unsigned j, unsigned c) { return static_cast<double>(values[slot(s, j) * columns() + c]); },
          [&](unsigned h) { return double(slopes[h]); },
          [&](unsigned i, unsigned j) { return double(tree[(std::size_t{has_one_tree ? 0 : s} * queries + i) * queries + j]); },
          [&](unsigned r, unsigned d, double wanted, double bound) {
            excess(static_cast<double>(out[place(r, d)]), wanted, bound);
          },
          [](unsigned, double, double) {});
    return excess.worst;
  }
};

/// Calls `tg::attention_decode` of host operands: with pages keys have rank 4, without rank 3.
template <class T, int Size, decode_options Options>
double check(const std::vector<unsigned>& lengths, const reference::decode_shape& n, bool has_one_tree = false,
             const tg::attention_decode_call& call = {}) {
  tg::device gpu;
  const decoding<T, Size, Options> x(lengths, n, has_one_tree);
  INFO("seed ", x.random.seed);
  const tg::array<T, 4> q(gpu, {x.sequences, n.queries, x.heads(), Size}, x.q);
  const tg::array<unsigned, 1> own_lengths(gpu, x.lengths);
  const auto run = [&](const auto& keys, const auto& values, const auto& table) {
    const tg::array<float, 1> slopes(gpu, x.slopes);
    const tg::array<float, 3> trees(gpu, {has_one_tree ? 1 : x.sequences, n.queries, n.queries}, x.tree);
    if constexpr (Options.alibi && Options.tree)
      return tg::attention_decode<Size, Options>(q, keys, values, table, own_lengths, slopes, trees, call);
    else if constexpr (Options.alibi)
      return tg::attention_decode<Size, Options>(q, keys, values, table, own_lengths, slopes, call);
    else if constexpr (Options.tree) {
      if (has_one_tree)
        return tg::attention_decode<Size, Options>(q, keys, values, table, own_lengths,
                                                   trees(0, tg::full_extent, tg::full_extent), call);
      return tg::attention_decode<Size, Options>(q, keys, values, table, own_lengths, trees, call);
    } else return tg::attention_decode<Size, Options>(q, keys, values, table, own_lengths, call);
  };
  const auto found = [&] {
    if constexpr (Options.page == 0)
      return run(tg::array<T, 3>(gpu, {x.pages, n.key_heads, Size}, x.keys),
                 tg::array<T, 3>(gpu, {x.pages, n.key_heads, Size}, x.values), tg::array<int, 1>(gpu, x.table));
    else
      return run(tg::array<T, 4>(gpu, {x.pages, Options.page, n.key_heads, Size}, x.keys),
                 tg::array<T, 4>(gpu, {x.pages, Options.page, n.key_heads, Size}, x.values),
                 tg::array<int, 2>(gpu, {x.sequences, x.width}, x.table));
  }();
  CHECK(found.shape() == q.shape());
  return x.worst_of(found.to_host());
}

}  // namespace

TEST_CASE("attention for decoding, of arrays: pages and a window, one token and several") {
  constexpr decode_options window{.page = 16, .window = 50};
  CHECK(check<tg::bf16, 64, window>({0, 1, 16, 17, 67, 131}, {2, 1, 4}) <= 1);
  CHECK(check<tg::bf16, 64, window>({35, 640}, {2, 5, 4}) <= 1);
  CHECK(check<tg::bf16, 64, window>({35, 64, 7}, {2, 3, 2}, false, {.splits = 3}) <= 1);
}
TEST_CASE("attention for decoding, of arrays: a tree for all sequences and one for each, keys side by side") {
  constexpr decode_options tree{.tree = true};
  CHECK(check<tg::f16, 64, tree>({5, 65, 70}, {2, 5, 1}, true) <= 1);
  CHECK(check<tg::f16, 64, tree>({131, 0, 300}, {2, 5, 4}, false, {.splits = 2}) <= 1);
}
TEST_CASE("attention for decoding, of arrays: slopes with a tree") {
  constexpr decode_options both{.page = 32, .alibi = true, .tree = true};
  CHECK(check<tg::bf16, 40, both>({5, 65, 70}, {2, 5, 2}) <= 1);
}
TEST_CASE("attention for decoding, of arrays: slopes of heads") {
  constexpr decode_options slopes{.page = 64, .alibi = true};
  CHECK(check<tg::bf16, 64, slopes>({65, 1, 130}, {1, 1, 8}) <= 1);
}

TEST_CASE("one token without its dimension, an expression, and the default of a size") {
  tg::device gpu;
  const decoding<tg::bf16, 64, decode_options{}> x({70, 3}, {2, 1, 2}, true);
  INFO("seed ", x.random.seed);
  const tg::array<tg::bf16, 3> q(gpu, {2, 4, 64}, x.q), keys(gpu, {x.pages, 2, 64}, x.keys),
      values(gpu, {x.pages, 2, 64}, x.values);
  const tg::array<int, 1> table(gpu, x.table), lengths(gpu, std::vector<int>(x.lengths.begin(), x.lengths.end()));
  CHECK(x.worst_of(tg::attention_decode(q, keys, values, table, lengths).to_host()) <= 1);
  const tg::array<float, 3> wide = tg::cast<float>(q) * 0.5f;
  const auto halved =
      tg::attention_decode<64>(tg::cast<tg::bf16>(wide), keys, values, table, lengths + 0, {.scale = 0.25f, .splits = 2});
  CHECK(x.worst_of(halved.to_host()) <= 1);
}

TEST_CASE("no sequences and no cache") {
  tg::device gpu;
  const tg::array<tg::bf16, 3> q(gpu, {2, 4, 64}, std::vector<tg::bf16>(512, tg::bf16(1.0f))), none(gpu, {0, 4, 64}),
      keys(gpu, {5, 2, 64}, std::vector<tg::bf16>(640)), empty(gpu, {0, 2, 64});
  const tg::array<int, 1> zeros(gpu, std::vector<int>(2)), nothing(gpu, {0});
  for (const tg::bf16 x : tg::attention_decode<64>(q, empty, empty, zeros, zeros).to_host()) CHECK(static_cast<float>(x) == 0);
  for (const tg::bf16 x : tg::attention_decode<64>(q, keys, keys, zeros, zeros).to_host()) CHECK(static_cast<float>(x) == 0);
  CHECK(tg::attention_decode<64>(none, keys, keys, nothing, nothing).size() == 0);
}

TEST_CASE("operands of decoding that do not belong together are refused") {
  tg::device gpu;
  const auto make = [&](std::int64_t first, std::int64_t heads, std::int64_t size) {
    return tg::array<tg::bf16, 3>(gpu, {first, heads, size},
                                  std::vector<tg::bf16>(static_cast<std::size_t>(first * heads * size)));
  };
  const auto q = make(2, 4, 64), keys = make(70, 2, 64);
  const tg::array<int, 1> two(gpu, std::vector<int>(2)), three(gpu, std::vector<int>(3));
  const tg::array<int, 2> table(gpu, {2, 3}, std::vector<int>(6));
  const tg::array<float, 1> slopes(gpu, std::vector<float>(4)), few(gpu, std::vector<float>(2));
  const tg::array<float, 2> wide(gpu, {2, 2}, std::vector<float>(4));
  constexpr decode_options pages{.page = 64}, sloped{.alibi = true}, tree{.tree = true};
  CHECK(code_of_error([&] { tg::attention_decode<64>(q, keys, make(71, 2, 64), two, two); }) == 700);
  CHECK(code_of_error([&] { tg::attention_decode<64>(q, make(70, 3, 64), make(70, 3, 64), two, two); }) == 700);
  CHECK(code_of_error([&] { tg::attention_decode<64>(q, make(70, 2, 128), make(70, 2, 128), two, two); }) == 700);
  CHECK(code_of_error([&] { tg::attention_decode<64>(q, keys, keys, three, two); }) == 700);
  CHECK(code_of_error([&] { tg::attention_decode<64>(q, keys, keys, two, three); }) == 700);
  CHECK(code_of_error([&] { tg::attention_decode<128>(q, keys, keys, two, two); }) == 705);
  CHECK(code_of_error([&] { tg::attention_decode(make(2, 4, 96), make(7, 2, 96), make(7, 2, 96), two, two); }) == 705);
  CHECK(code_of_error([&] { tg::attention_decode<64>(q, keys, keys, two, two, {.scale = -1}); }) == 705);
  CHECK(code_of_error([&] { tg::attention_decode<64, pages>(q, keys, keys, table, two); }) == 705);
  CHECK(code_of_error([&] { tg::attention_decode<64, sloped>(q, keys, keys, two, two, few); }) == 700);
  CHECK(code_of_error([&] { tg::attention_decode<64, sloped>(q, keys, keys, two, two, slopes); }) == 0);
  CHECK(code_of_error([&] { tg::attention_decode<64, tree>(q, keys, keys, two, two, wide); }) == 700);
}
