#include <kernels/q4k_matvec.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <string>

#include <kernels/q8_1.hpp>
#include <kernels/reference/q4k_matvec.hpp>
#include <tg/dsl/proof/analyze.hpp>

#include "inputs.hpp"
#include "ledger.hpp"

using namespace tg::kernels;
using reference::q4k_block;

namespace {

using bytes = std::vector<std::uint8_t>;

std::span<const std::uint8_t> block_of(const bytes& w, std::size_t b) {
  return std::span<const std::uint8_t>(w).subspan(b * q4k_block::bytes, q4k_block::bytes);
}

void set_scales(bytes& w, std::size_t b, tg::f16 d, tg::f16 dmin) {
  const tg::f16 both[] = {d, dmin};
  std::memcpy(&w[b * q4k_block::bytes], both, sizeof both);
}

tg::f16 random_half(inputs::generator& random, float low, float high) { return tg::f16(random.between(low, high)); }

/// Rows of random blocks with finite scales, 144 bytes each.
bytes random_blocks(inputs::generator& random, std::size_t count) {
  auto out = random.bytes(count * q4k_block::bytes);
  for (std::size_t b = 0; b < count; ++b)
    set_scales(out, b, random_half(random, -0.02f, 0.1f), random_half(random, -0.02f, 0.1f));
  return out;
}

/// 64 blocks in which every group has each scale and each minimum once, with the most extreme d and dmin.
bytes extreme_blocks(inputs::generator& random) {
  const tg::f16 ends[] = {tg::f16(65504.0),  tg::f16(-65504.0), tg::f16(0x1p-24),
                          tg::f16(-0x1p-24), tg::f16(0.0),      tg::f16(0x1p-14)};
  auto out = random.bytes(64 * q4k_block::bytes);
  for (std::size_t b = 0; b < 64; ++b) {
    set_scales(out, b, ends[b % 6], ends[b / 6 % 6]);
    for (std::size_t g = 0; g < 8; ++g) {
      std::uint8_t* const s = &out[b * q4k_block::bytes + 4];
      const std::size_t scale = (b + 8 * g) % 64, minimum = 63 - (b * 5 + g) % 64;
      const auto put = [](std::uint8_t& byte, std::size_t mask, std::size_t bits) {
        byte = static_cast<std::uint8_t>((byte & ~mask) | bits);
      };
      if (g < 4) {
        put(s[g], 63, scale);
        put(s[g + 4], 63, minimum);
      } else {
        s[g + 4] = static_cast<std::uint8_t>((scale & 15) | (minimum & 15) << 4);
        put(s[g - 4], 192, scale >> 4 << 6);
        put(s[g], 192, minimum >> 4 << 6);
      }
    }
  }
  return out;
}

std::vector<std::uint32_t> to_words(const bytes& from) {
  std::vector<std::uint32_t> out(from.size() / 4);
  std::memcpy(out.data(), from.data(), from.size());
  return out;
}

/// Activations as they are on a device. The sums are whatever they are: the kernel has to use them.
struct activations {
  std::vector<std::int8_t> q;
  std::vector<tg::f16x2> ds;

  activations(inputs::generator& random, std::size_t columns) : q(columns), ds(columns / 32) {
    for (auto& x : q) x = static_cast<std::int8_t>(random.engine());
    for (auto& x : ds) x = {random_half(random, 0, 2), random_half(random, -50, 50)};
  }
};

/// W x for rows that are `gap` words apart, after a check that nothing behind y was written.
std::vector<float> product(const bytes& w, const activations& x, unsigned rows, unsigned gap) {
  tg::device gpu;
  const auto columns = static_cast<unsigned>(x.q.size());
  const unsigned words = q4k_words(columns);
  inputs::rows<std::uint32_t> on_w(gpu, to_words(w), rows, words, words + gap);
  auto q = gpu.upload(x.q);
  auto ds = gpu.upload(x.ds);
  auto y = gpu.upload(std::vector<float>(rows + 5, inputs::poison<float>()));
  gpu.launch(q4k_matvec, q4k_grid(rows), on_w.matrix(), q, ds, y, rows, columns);
  auto out = y.to_host();
  CHECK(std::all_of(out.begin() + rows, out.end(), [](float v) { return inputs::is_poison(v); }));
  out.resize(rows);
  return out;
}

/// How far rounding may take a row from its sum, relative to the magnitudes of its terms. A lane adds four products for
/// every 2048 weights, and a product has been rounded four times; five additions join the lanes.
double relative_error(unsigned columns) { return ((columns + 2047) / 2048 * 4 + 4 + 5) * inputs::unit_roundoff * 1.01; }

double excess(const bytes& w, const activations& x, const std::vector<float>& got) {
  const std::size_t row_bytes = x.q.size() / q4k_block::weights * q4k_block::bytes;
  std::vector<double> wanted, allowed;
  for (std::size_t r = 0; r < got.size(); ++r) {
    const std::span<const std::uint8_t> row(&w[r * row_bytes], row_bytes);
    const auto sum = reference::q4k_dot(row, x.q, x.ds);
    wanted.push_back(sum.value);
    allowed.push_back(sum.magnitude * relative_error(static_cast<unsigned>(x.q.size())));
  }
  return inputs::largest_excess(std::span<const float>(got), std::span<const double>(wanted),
                                [&](std::size_t r) { return allowed[r]; });
}

/// What tests/kernels/q4k_values.py wrote.
struct package_values {
  bytes blocks;
  std::vector<float> weights;

