#include <kernels/attention_tiles.hpp>

#include <bit>
#include <cstdint>
#include <fstream>

#include "../gpu_machine.hpp"
#include "../random_seed.hpp"
#include "attentions.hpp"

namespace {

using namespace attentions;

// Sequences of one length.
template <class T, int Size, attention_options Options, int Sm = 80> double check_attention(const shape& s) {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const unsigned width = s.heads * Size, key_width = s.heads / s.group * Size;
  const tiles::matrix<T> q(s.batch * s.queries, width, random), k(s.batch * s.keys, key_width, random),
      v(s.batch * s.keys, key_width, random);
  tiles::on_device<T> dq(gpu, q), dk(gpu, k), dv(gpu, v), d_out(gpu, tiles::matrix<T>(s.batch * s.queries, width));
  const float scale = 1 / std::sqrt(float(Size));
  constexpr auto& kernel = tg::kernels::attention_tiles<T, Size, Options, Sm>;
  gpu.launch(kernel, tg::kernels::attention_tiles_grid(kernel, s.queries, s.heads, s.batch), dq.argument(), dk.argument(),
             dv.argument(), d_out.argument(), s.queries, s.keys, s.group, scale);
  const tiles::matrix<T> o = d_out.read();
  tiles::excess excess;
  for (unsigned b = 0; b < s.batch; ++b) check_sequence<Size, T>(excess, Options, s, b * s.queries, b * s.keys, q, k, v, o, 0);
  return excess.worst;
}

// Sequences of different lengths, with the logarithms of their sums.
template <class T, int Size, attention_options Options, int Sm = 80>
double check_ragged(const std::vector<shape>& sequences, unsigned heads, unsigned group) {
  tg::device gpu;
  std::mt19937 random(random_seed());
  std::vector<unsigned> starts{0}, key_starts{0};
  unsigned longest = 0;
  for (const shape& s : sequences) {
    starts.push_back(starts.back() + s.queries);
    key_starts.push_back(key_starts.back() + s.keys);
    longest = std::max(longest, s.queries);
  }
  const unsigned rows = starts.back(), width = heads * Size, key_width = heads / group * Size;
  const tiles::matrix<T> q(rows, width, random), k(key_starts.back(), key_width, random),
      v(key_starts.back(), key_width, random);
  tiles::on_device<T> dq(gpu, q), dk(gpu, k), dv(gpu, v), d_out(gpu, tiles::matrix<T>(rows, width));
  auto log_sums = gpu.upload(std::vector<float>(std::size_t{heads} * rows, 777.0f));
  const float scale = 1 / std::sqrt(float(Size));
  constexpr auto& kernel = tg::kernels::attention_ragged<T, Size, Options, Sm, tg::out2<float>>;
  gpu.launch(kernel, tg::kernels::attention_tiles_grid(kernel, longest, heads, static_cast<unsigned>(sequences.size())),
             dq.argument(), dk.argument(), dv.argument(), d_out.argument(), gpu.upload(starts), gpu.upload(key_starts), group,
             scale, tg::matrix(log_sums, heads, rows));
  const tiles::matrix<T> o = d_out.read();
  const std::vector<float> sums = log_sums.to_host();
  tiles::excess excess;
  for (std::size_t n = 0; n < sequences.size(); ++n) {
    const shape s{sequences[n].queries, sequences[n].keys, heads, group, 1};
    check_sequence<Size, T>(excess, Options, s, starts[n], key_starts[n], q, k, v, o,
                            [&](unsigned h, unsigned r) { return double(sums[std::size_t{h} * rows + r]); });
  }
  return excess.worst;
}

/// The next case of attention_values.txt, whose inputs attention_values.py makes by the same rule.
template <class T, int Size, attention_options Options> double check_next(std::istream& values) {
  unsigned size = 0, is_causal = 0, shared_heads = 0;
  shape s{0, 0};
  values >> std::dec >> size >> is_causal >> s.queries >> s.keys >> s.heads >> shared_heads >> s.batch;
  REQUIRE(size == Size);
  REQUIRE((is_causal != 0) == Options.causal);
  s.group = s.heads / shared_heads;
  tg::device gpu;
  tiles::on_device<T> q(gpu, ruled<T>(0, s.batch * s.queries, s.heads * Size)),
      k(gpu, ruled<T>(100000, s.batch * s.keys, shared_heads * Size)),
      v(gpu, ruled<T>(200000, s.batch * s.keys, shared_heads * Size)),
      o(gpu, tiles::matrix<T>(s.batch * s.queries, s.heads * Size));
  constexpr auto& kernel = tg::kernels::attention_tiles<T, Size, Options>;
  gpu.launch(kernel, tg::kernels::attention_tiles_grid(kernel, s.queries, s.heads, s.batch), q.argument(), k.argument(),
             v.argument(), o.argument(), s.queries, s.keys, s.group, 0.125f);
  const tiles::matrix<T> found = o.read();
  tiles::excess excess;
  std::uint32_t bits = 0;
  for (unsigned r = 0; r < found.rows; ++r)
    for (unsigned c = 0; c < found.columns; ++c) {
      REQUIRE(static_cast<bool>(values >> std::hex >> bits));
      // Weights and the result are rounded to T; values lie between -2 and 2.
      excess(found(r, c), std::bit_cast<float>(bits), 4 * unit<T>);
    }
  return excess.worst;
}

}  // namespace

