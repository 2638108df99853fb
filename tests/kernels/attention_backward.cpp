#include <kernels/attention_backward.hpp>

#include <bit>
#include <cstdint>
#include <fstream>

#include <kernels/reference/attention_gradients.hpp>

#include "../random_seed.hpp"
#include "attentions.hpp"

namespace {

using namespace attentions;

template <class T> struct inputs {
  tiles::matrix<T> q, k, v, d_o;
  tiles::matrix<T> o;
  tiles::matrix<float> log_sums;
};

using tg::kernels::reference::attention_gradients;
using tg::kernels::reference::table;

// Adds one head of one sequence to the gradients, and makes o and the logarithms of its sums.
template <int Size, class T>
void add_sequence(attention_gradients& to, inputs<T>& of, const attention_options& options, const shape& s, unsigned row,
                  unsigned key_row, unsigned h) {
  const inputs<T>& x = of;
  tg::kernels::reference::add_attention_gradients(
      to, options, s, Size, row, key_row, h, x.q, x.k, x.v, x.d_o,
      [&](unsigned r, unsigned c, double o) {
        of.o(r, c) = T(static_cast<float>(o));
        return x.o(r, c);
      },
      [&](unsigned r, double log_sum, double) { of.log_sums(h, r) = static_cast<float>(log_sum); });
}

template <class T> double worst_of(const tiles::matrix<T>& found, const table& wanted, const table& size) {
  tiles::excess excess;
  for (unsigned r = 0; r < found.rows; ++r)
    for (unsigned c = 0; c < found.columns; ++c)
      excess(found(r, c), wanted(r, c), attention_gradients::bound(wanted, size, std::size_t{r} * found.columns + c, unit<T>));
  return excess.worst;
}

/// `launch(gpu, inputs on the device..., results)` runs the kernels that fit the sequences.
template <class T, int Size, attention_options Options, int Sm, bool IsRagged>
void check_gradients(const std::vector<shape>& sequences, unsigned heads, unsigned group) {
  tg::device gpu;
  std::mt19937 random(random_seed());
  std::vector<unsigned> starts{0}, key_starts{0};
  unsigned longest = 0, most_keys = 0;
  for (const shape& s : sequences) {
    starts.push_back(starts.back() + s.queries);
    key_starts.push_back(key_starts.back() + s.keys);
    longest = std::max(longest, s.queries);
    most_keys = std::max(most_keys, s.keys);
  }
  const unsigned rows = starts.back(), key_rows = key_starts.back(), width = heads * Size, key_width = heads / group * Size;
  const auto count = static_cast<unsigned>(sequences.size());
  inputs<T> in{
      {rows, width, random}, {key_rows, key_width, random}, {key_rows, key_width, random}, {rows, width, random}, {rows, width},
      {heads, rows}};
  attention_gradients exact(rows, width, key_rows, key_width);
  for (unsigned n = 0; n < count; ++n)
    for (unsigned h = 0; h < heads; ++h) {
      const shape s{sequences[n].queries, sequences[n].keys, heads, group, 1};
      add_sequence<Size>(exact, in, Options, s, starts[n], key_starts[n], h);
    }
  tiles::on_device<T> q(gpu, in.q), k(gpu, in.k), v(gpu, in.v), o(gpu, in.o), d_o(gpu, in.d_o),
      d_q(gpu, tiles::matrix<T>(rows, width)), d_k(gpu, tiles::matrix<T>(key_rows, key_width)),
      d_v(gpu, tiles::matrix<T>(key_rows, key_width));
  tiles::on_device<float> log_sums(gpu, in.log_sums), delta(gpu, tiles::matrix<float>(heads, rows));
  const float scale = 1 / std::sqrt(float(Size));
  using namespace tg::kernels;
  using length = std::conditional_t<IsRagged, tg::in<unsigned>, tg::scalar<unsigned>>;
  gpu.launch(attention_deltas<T, Size>, attention_deltas_grid(rows, heads), o.argument(), d_o.argument(), delta.argument(),
             rows);
  const auto run = [&](const auto& queries, const auto& keys) {
    gpu.launch(attention_query_gradient<T, Size, Options, Sm, length>, attention_gradient_grid(longest, heads, count),
               q.argument(), k.argument(), v.argument(), d_o.argument(), log_sums.argument(), delta.argument(), d_q.argument(),
               queries, keys, group, scale);
    gpu.launch(attention_key_gradient<T, Size, Options, Sm, length>, attention_gradient_grid(most_keys, heads / group, count),
               q.argument(), k.argument(), v.argument(), d_o.argument(), log_sums.argument(), delta.argument(), d_k.argument(),
               d_v.argument(), queries, keys, group, scale);
  };
  if constexpr (IsRagged) run(gpu.upload(starts), gpu.upload(key_starts));
  else run(sequences[0].queries, sequences[0].keys);
  CAPTURE(longest);
  CAPTURE(most_keys);
  CHECK(worst_of<T>(d_q.read(), exact.q, exact.q_size) <= 1);
  CHECK(worst_of<T>(d_k.read(), exact.k, exact.k_size) <= 1);
  CHECK(worst_of<T>(d_v.read(), exact.v, exact.v_size) <= 1);
}

template <class T, int Size, attention_options Options, int Sm = 80> void check(const shape& s) {
  check_gradients<T, Size, Options, Sm, false>(std::vector<shape>(s.batch, s), s.heads, s.group);
}

/// The next case of attention_gradient_values.txt, whose inputs attention_gradient_values.py makes by the same rule.
template <class T, int Size, attention_options Options> double check_next(std::istream& values) {
  unsigned size = 0, is_causal = 0, shared_heads = 0;
  shape s{0, 0};
  values >> std::dec >> size >> is_causal >> s.queries >> s.keys >> s.heads >> shared_heads >> s.batch;
  REQUIRE(size == Size);
  REQUIRE((is_causal != 0) == Options.causal);
  s.group = s.heads / shared_heads;
  const unsigned rows = s.batch * s.queries, key_rows = s.batch * s.keys, width = s.heads * Size,
                 key_width = shared_heads * Size;
  tg::device gpu;
  tiles::on_device<T> q(gpu, ruled<T>(0, rows, width)), k(gpu, ruled<T>(100000, key_rows, key_width)),
      v(gpu, ruled<T>(200000, key_rows, key_width)), d_o(gpu, ruled<T>(300000, rows, width)),
      o(gpu, tiles::matrix<T>(rows, width)), d_q(gpu, tiles::matrix<T>(rows, width)),
      d_k(gpu, tiles::matrix<T>(key_rows, key_width)), d_v(gpu, tiles::matrix<T>(key_rows, key_width));
  tiles::on_device<float> log_sums(gpu, tiles::matrix<float>(s.heads, rows)), delta(gpu, tiles::matrix<float>(s.heads, rows));
  using namespace tg::kernels;
  constexpr auto& forward = attention_tiles<T, Size, Options, 80, tg::out2<float>>;
  gpu.launch(forward, attention_tiles_grid(forward, s.queries, s.heads, s.batch), q.argument(), k.argument(), v.argument(),
             o.argument(), s.queries, s.keys, s.group, 0.125f, log_sums.argument());
  gpu.launch(attention_deltas<T, Size>, attention_deltas_grid(rows, s.heads), o.argument(), d_o.argument(), delta.argument(),
             rows);
  gpu.launch(attention_query_gradient<T, Size, Options>, attention_gradient_grid(s.queries, s.heads, s.batch), q.argument(),
             k.argument(), v.argument(), d_o.argument(), log_sums.argument(), delta.argument(), d_q.argument(), s.queries,
             s.keys, s.group, 0.125f);
  gpu.launch(attention_key_gradient<T, Size, Options>, attention_gradient_grid(s.keys, shared_heads, s.batch), q.argument(),
             k.argument(), v.argument(), d_o.argument(), log_sums.argument(), delta.argument(), d_k.argument(), d_v.argument(),
             s.queries, s.keys, s.group, 0.125f);
  tiles::excess excess;
  std::uint32_t bits = 0;
  for (auto* result : {&d_q, &d_k, &d_v}) {
    const tiles::matrix<T> found = result->read();
    std::vector<double> wanted;
    double largest = 0;
    for (unsigned i = 0; i < found.rows * found.columns; ++i) {
      REQUIRE(static_cast<bool>(values >> std::hex >> bits));
      wanted.push_back(static_cast<double>(std::bit_cast<float>(bits)));
      largest = std::max(largest, std::abs(wanted.back()));
    }
    for (unsigned i = 0; i < found.rows * found.columns; ++i)
      excess(found(i / found.columns, i % found.columns), wanted[i], 4 * unit<T> * largest);
  }
  return excess.worst;
}

}  // namespace