  package_values() {
    std::ifstream file("tests/kernels/q4k_values.txt");
    for (std::string block, values; std::getline(file, block) && std::getline(file, values);) {
      for (std::size_t at = 0; at + 1 < block.size(); at += 2)
        blocks.push_back(static_cast<std::uint8_t>(std::stoul(block.substr(at, 2), nullptr, 16)));
      for (std::size_t at = 0; at + 7 < values.size(); at += 9)
        weights.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(std::stoul(values.substr(at, 8), nullptr, 16))));
    }
  }
  std::size_t count() const { return blocks.size() / q4k_block::bytes; }
};

}  // namespace

TEST_CASE("products of Q4_K matrices of all shapes") {
  inputs::generator random;
  for (const unsigned blocks : {1u, 2u, 7u, 8u, 9u, 16u, 17u, 41u})
    for (const unsigned rows : {1u, 3u, 4u, 5u, 8u, 13u}) {
      const unsigned columns = blocks * 256, gap = rows % 3 * 4;
      INFO("seed ", random.seed, ", rows ", rows, ", blocks ", blocks, ", gap ", gap);
      const auto w = random_blocks(random, rows * blocks);
      const activations x(random, columns);
      CHECK(excess(w, x, product(w, x, rows, gap)) <= 0);
    }
}

TEST_CASE("every scale and minimum of a group, and the largest and smallest of a block") {
  inputs::generator random;
  INFO("seed ", random.seed);
  const auto w = extreme_blocks(random);
  for (const unsigned rows : {64u, 4u}) {
    const activations x(random, 64 / rows * q4k_block::weights);
    CHECK(excess(w, x, product(w, x, rows, 0)) <= 0);
  }
}

TEST_CASE("one wrong nibble, scale, minimum or sum is more than rounding") {
  inputs::generator random;
  constexpr unsigned rows = 5, columns = 2304;
  auto w = random_blocks(random, rows * columns / q4k_block::weights);
  activations x(random, columns);
  std::fill_n(x.q.begin(), 32, std::int8_t{100});  // of one sign, so that no sum of products is near 0
  x.ds[0] = {tg::f16(1.0), tg::f16(30.0)};
  set_scales(w, 0, tg::f16(1.0), tg::f16(1.0));
  w[4] = w[8] = 63;
  const auto got = product(w, x, rows, 0);
  CHECK(excess(w, x, got) <= 0);
  for (const std::size_t byte : {16u, 4u, 8u}) {
    auto other = w;
    other[byte] ^= 1;
    CHECK(excess(other, x, got) > 0);
  }
  x.ds[0].high = tg::f16(31.0);
  CHECK(excess(w, x, got) > 0);
}

TEST_CASE("weights are those of the gguf package, on the host") {
  const package_values from;
  REQUIRE(from.count() == 6);
  REQUIRE(from.weights.size() == from.count() * q4k_block::weights);
  for (std::size_t b = 0; b < from.count(); ++b) {
    const q4k_block block(block_of(from.blocks, b));
    int wrong = 0;
    for (std::size_t i = 0; i < q4k_block::weights; ++i)
      wrong += static_cast<float>(block.weight(i)) == from.weights[b * q4k_block::weights + i] ? 0 : 1;
    CHECK(wrong == 0);
  }
}