TEST_CASE("attention in tiles") {
  CHECK(check_attention<tg::bf16, 64, all>({128, 64, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 64, all>({127, 65, 2, 2, 2}) <= 1);
  CHECK(check_attention<tg::bf16, 64, all>({1, 1, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::f16, 128, all>({65, 131, 2, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 256, all>({65, 67, 1, 1, 1}) <= 1);
}

TEST_CASE("causal attention in tiles, with fewer and with more keys than queries") {
  CHECK(check_attention<tg::bf16, 64, causal>({129, 129, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 64, causal>({67, 131, 2, 1, 2}) <= 1);
  CHECK(check_attention<tg::bf16, 64, causal>({100, 50, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::f16, 128, causal>({64, 63, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::f16, 256, causal>({64, 97, 1, 1, 1}) <= 1);
}

TEST_CASE("causal attention to the last keys alone") {
  CHECK(check_attention<tg::bf16, 64, last<1>>({131, 131, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 64, last<64>>({131, 257, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 64, last<100>>({200, 150, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::f16, 128, last<65>>({129, 129, 1, 1, 1}) <= 1);
}

TEST_CASE("heads whose size is no power of two") {
  CHECK(check_attention<tg::bf16, 80, causal>({67, 131, 2, 1, 2}) <= 1);
  CHECK(check_attention<tg::f16, 96, all>({65, 64, 4, 2, 1}) <= 1);
  CHECK(check_attention<tg::f16, 16, causal>({130, 65, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 96, causal, 90>({33, 70, 2, 1, 1}) <= 1);
}

TEST_CASE("the same text by the warpgroups of sm_90") {
  CHECK(check_attention<tg::bf16, 64, all, 90>({127, 65, 2, 2, 2}) <= 1);
  CHECK(check_attention<tg::bf16, 64, causal, 90>({67, 131, 2, 1, 2}) <= 1);
  CHECK(check_attention<tg::f16, 128, causal, 90>({64, 63, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 256, last<70>, 90>({65, 131, 1, 1, 1}) <= 1);
}

TEST_CASE("a producer fetches keys and values at sm_90") {
  constexpr attention_options every{.producer = true}, causal{.causal = true, .producer = true},
      window{.causal = true, .window = 70, .producer = true};
  CHECK(check_attention<tg::bf16, 64, every, 90>({127, 65, 2, 2, 2}) <= 1);
  CHECK(check_attention<tg::bf16, 64, every, 90>({1, 1, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 64, causal, 90>({67, 131, 2, 1, 2}) <= 1);
  CHECK(check_attention<tg::f16, 128, causal, 90>({64, 63, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 256, window, 90>({65, 131, 1, 1, 1}) <= 1);
  CHECK(check_attention<tg::bf16, 64, every>({65, 65, 1, 1, 1}) <= 1);
  CHECK(check_ragged<tg::bf16, 64, causal, 90>({{129, 131}, {1, 5}}, 2, 1) <= 1);
}

TEST_CASE("attention to sequences of different lengths, with the logarithms of their sums") {
  CHECK(check_ragged<tg::bf16, 64, all>({{1, 1}, {130, 65}, {64, 200}, {0, 3}, {7, 1}}, 2, 1) <= 1);
  CHECK(check_ragged<tg::bf16, 64, causal>({{129, 129}, {40, 20}, {5, 77}}, 2, 2) <= 1);
  CHECK(check_ragged<tg::f16, 128, last<33>>({{65, 65}, {3, 100}}, 1, 1) <= 1);
  CHECK(check_ragged<tg::bf16, 64, causal, 90>({{129, 131}, {1, 5}}, 2, 1) <= 1);
}

TEST_CASE("sequences whose starts do not ascend are named by a checker, and so are rows that no number has") {
  constexpr auto& kernel = tg::kernels::attention_ragged<tg::bf16, 64, all, 80, tg::out2<float>>;
  const auto code_of = [](const std::vector<unsigned>& starts) {
    tg::device gpu;
    tiles::on_device<tg::bf16> q(gpu, tiles::matrix<tg::bf16>(192, 64)), k(gpu, tiles::matrix<tg::bf16>(192, 64)),
        v(gpu, tiles::matrix<tg::bf16>(192, 64)), o(gpu, tiles::matrix<tg::bf16>(192, 64));
    auto log_sums = gpu.zeros<float>(192);
    try {
      gpu.launch(kernel, tg::kernels::attention_tiles_grid(kernel, 128, 1, 2), q.argument(), k.argument(), v.argument(),
                 o.argument(), gpu.upload(starts), gpu.upload(std::vector<unsigned>{0, 64, 192}), 1u, 1.0f,
                 tg::matrix(log_sums, 1, 192));
      (void)o.read();
    } catch (const tg::error& e) { return e.number(); }
    return 0;
  };
  CHECK(code_of({0, 128, 192}) == 0);
  CHECK(code_of({0, 0, 128}) == 0);
  if (gpu_machine::is_asked()) return;
  CHECK(code_of({0, 128, 127}) == 464);
  CHECK(code_of({0xffffff81, 0xffffff81, 0xffffff81}) == 464);
}

TEST_CASE("attention in tiles is what PyTorch computes") {
  std::ifstream values("tests/kernels/attention_values.txt");
  REQUIRE(values.is_open());
  CHECK(check_next<tg::bf16, 64, causal>(values) <= 1);
  CHECK(check_next<tg::f16, 128, all>(values) <= 1);
  CHECK(check_next<tg::bf16, 128, causal>(values) <= 1);
}
