#include <kernels/dequantising_gemm.hpp>

#include <bit>
#include <cstring>

#include <kernels/gemm.hpp>

#include "../random_seed.hpp"
#include "../tile/tiles.hpp"

namespace {

using namespace tg::kernels;

/// Weights on the device in a format, and what they stand for, in double.
struct q8_0_case {
  using format = q8_0_weights;
  tiles::matrix<double> exact;
  tiles::matrix<std::int8_t> q;
  tiles::matrix<tg::f16> d;

  q8_0_case(unsigned n, unsigned k, std::mt19937& random) : exact(n, k, 1), q(n, k, 16), d((k + 31) / 32, n) {
    for (unsigned g = 0; g < d.rows; ++g)
      for (unsigned r = 0; r < n; ++r) d(g, r) = tg::f16(0.001f + 0.01f * float(random() % 1000) / 1000);
    for (unsigned r = 0; r < n; ++r)
      for (unsigned c = 0; c < k; ++c) {
        q(r, c) = static_cast<std::int8_t>(random());
        exact(r, c) = double(q(r, c)) * double(d(c / 32, r));
      }
  }
  template <class Run> void launch(tg::device& gpu, const Run& run) const {
    tiles::on_device<std::int8_t> on_q(gpu, q);
    tiles::on_device<tg::f16> on_d(gpu, d);
    run(on_q.argument(), on_d.argument());
  }
};

template <int Group> struct w4a16_case {
  using format = w4a16_weights<Group>;
  tiles::matrix<double> exact;
  tiles::matrix<unsigned> words;
  tiles::matrix<tg::f16> scales;

  w4a16_case(unsigned n, unsigned k, std::mt19937& random)
      : exact(n, k, 1), words((k + 7) / 8, n, 4), scales((k + Group - 1) / Group, n) {
    for (unsigned g = 0; g < scales.rows; ++g)
      for (unsigned r = 0; r < n; ++r) scales(g, r) = tg::f16(0.01f + 0.1f * float(random() % 1000) / 1000);
    for (unsigned w = 0; w < words.rows; ++w)
      for (unsigned r = 0; r < n; ++r) {
        words(w, r) = static_cast<unsigned>(random());
        for (unsigned j = 0; j < 8 && w * 8 + j < k; ++j)
          exact(r, w * 8 + j) = (double(words(w, r) >> (4 * j) & 15) - 8) * double(scales((w * 8 + j) / Group, r));
      }
  }
  template <class Run> void launch(tg::device& gpu, const Run& run) const {
    tiles::on_device<unsigned> on_words(gpu, words);
    tiles::on_device<tg::f16> on_scales(gpu, scales);
    run(on_words.argument(), on_scales.argument());
  }
};

/// Blocks of 144 bytes; the layout is written here again, so that it judges the kernel's.
struct q4k_case {
  using format = q4k_weights;
  tiles::matrix<double> exact;
  tiles::matrix<unsigned> words, heads, quants;

