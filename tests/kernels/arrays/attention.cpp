#include <kernels/arrays/attention.hpp>

#include <kernels/reference/attention_gradients.hpp>

#include "../attentions.hpp"
#include "../inputs.hpp"
#include "refusals.hpp"

namespace {

using attentions::shape;
using refusals::code_of_error;
using tg::kernels::attention_options;
namespace reference = tg::kernels::reference;

/// Rows of positions with their heads on the host.
template <class T> struct rows {
  unsigned columns;
  std::vector<T> elements;

  rows(inputs::generator& random, unsigned height, unsigned columns)
      : columns(columns), elements(std::size_t{height} * columns) {
    std::normal_distribution<float> normal;
    for (T& x : elements) x = T(normal(random.engine));
  }
  double operator()(unsigned r, unsigned c) const { return static_cast<double>(elements[std::size_t{r} * columns + c]); }
};
template <class T> struct host_operands {
  rows<T> q, k, v, d_out;

  host_operands(inputs::generator& random, const shape& s, unsigned size)
      : q(random, s.batch * s.queries, s.heads * size),
        k(random, s.batch * s.keys, s.heads / s.group * size),
        v(random, s.batch * s.keys, s.heads / s.group * size),
        d_out(random, s.batch * s.queries, s.heads * size) {}
};
template <class T> struct device_operands {
  tg::array<T, 4> q, k, v, d_out;

  device_operands(const tg::device& gpu, const host_operands<T>& host, const shape& s, unsigned size)
      : q(gpu, {s.batch, s.queries, s.heads, size}, host.q.elements),
        k(gpu, {s.batch, s.keys, s.heads / s.group, size}, host.k.elements),
        v(gpu, {s.batch, s.keys, s.heads / s.group, size}, host.v.elements),
        d_out(gpu, {s.batch, s.queries, s.heads, size}, host.d_out.elements) {}
};

/// The largest error of a result, relative to what it may be.
template <int Size, class T>
double worst_of(const std::vector<T>& out, const std::vector<float>& log_sums, const host_operands<T>& x,
                const attention_options& options, const shape& s) {
  tiles::excess excess;
  const unsigned width = s.heads * Size, all = s.batch * s.queries;
  REQUIRE(out.size() == std::size_t{all} * width);
  const auto o = [&](unsigned r, unsigned c) { return static_cast<double>(out[std::size_t{r} * width + c]); };
  const auto sums = [&](unsigned h, unsigned r) { return double(log_sums[std::size_t{h} * all + r]); };
  for (unsigned b = 0; b < s.batch; ++b) {
    if (log_sums.empty())
      attentions::check_sequence<Size, T>(excess, options, s, b * s.queries, b * s.keys, x.q, x.k, x.v, o, 0);
    else attentions::check_sequence<Size, T>(excess, options, s, b * s.queries, b * s.keys, x.q, x.k, x.v, o, sums);
  }
  return excess.worst;
}

template <class T, int Size, int Named, unsigned Window> void check(bool is_causal, const shape& s) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", queries ", s.queries, ", keys ", s.keys);
  const host_operands<T> host(random, s, Size);
  const device_operands<T> x(gpu, host, s, Size);
  const auto out = tg::attention<Named, Window>(x.q, x.k, x.v, {.causal = is_causal});
  CHECK(out.shape() == x.q.shape());
  CHECK(worst_of<Size, T>(out.to_host(), {}, host, {.causal = is_causal, .window = Window}, s) <= 1);
}

/// The largest error of a gradient, relative to what it may be.
template <class T, int Rank>
double worst_of(const tg::array<T, Rank>& found, const reference::table& wanted, const reference::table& size) {
  tiles::excess excess;
  const auto host = found.to_host();
  REQUIRE(host.size() == wanted.elements.size());
  for (std::size_t i = 0; i < host.size(); ++i)
    excess(static_cast<double>(host[i]), wanted.elements[i],
           reference::attention_gradients::bound(wanted, size, i, attentions::unit<T>));
  return excess.worst;
}

template <class T, int Size, int Named> void check_gradients(bool is_causal, const shape& s) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", queries ", s.queries, ", keys ", s.keys);
  const host_operands<T> host(random, s, Size);
  const device_operands<T> x(gpu, host, s, Size);
  const tg::attention_call call{.causal = is_causal};
  const attention_options options{.causal = is_causal};
  const auto forward = tg::attention_with_log_sums<Named>(x.q, x.k, x.v, call);
  const auto out = forward.out.to_host();
  CHECK(worst_of<Size, T>(out, forward.log_sums.to_host(), host, options, s) <= 1);
  const auto slopes = tg::attention_gradients<Named>(x.q, x.k, x.v, forward, x.d_out, call);
  CHECK(slopes.k.shape() == x.k.shape());
  const unsigned width = s.heads * Size;
  reference::attention_gradients exact(s.batch * s.queries, width, s.batch * s.keys, s.heads / s.group * Size);
  for (unsigned b = 0; b < s.batch; ++b)
    for (unsigned h = 0; h < s.heads; ++h)
      reference::add_attention_gradients(
          exact, options, s, Size, b * s.queries, b * s.keys, h, host.q, host.k, host.v, host.d_out,
          [&](unsigned r, unsigned c, double) { return static_cast<double>(out[std::size_t{r} * width + c]); },
          [](unsigned, double, double) {});
  CHECK(worst_of(slopes.q, exact.q, exact.q_size) <= 1);
  CHECK(worst_of(slopes.k, exact.k, exact.k_size) <= 1);
  CHECK(worst_of(slopes.v, exact.v, exact.v_size) <= 1);
}

}  // namespace

