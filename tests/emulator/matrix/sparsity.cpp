#include <tg/emulator/matrix/sparsity.hpp>

#include <doctest/doctest.h>

#include "warp_product.hpp"

namespace {

using namespace warp_product;

struct sparse_mma {
  std::string shape;
  std::size_t k;
  type d, a, b;
  std::size_t chunk;  // columns that four bits of metadata are about
  std::uint32_t selectors;
};

/// Which two quarters of a chunk are kept, ascending; tf32 keeps one half.
std::uint32_t random_choice(const type& t) {
  if (t.bits == 32) return random_bits()() % 2 == 0 ? 0b0100 : 0b1110;
  constexpr std::uint32_t choices[] = {0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110};
  return choices[random_bits()() % 6];
}

void check(const sparse_mma& i, std::uint32_t selector, bool is_ordered, bool judged) {
  const std::string text = std::string("mma.sp") + (is_ordered ? "::ordered_metadata" : "") + ".sync.aligned." + i.shape +
                           ".row.col." + i.d.name + "." + i.a.name + "." + i.b.name + "." + i.d.name;
  CAPTURE(text);
  CAPTURE(selector);
  const std::size_t p = i.a.bits == 32 ? 1 : static_cast<std::size_t>(32 / i.a.bits);
  const std::size_t na = 16 * i.k / 2 / 32 / p, nb = i.k * 8 / 32 / p, nc = i.d.bits == 16 ? 2 : 4;
  const registers a = random_registers(i.a, na), b = random_registers(i.b, nb), c = random_registers(i.d, nc);
  const std::size_t chunks = i.k / i.chunk;
  registers metadata(32);
  std::vector<std::vector<std::uint32_t>> kept(16, std::vector<std::uint32_t>(chunks));
  for (std::uint64_t& word : metadata) word = random_bits()() & 0xffffffff;  // of lanes that nobody asks
  for (std::size_t row = 0; row < 16; ++row)
    for (std::size_t number = 0; number < chunks; ++number) {
      const std::uint32_t choice = kept[row][number] = random_choice(i.a);
      // In a group of four lanes, one or two hold 16 bits of two rows, or two or four hold 32 bits of one row.
      std::size_t lane = row % 8 * 4, shift = 0;
      if (i.a.bits >= 16) {
        lane += chunks == 4 ? selector : 2 * selector + number / 4;
        shift = (row < 8 ? 0 : 16) + number % 4 * 4;
      } else {
        lane += (chunks == 8 ? 2 * selector : number / 8 * 2) + (row < 8 ? 0 : 1);
        shift = number % 8 * 4;
      }
      metadata[lane] = (metadata[lane] & ~(std::uint64_t{15} << shift)) | std::uint64_t{choice} << shift;
    }
  std::vector<std::vector<double>> left(16, std::vector<double>(i.k)), right(8, std::vector<double>(i.k));
  for (std::size_t lane = 0; lane < 32; ++lane) {
    for (std::size_t e = 0; e < na * p; ++e) {
      const std::size_t row = lane / 4 + (e / p % 2) * 8, at = lane % 4 * p + e % p + e / (2 * p) * 4 * p;
      const std::size_t half = i.chunk / 2, number = at / half, within = at % half;
      const std::uint32_t choice = kept[row][number];
      std::size_t column = number * i.chunk;
      if (i.chunk == 2) column += choice == 0b1110 ? 1 : 0;
      if (i.chunk == 4) column += within == 0 ? choice & 3 : choice >> 2;
      if (i.chunk == 8) column += 2 * (within < 2 ? choice & 3 : choice >> 2) + within % 2;
      left[row][column] = value(i.a, element(i.a, a, lane * na, e));
    }
    for (std::size_t e = 0; e < nb * p; ++e)
      right[lane / 4][lane % 4 * p + e % p + e / p * 4 * p] = value(i.b, element(i.b, b, lane * nb, e));
  }
  const registers d =
      run(text, {'d', nc}, {'a', na}, {'b', nb}, {'c', nc}, a, b, c, ", %e0, " + std::to_string(selector), metadata, judged);
  int wrong = 0;
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::size_t e = 0; e < 4; ++e) {
      const std::size_t row = lane / 4 + e / 2 * 8, column = lane % 4 * 2 + e % 2;
      const double before = value(i.d, element(i.d, c, lane * nc, e));
      std::uint64_t wanted = accumulated(i.d, before, left[row], right[column]);
      if (i.d.name == "s32") wanted = static_cast<std::uint32_t>(wanted);
      wrong += !is_sum(i.d, element(i.d, d, lane * nc, e), wanted, before, left[row], right[column]);
    }
  CHECK_EQ(wrong, 0);
}

}  // namespace

TEST_CASE("sparse products: every shape, type and selector") {
  const sparse_mma all[] = {
      {"m16n8k16", 16, f32, f16, f16, 4, 4},   {"m16n8k16", 16, f16, f16, f16, 4, 4},   {"m16n8k32", 32, f32, f16, f16, 4, 2},
      {"m16n8k32", 32, f16, f16, f16, 4, 2},   {"m16n8k16", 16, f32, bf16, bf16, 4, 4}, {"m16n8k32", 32, f32, bf16, bf16, 4, 2},
      {"m16n8k8", 8, f32, tf32, tf32, 2, 4},   {"m16n8k16", 16, f32, tf32, tf32, 2, 2}, {"m16n8k64", 64, f32, e4m3, e5m2, 4, 1},
      {"m16n8k64", 64, f32, e5m2, e4m3, 4, 1}, {"m16n8k32", 32, s32, u8, s8, 4, 2},     {"m16n8k32", 32, s32, s8, s8, 4, 2},
      {"m16n8k64", 64, s32, s8, u8, 4, 1},     {"m16n8k64", 64, s32, u4, s4, 8, 2},     {"m16n8k128", 128, s32, s4, u4, 8, 1}};
  for (const sparse_mma& i : all)
    for (std::uint32_t selector = 0; selector < i.selectors; ++selector)
      for (const bool is_ordered : {false, true}) check(i, selector, is_ordered, selector == 0);
}
