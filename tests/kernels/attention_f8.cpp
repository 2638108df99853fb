#include <kernels/attention_f8.hpp>

#include "../random_seed.hpp"
#include "attentions.hpp"

namespace {

using namespace attentions;
using f8 = tg::f8e4m3;

/// The number that a T holds after it has been rounded to 8 bits.
double rounded(double x) { return static_cast<double>(f8(static_cast<float>(x))); }

/// Values of a batch as `attention_values` stands them in rows.
template <class T, int Size> tiles::matrix<f8> stand(tg::device& gpu, const shape& s, tiles::on_device<T>& v, float factor) {
  const unsigned heads = s.heads / s.group;
  tiles::on_device<f8> values(gpu, tiles::matrix<f8>(s.batch * heads * Size, s.keys, 16));
  gpu.launch(tg::kernels::attention_values<T>, tg::kernels::attention_values_grid(s.keys, heads * Size, s.batch), v.argument(),
             values.argument(), s.keys, heads * Size, factor);
  return values.read();
}

template <class T, int Size> void check_values(const shape& s) {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const unsigned heads = s.heads / s.group;
  const tiles::matrix<T> v(s.batch * s.keys, heads * Size, random);
  tiles::on_device<T> dv(gpu, v);
  const tiles::matrix<f8> found = stand<T, Size>(gpu, s, dv, 4.0f);
  std::size_t wrong = 0;
  for (unsigned b = 0; b < s.batch; ++b)
    for (unsigned c = 0; c < heads * Size; ++c)
      for (unsigned j = 0; j < s.keys; ++j) wrong += found(b * heads * Size + c, j) != rounded(4 * v(b * s.keys + j, c));
  CAPTURE(s.keys);
  CHECK(wrong == 0);
}

/// `mistake`: a factor of the scale that the kernel is given.
template <class Out, int Size, attention_options Options, int Sm = 80>
double check_attention(const shape& s, float mistake = 1) {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const unsigned width = s.heads * Size, heads = s.heads / s.group, key_width = heads * Size;
  const tiles::matrix<f8> q(s.batch * s.queries, width, random, 16), k(s.batch * s.keys, key_width, random, 16);
  const tiles::matrix<Out> v(s.batch * s.keys, key_width, random);
  tiles::on_device<Out> dv(gpu, v), d_out(gpu, tiles::matrix<Out>(s.batch * s.queries, width));
  const tiles::matrix<f8> values = stand<Out, Size>(gpu, s, dv, 2.0f);
  tiles::on_device<f8> dq(gpu, q), dk(gpu, k), d_values(gpu, values);
  auto log_sums = gpu.upload(std::vector<float>(std::size_t{s.heads} * s.batch * s.queries, 777.0f));
  constexpr auto& kernel = tg::kernels::attention_f8<Out, Size, Options, Sm, tg::out2<float>>;
  gpu.launch(kernel, tg::kernels::attention_tiles_grid(kernel, s.queries, s.heads, s.batch), dq.argument(), dk.argument(),
             d_values.argument(), d_out.argument(), s.queries, s.keys, s.group, mistake / std::sqrt(float(Size)), 0.5f,
             tg::matrix(log_sums, s.heads, s.batch * s.queries));
  const tiles::matrix<Out> o = d_out.read();
  const std::vector<float> sums = log_sums.to_host();
  tiles::excess excess;
  for (unsigned b = 0; b < s.batch; ++b) {
    const auto value = [&](unsigned j, unsigned c) { return 0.5 * values(b * key_width + c, j - b * s.keys); };
    const auto log_sum = [&](unsigned h, unsigned r) { return double(sums[std::size_t{h} * s.batch * s.queries + r]); };
    check_sequence<Size, f8, Out>(excess, Options, s, b * s.queries, b * s.keys, q, k, value, o, log_sum, Sm >= 90);
  }
  return excess.worst;
}

}  // namespace

TEST_CASE("values stand in rows, rounded to 8 bits") {
  check_values<tg::bf16, 64>({1, 64, 2, 1, 2});
  check_values<tg::bf16, 64>({1, 63, 2, 2, 1});
  check_values<tg::f16, 128>({1, 131, 1, 1, 1});
  check_values<tg::bf16, 80>({1, 65, 3, 1, 2});
  check_values<tg::f16, 32>({1, 1, 1, 1, 1});
}

TEST_CASE("attention of 8-bit floats") {
  CHECK(check_attention<tg::bf16, 64, all>({128, 64, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 64, all>({127, 65, 2, 2, 2}) <= 1);
  CHECK(check_attention<tg::f16, 64, all>({1, 1, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::f16, 128, all>({65, 131, 2, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 256, all>({65, 67, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 80, all>({33, 97, 2, 1, 1}) <= 1);
}

TEST_CASE("causal attention of 8-bit floats, and to the last keys alone") {
  CHECK(check_attention<tg::bf16, 64, causal>({129, 257, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::f16, 64, causal>({100, 50, 2, 2, 2}) <= 1);
  CHECK(check_attention<tg::bf16, 64, last<65>>({131, 263, 2, 1, 1}) <= 1);
  CHECK(check_attention<tg::f16, 128, last<1>>({67, 67, 1, 1, 1}) <= 1);
}

TEST_CASE("attention of 8-bit floats by the warpgroups of sm_90") {
  CHECK(check_attention<tg::bf16, 64, all, 90>({127, 65, 2, 2, 2}) <= 1);
  CHECK(check_attention<tg::bf16, 64, causal, 90>({131, 257, 2, 1, 1}) <= 1);
  CHECK(check_attention<tg::f16, 128, last<70>, 90>({65, 131, 1, 1, 2}) <= 1);
}

TEST_CASE("a scale that is wrong by an eighth is found") {
  CHECK(check_attention<tg::bf16, 64, all>({64, 64, 1, 1, 1}, 1.125f) > 1);
}
