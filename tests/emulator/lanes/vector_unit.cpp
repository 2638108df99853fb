#include <tg/emulator/lanes/vector_unit.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <string_view>
#include <vector>

#include <tg/emulator/image/floating_mode.hpp>

TEST_CASE("a vector unit is found by its name, or the widest one is") {
  using tg::emulator::find_lane_code;
  const std::string_view widest = find_lane_code().name;
  CHECK((widest == "avx512" || widest == "avx2" || widest == "baseline"));
  CHECK(std::string_view(find_lane_code("baseline").name) == "baseline");
  CHECK(std::string_view(find_lane_code("avx512").name) == widest);
  CHECK((find_lane_code("baseline").find != nullptr));
}

namespace {

using namespace tg::emulator;

constexpr std::size_t warps = 3;
using slots = std::vector<std::vector<std::uint64_t>>;

/// Random bits, with the values where arithmetic goes wrong strewn in.
slots make_sources(std::mt19937_64& random) {
  constexpr std::uint64_t edges[] = {0,          1,          0x80000000,         0x7fffffff,         0xffffffff,
                                     0x7f800000, 0xff800000, 0x3f8000003f800000, 0x8000000000000000, 0x7ff0000000000000};
  slots out(4, std::vector<std::uint64_t>(warps * 32));
  for (auto& slot : out)
    for (auto& lane : slot) lane = random() % 4 == 0 ? edges[random() % std::size(edges)] : random();
  return out;
}

slots run(lane_handler handler, slots sources, std::uint32_t mode) {
  slots results(2, std::vector<std::uint64_t>(warps * 32));
  std::byte* pointers[6];
  std::size_t k = 0;
  for (auto& r : results) pointers[k++] = reinterpret_cast<std::byte*>(r.data());
  for (auto& s : sources) pointers[k++] = reinterpret_cast<std::byte*>(s.data());
  std::byte* one_result[5] = {pointers[0], pointers[2], pointers[3], pointers[4], pointers[5]};
  const floating_mode scope(mode);
  handler(one_result, warps);
  return results;
}

/// Whether two results are the same; f64 but for the payloads of NaN.
bool agree(const slots& a, const slots& b, lane_type t) {
  for (std::size_t i = 0; i < a[0].size(); ++i) {
    if (a[0][i] == b[0][i]) continue;
    if (t == lane_type::f64) {
      const double x = __builtin_bit_cast(double, a[0][i]), y = __builtin_bit_cast(double, b[0][i]);
      if (x != x && y != y) continue;
    }
    return false;
  }
  return true;
}

}  // namespace

TEST_CASE("all vector units compute the same") {
  std::mt19937_64 random(1);
  const lane_code baseline = find_lane_code("baseline");
  CHECK_EQ(std::string_view(baseline.name), "baseline");
  int compared = 0;
  for (const char* name : {"avx2", "avx512"}) {
    const lane_code unit = find_lane_code(name);
    CAPTURE(unit.name);
    for (int op = 0; op <= static_cast<int>(last_lane_op); ++op)
      for (int type = 0; type <= static_cast<int>(lane_type::f64); ++type) {
        const lane_handler a = baseline.find(static_cast<lane_op>(op), static_cast<lane_type>(type)),
                           b = unit.find(static_cast<lane_op>(op), static_cast<lane_type>(type));
        CHECK_EQ(a == nullptr, b == nullptr);
        if (a == nullptr || static_cast<lane_op>(op) == lane_op::add_carry || static_cast<lane_op>(op) == lane_op::sub_borrow)
          continue;
        CAPTURE(op);
        CAPTURE(type);
        const bool shifts =
            static_cast<lane_op>(op) == lane_op::funnel_left || static_cast<lane_op>(op) == lane_op::funnel_right;
        const bool is_rounding = op >= static_cast<int>(lane_op::round_even) && op <= static_cast<int>(lane_op::round_zero);
        for (const std::uint32_t mode : {0u, floating_mode::up, floating_mode::flush}) {
          const bool is_exact = static_cast<lane_op>(op) == lane_op::fma_odd;
          if ((is_rounding || is_exact) && mode != 0) continue;  // decoded without a mode
          slots sources = make_sources(random);
          if (shifts)
            for (auto& amount : sources[2]) amount &= 0x0000001f0000001f;
          if (static_cast<lane_op>(op) == lane_op::video)
            for (auto& recipes : sources[3]) {
              const video_recipe r{.how = static_cast<video_recipe::operation>(random() % 6),
                                   .elements = static_cast<std::uint8_t>(1u << random() % 3),
                                   .a_signed = random() % 2 != 0,
                                   .saturates = random() % 2 != 0};
              recipes = r.coded() * 0x100000001ull;
            }
          REQUIRE(agree(run(a, sources, mode), run(b, sources, mode), static_cast<lane_type>(type)));
          ++compared;
        }
      }
  }
  CHECK_GT(compared, 500);
}

TEST_CASE("conversions are the same on all vector units") {
  std::mt19937_64 random(3);
  const lane_code baseline = find_lane_code("baseline");
  int compared = 0;
  for (const char* name : {"avx2", "avx512"}) {
    const lane_code unit = find_lane_code(name);
    CAPTURE(unit.name);
    for (int to = 0; to <= static_cast<int>(lane_type::f64); ++to)
      for (int from = 0; from <= static_cast<int>(lane_type::f64); ++from) {
        const lane_handler a = baseline.find_convert(static_cast<lane_type>(to), static_cast<lane_type>(from)),
                           b = unit.find_convert(static_cast<lane_type>(to), static_cast<lane_type>(from));
        CHECK_EQ(a == nullptr, b == nullptr);
        if (a == nullptr) continue;
        CAPTURE(to);
        CAPTURE(from);
        for (const std::uint32_t mode : {0u, floating_mode::up, floating_mode::down, floating_mode::toward_zero}) {
          const slots sources = make_sources(random);
          const auto source = static_cast<lane_type>(from);
          if (mode == floating_mode::down && (source == lane_type::u32 || source == lane_type::u64)) continue;  // sign of 0
          REQUIRE(agree(run(a, sources, mode), run(b, sources, mode), static_cast<lane_type>(to)));
          ++compared;
        }
      }
  }
  CHECK_GT(compared, 500);
}

TEST_CASE("masks and addresses are the same on all vector units") {
  std::mt19937_64 random(2);
  for (const char* name : {"baseline", "avx2", "avx512"}) {
    const lane_code unit = find_lane_code(name);
    const auto bits = static_cast<std::uint32_t>(random());
    std::uint32_t mask[32];
    unit.spread(mask, bits);
    CHECK_EQ(unit.bits(mask), bits);
    std::uint32_t to[32], from[32];
    std::uint64_t at[32];
    for (std::uint32_t i = 0; i < 32; ++i) to[i] = i, from[i] = 100 + 8 * i;
    unit.addresses(at, reinterpret_cast<std::byte*>(from), 4, -4);
    const address_summary s = unit.summarize(at, 8);
    CHECK_EQ(s.lowest, 96);
    CHECK_EQ(s.highest, 96 + 8 * 31);
    CHECK(s.is_contiguous);
    at[7] += 1;
    CHECK_FALSE(unit.summarize(at, 8).is_contiguous);
    CHECK_EQ(unit.summarize(at, 8).any_bits & 1, 1);
    unit.blend(reinterpret_cast<std::byte*>(to), reinterpret_cast<std::byte*>(from), mask, 1, 4);
    for (std::uint32_t i = 0; i < 32; ++i) CHECK_EQ(to[i], (bits >> i) & 1 ? 100 + 8 * i : i);
  }
}