TEST_CASE("gradients of attention to all keys") {
  for (const unsigned n : {1u, 63u, 64u, 65u, 131u}) check<tg::bf16, 64, all>({n, n});
  check<tg::f16, 128, all>({67, 129});
  check<tg::bf16, 96, causal>({67, 70, 2, 1, 1});
}
TEST_CASE("gradients of causal attention, with fewer and with more queries than keys") {
  check<tg::bf16, 64, causal>({129, 129});
  check<tg::bf16, 64, causal>({33, 101});
  check<tg::bf16, 64, causal>({101, 33});
}
TEST_CASE("gradients of attention through a window") { check<tg::bf16, 64, last<37>>({131, 151}); }
TEST_CASE("gradients of heads that share keys, in a batch") { check<tg::bf16, 64, causal>({67, 67, 4, 2, 2}); }
TEST_CASE("gradients of sequences of different lengths, one of them empty") {
  check_gradients<tg::bf16, 64, causal, 80, true>({{65, 65}, {1, 130}, {0, 0}, {70, 7}}, 2, 1);
}
TEST_CASE("gradients by the warpgroups of sm_90") {
  check<tg::bf16, 64, causal, 90>({129, 131, 2, 2});
  check<tg::bf16, 128, all, 90>({65, 63});
}
TEST_CASE("gradients are what PyTorch computes") {
  std::ifstream values("tests/kernels/attention_gradient_values.txt");
  REQUIRE(values.is_open());
  CHECK(check_next<tg::f16, 64, causal>(values) <= 1);
  CHECK(check_next<tg::bf16, 64, all>(values) <= 1);
}