TEST_CASE("weights are those of the gguf package, in the kernel") {
  const package_values from;
  const auto rows = static_cast<unsigned>(from.count());
  inputs::generator random;
  activations x(random, q4k_block::weights);
  int wrong = 0;
  for (std::size_t i = 0; i < q4k_block::weights; ++i) {
    std::fill(x.q.begin(), x.q.end(), std::int8_t{0});
    std::fill(x.ds.begin(), x.ds.end(), tg::f16x2{tg::f16(0.0), tg::f16(0.0)});
    x.q[i] = 1;
    x.ds[i / 32] = {tg::f16(1.0), tg::f16(1.0)};
    const auto got = product(from.blocks, x, rows, 0);
    for (unsigned r = 0; r < rows; ++r) {
      const q4k_block block(block_of(from.blocks, r));
      const double parts = std::abs(block.weight(i)) + 2 * std::abs(block.dmin * block.minimum[i / 32]);
      const double error = std::abs(got[r] - from.weights[r * q4k_block::weights + i]);
      wrong += error <= 2 * inputs::unit_roundoff * parts ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a vector of floats is quantised and multiplied") {
  tg::device gpu;
  inputs::generator random;
  constexpr unsigned rows = 7, columns = 3840, words = q4k_words(columns);
  INFO("seed ", random.seed);
  const auto w = random_blocks(random, rows * columns / q4k_block::weights);
  const auto x = random.floats(columns, -2, 3);
  auto on_w = gpu.upload(to_words(w));
  auto on_x = gpu.upload(x);
  auto q = gpu.zeros<std::int8_t>(columns);
  auto ds = gpu.zeros<tg::f16x2>(columns / 32);
  auto y = gpu.zeros<float>(rows);
  gpu.launch(quantize_q8_1, tg::cover(columns / 4), on_x, q, ds, columns);
  gpu.launch(q4k_matvec, q4k_grid(rows), tg::matrix(on_w, rows, words), q, ds, y, rows, columns);
  const auto got = y.to_host();
  const auto scales = ds.to_host();
  for (unsigned r = 0; r < rows; ++r) {
    // A byte is half a unit off, and its unit is rounded to f16, as the sum of the units of a group is.
    double wanted = 0, allowed = 0;
    for (unsigned b = 0; b < columns / 256; ++b) {
      const q4k_block block(block_of(w, r * (columns / 256) + b));
      for (unsigned i = 0; i < 256; ++i) {
        const unsigned at = b * 256 + i;
        const double unit = double{scales[at / 32].low} * (0.5 + 127 * 0x1p-10);
        const double minimum = std::abs(block.dmin * block.minimum[i / 32]);
        wanted += block.weight(i) * x[at];
        allowed += (std::abs(block.weight(i)) + 2 * minimum) * (unit + 1e-5 * std::abs(x[at]));
      }
    }
    CHECK(std::abs(got[r] - wanted) <= allowed);
  }
}

TEST_CASE("nothing is refuted of the product, and it costs what the compiler says") {
  const auto found = tg::analyze(q4k_matvec);
  INFO(found.text());
  CHECK(found.refuted().empty());
  CHECK(found.race_free());
  CHECK(found.barriers_met());

  tg::device gpu;
  if (!gpu.is_emulated()) return;
  constexpr unsigned rows = 8, columns = 8192, words = q4k_words(columns);
  ledger counted(q4k_matvec);
  auto w = gpu.zeros<unsigned>(rows * (words + 4) + 4);
  auto q = gpu.zeros<std::int8_t>(columns);
  auto ds = gpu.zeros<tg::f16x2>(columns / 32 + 4);
  auto y = gpu.zeros<float>(64);
  for (const unsigned gap : {0u, 4u})
    for (const unsigned shift : {0u, 4u}) {
      const auto on_w = w.part(shift, rows * (words + gap));
      counted.count([&] {
        gpu.launch(q4k_matvec, q4k_grid(rows), tg::matrix(on_w, rows, words, words + gap), q, ds.part(shift, columns / 32),
                   y.part(shift, rows), rows, columns);
      });
    }
  for (const auto& row : counted.rows()) CHECK(row.access.verdict == tg::verdict::proved);
  for (const auto& mismatch : counted.mismatches(edges::clamped)) FAIL_CHECK(mismatch);
}