  q4k_case(unsigned n, unsigned k, std::mt19937& random)
      : exact(n, k, 1), words(n, k / 256 * 36, 4), heads(k / 64, n, 4), quants(n, k / 8, 4) {
    for (unsigned r = 0; r < n; ++r)
      for (unsigned b = 0; b < k / 256; ++b) {
        unsigned char block[144];
        for (auto& byte : block) byte = static_cast<unsigned char>(random());
        const tg::f16 d(0.0005f + 0.001f * float(random() % 1000) / 1000), least(0.0005f * float(random() % 1000) / 1000);
        std::memcpy(block, &d, 2);
        std::memcpy(block + 2, &least, 2);
        std::memcpy(&words(r, b * 36), block, 144);
        const unsigned char* s = block + 4;
        for (unsigned g = 0; g < 8; ++g) {
          const int scale = g < 4 ? s[g] & 63 : (s[g + 4] & 15) | (s[g - 4] >> 6) << 4;
          const int minimum = g < 4 ? s[g + 4] & 63 : s[g + 4] >> 4 | (s[g] >> 6) << 4;
          for (unsigned j = 0; j < 32; ++j) {
            const int nibble = block[16 + g / 2 * 32 + j] >> (4 * (g % 2)) & 15;
            exact(r, b * 256 + g * 32 + j) = double(d) * scale * nibble - double(least) * minimum;
          }
        }
      }
    split_q4k(words.elements, n, k, heads.leading, heads.elements, quants.elements);
  }
  template <class Run> void launch(tg::device& gpu, const Run& run) const {
    tiles::on_device<unsigned> on_heads(gpu, heads), on_quants(gpu, quants);
    run(on_heads.argument(), on_quants.argument());
  }
};

template <class Case, class T, int Tokens, int Sm = 80, int Split = 1>
void check_dequantising(unsigned m, unsigned n, unsigned k) {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const Case weights(n, k, random);
  const tiles::matrix<T> x(m, k, random);
  tiles::on_device<T> dx(gpu, x), dc(gpu, tiles::matrix<T>(m, n));
  weights.launch(gpu, [&](const auto&... w) {
    if constexpr (Split == 1) {
      gpu.launch(dequantising_gemm<typename Case::format, T, Tokens, Sm>, dequantising_grid<Tokens>(m, n), dx.argument(),
                 dc.argument(), m, n, k, w...);
    } else {
      tiles::on_device<float> parts(gpu, tiles::matrix<float>(Split * m, n, 4));
      gpu.launch(dequantising_parts<typename Case::format, T, Split, Tokens, Sm>, dequantising_grid<Tokens>(m, n, Split),
                 dx.argument(), parts.argument(), m, n, k, w...);
      gpu.launch(gemm_join<gemm_options{.split = Split}, T>(gemm_sums), gemm_join_grid(m, n), parts.argument(), dc.argument(),
                 m, n);
    }
  });
  const tiles::matrix<T> c = dc.read();
  tiles::excess excess;
  for (unsigned r = 0; r < m; ++r)
    for (unsigned j = 0; j < n; ++j) {
      double sum = 0, size = 0;
      for (unsigned d = 0; d < k; ++d) {
        const double term = x(r, d) * weights.exact(j, d);
        sum += term, size += std::abs(term);
      }
      // Each weight is rounded to T.
      excess(c(r, j), sum, tiles::rounding<T>(sum) + (tiles::unit<T> + k * 0x1p-23) * size);
    }
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CHECK(excess.worst <= 1);
}

}  // namespace

TEST_CASE("weights of Q8_0") {
  check_dequantising<q8_0_case, tg::bf16, 64>(65, 127, 97);
  check_dequantising<q8_0_case, tg::f16, 16>(1, 64, 64);
  check_dequantising<q8_0_case, tg::bf16, 64, 90>(65, 65, 160);
}
TEST_CASE("weights of 4 bits in groups") {
  check_dequantising<w4a16_case<128>, tg::f16, 64>(63, 129, 264);
  check_dequantising<w4a16_case<32>, tg::bf16, 128>(129, 65, 72);
  check_dequantising<w4a16_case<64>, tg::bf16, 16>(3, 67, 129);
  check_dequantising<w4a16_case<128>, tg::bf16, 64, 90>(65, 65, 160);
}
TEST_CASE("few tokens, in parts of the depth") {
  check_dequantising<w4a16_case<128>, tg::bf16, 16, 80, 4>(16, 65, 520);
  check_dequantising<w4a16_case<128>, tg::f16, 16, 80, 4>(1, 129, 65);  // two parts have nothing
  check_dequantising<q8_0_case, tg::bf16, 64, 90, 3>(17, 64, 320);
  check_dequantising<q4k_case, tg::bf16, 16, 80, 2>(3, 67, 768);
}
TEST_CASE("weights in blocks of Q4_K") {
  check_dequantising<q4k_case, tg::bf16, 64>(67, 131, 512);
  check_dequantising<q4k_case, tg::f16, 16>(1, 1, 256);
  check_dequantising<q4k_case, tg::bf16, 64, 90>(65, 65, 512);
}