TEST_CASE("attention of arrays: sizes that fit blocks and others, shared heads, causal or not") {
  check<tg::bf16, 64, 0, 0>(false, {1, 1});
  check<tg::bf16, 64, 0, 0>(false, {129, 67, 4, 2, 2});
  check<tg::bf16, 64, 0, 0>(true, {61, 130, 2, 1, 2});
  check<tg::bf16, 128, 0, 0>(true, {65, 31, 2, 2, 1});
}
TEST_CASE("attention with a named size of heads and a window") {
  check<tg::f16, 32, 32, 0>(false, {33, 65, 3, 1, 2});
  check<tg::f16, 64, 64, 17>(true, {67, 67, 2, 1, 1});
}
TEST_CASE("gradients of attention") {
  check_gradients<tg::bf16, 64, 64>(true, {67, 71, 4, 2, 2});
  check_gradients<tg::bf16, 64, 64>(false, {1, 65});
}

TEST_CASE("one sequence, a transposed layout, an expression and a scale") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const shape s{19, 23, 2, 1, 1};
  const host_operands<tg::bf16> host(random, s, 64);
  const device_operands<tg::bf16> x(gpu, host, s, 64);
  const auto wanted = tg::attention<64>(x.q, x.k, x.v).to_host();
  const auto is_wanted = [&](const std::vector<tg::bf16>& out) {
    return out.size() == wanted.size() && std::memcmp(out.data(), wanted.data(), out.size() * sizeof(tg::bf16)) == 0;
  };
  const auto one = [&](const tg::array<tg::bf16, 4>& a) { return a(0, tg::full_extent, tg::full_extent, tg::full_extent); };
  CHECK(is_wanted(tg::attention<64>(one(x.q), one(x.k), one(x.v)).to_host()));
  // PyTorch's layout: heads in front of positions.
  const tg::array<tg::bf16, 4> heads_first = tg::permute<0, 2, 1, 3>(x.q);
  CHECK(is_wanted(tg::attention<64>(heads_first.permute<0, 2, 1, 3>(), x.k, x.v, {.scale = 0.125f}).to_host()));
  const tg::array<float, 4> wide = tg::cast<float>(x.q) * 0.5f;
  CHECK(is_wanted(tg::attention<64>(tg::cast<tg::bf16>(wide), x.k, x.v, {.scale = 0.25f}).to_host()));
}

TEST_CASE("no keys give zeros, no queries nothing") {
  tg::device gpu;
  const tg::array<tg::bf16, 3> q(gpu, {3, 2, 64}), none(gpu, {0, 1, 64}), some(gpu, {5, 1, 64}, std::vector<tg::bf16>(320));
  const auto f = tg::attention_with_log_sums<64>(q, none, none);
  CHECK(f.log_sums.to_host() == std::vector<float>(6, -INFINITY));
  for (const tg::bf16 x : f.out.to_host()) CHECK(static_cast<float>(x) == 0);
  const auto slopes = tg::attention_gradients<64>(q, none, none, f, q);
  for (const tg::bf16 x : slopes.q.to_host()) CHECK(static_cast<float>(x) == 0);
  const tg::array<tg::bf16, 3> nothing(gpu, {0, 2, 64});
  CHECK(tg::attention<64>(nothing, some, some).size() == 0);
}

TEST_CASE("operands that do not belong together are refused") {
  tg::device gpu;
  const auto make = [&](std::int64_t positions, std::int64_t heads, std::int64_t size) {
    return tg::array<tg::bf16, 3>(gpu, {positions, heads, size},
                                  std::vector<tg::bf16>(static_cast<std::size_t>(positions * heads * size)));
  };
  const auto q = make(5, 4, 64), k = make(7, 2, 64), shorter = make(6, 2, 64), three = make(7, 3, 64), wide = make(7, 2, 128);
  CHECK(code_of_error([&] { tg::attention<64>(q, k, shorter); }) == 700);
  CHECK(code_of_error([&] { tg::attention<64>(q, three, three); }) == 700);
  CHECK(code_of_error([&] { tg::attention<64>(q, wide, wide); }) == 700);
  CHECK(code_of_error([&] { tg::attention<128>(q, k, k); }) == 705);
  CHECK(code_of_error([&] { tg::attention<64>(q, k, k, {.scale = -0.5f}); }) == 705);
  CHECK(code_of_error([&] { tg::attention<64>(q, k, k, {.scale = std::numeric_limits<float>::infinity()}); }) == 705);
  CHECK(code_of_error([&] { tg::attention<64, 17>(q, k, k); }) == 705);
  CHECK(code_of_error([&] { tg::attention(make(5, 4, 96), make(7, 2, 96), make(7, 2, 96)); }) == 705);
  const auto f = tg::attention_with_log_sums<64>(make(4, 4, 64), k, k);
  CHECK(code_of_error([&] { tg::attention_gradients<64>(q, k, k, f, q); }) == 700);
}
