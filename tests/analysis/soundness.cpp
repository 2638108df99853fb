// Random index expressions, evaluated once abstractly and many times with numbers: what the analysis claims must hold.
#include <doctest/doctest.h>

#include <algorithm>

#include <tg/analysis.hpp>

#include "brute_force.hpp"
#include "index_tree.hpp"

using namespace tg::analysis;

namespace {

using namespace index_tree;

__extension__ using wide = __int128;
using column = std::array<wide, 32>;

/// Whether `target` is a sum of integer multiples of `columns`.
bool is_combination(std::vector<column> columns, column target) {
  for (std::size_t row = 0; row < 32; ++row) {
    column pivot{};
    std::vector<column> rest;
    for (auto& c : columns) {
      while (c[row] != 0) {
        if (pivot[row] == 0) {
          std::swap(pivot, c);
          continue;
        }
        const auto quotient = c[row] / pivot[row];
        for (std::size_t i = 0; i < 32; ++i) c[i] -= quotient * pivot[i];
        if (c[row] != 0) std::swap(pivot, c);
      }
      rest.push_back(c);
    }
    if (pivot[row] == 0) {
      if (target[row] != 0) return false;
    } else {
      if (target[row] % pivot[row] != 0) return false;
      const auto quotient = target[row] / pivot[row];
      for (std::size_t i = 0; i < 32; ++i) target[i] -= quotient * pivot[i];
    }
    columns = rest;
  }
  return true;
}

/// Whether some base, strides and mask that `v` permits give `concrete`.
bool permits(const lane_value& v, const lanes& concrete) {
  std::vector<column> columns;
  if (v.divisor != 0) columns.emplace_back().fill(v.divisor);
  const auto is_same_group = [&](std::size_t a, std::size_t b) {
    for (int k = 0; k < v.stride_count; ++k)
      if (v.strides[k].coef[a] != v.strides[k].coef[b]) return false;
    return true;
  };
  for (int k = 0; k < v.stride_count; ++k) {
    if (v.strides[k].kind == lane_term::scaled) {
      column& c = columns.emplace_back();
      for (std::size_t l = 0; l < 32; ++l) c[l] = wide{v.strides[k].divisor} * v.strides[k].coef[l];
      continue;
    }
    // A number of its own for each group of lanes. What the bounds of a clamp have in common, costs are judged by.
    for (std::size_t first = 0; first < 32; ++first) {
      column c{};
      bool is_first = granularity(v.strides[k]) != 0;
      for (std::size_t l = 0; l < 32; ++l)
        if (is_same_group(first, l)) {
          is_first = is_first && l >= first;
          c[l] = granularity(v.strides[k]);
        }
      if (is_first) columns.push_back(c);
    }
  }
  const auto permits_mask = [&](std::int64_t mask) {
    column target{};
    for (std::size_t l = 0; l < 32; ++l) target[l] = concrete[l] - (v.offset[l] ^ mask);
    return is_combination(columns, target);
  };
  if (columns.empty()) {
    const std::int64_t mask = concrete[0] ^ v.offset[0];
    return (mask & ~v.xor_bits) == 0 && permits_mask(mask);
  }
  const std::int64_t bits = v.xor_bits & 0xfff;
  std::int64_t mask = bits;
  for (; !permits_mask(mask); mask = (mask - 1) & bits)
    if (mask == 0) return v.xor_bits != bits;  // too many masks to try them all
  return true;
}

struct tally {
  int trees = 0;
  int known = 0;
  int varying = 0;
  int runs = 0;
  int wrong_values = 0;
  int wrong_signs = 0;
  int wrong_sectors = 0;
  int wrong_wavefronts = 0;
  int wrong_alignments = 0;
  int wrong() const { return wrong_values + wrong_signs + wrong_sectors + wrong_wavefronts + wrong_alignments; }
};

struct element {
  int bytes;
  int access_bytes;
  std::int64_t base_align_bytes;
};

/// Every alignment that is permitted, counted with sets, against the extremes the analysis gives.
bool agrees_over_alignments(const lane_value& v, const element& e, lane_mask active) {
  const global_cost cost = count_global(v, e.bytes, e.access_bytes, e.base_align_bytes, active);
  const auto step = std::gcd(std::gcd(e.base_align_bytes, v.divisor * e.bytes), std::int64_t{128});
  brute_force::global most{0, 0, 0, 0, true};
  int least = 1 << 20;
  for (std::int64_t shift = 0; shift < 128; shift += step) {
    request r{{}, active, e.access_bytes};
    for (std::size_t l = 0; l < 32; ++l) r.address_bytes[l] = v.offset[l] * e.bytes + shift;
    const auto count = brute_force::count_global(r);
    most.sectors = std::max(most.sectors, count.sectors);
    most.lines = std::max(most.lines, count.lines);
    most.bytes = count.bytes;
    most.good = most.good && count.good;
    least = std::min(least, count.sectors);
  }
  return cost.sectors == most.sectors && cost.sectors_best == least && cost.lines == most.lines && cost.good == most.good &&
         cost.touched_bytes == most.bytes && cost.exact == (most.sectors == least);
}

void check_costs(tally& out, const lane_value& v, const lanes& concrete, const element& e, lane_mask active,
                 std::int64_t base) {
  request r{{}, active, e.access_bytes};
  for (std::size_t l = 0; l < 32; ++l) r.address_bytes[l] = base + concrete[l] * e.bytes;
  if (is_aligned(v, e.bytes, e.access_bytes, e.base_align_bytes, active) && !is_aligned(r)) ++out.wrong_alignments;
  const bool is_clamped = clamped_term(v) >= 0;
  const global_cost global = count_global(v, e.bytes, e.access_bytes, e.base_align_bytes, active);
  if (global.known) {
    const auto count = brute_force::count_global(r);
    const bool is_bounded = count.sectors <= global.sectors && count.lines <= global.lines;
    const bool is_tight =
        count.sectors >= global.sectors_best && count.bytes == global.touched_bytes && (count.good || !global.good);
    if (!is_bounded || (v.stride_count == 0 && !(is_tight || v.xor_bits != 0))) ++out.wrong_sectors;
  }
  const shared_cost shared = count_shared(v, e.bytes, e.access_bytes, e.base_align_bytes, active);
  if (shared.known) {
    const auto count = brute_force::count_shared(r);
    const bool is_word_based = e.base_align_bytes % 4 == 0 && v.divisor * e.bytes % 4 == 0;
    const bool is_one_count = is_word_based && !is_clamped && v.stride_count == 0;
    if (count.wavefronts > shared.wavefronts || (is_one_count && count.wavefronts != shared.wavefronts) ||
        count.phases != shared.ideal_wavefronts)
      ++out.wrong_wavefronts;
  }
}

void check_tree(tally& out, random_source& random, const operations& use) {
  tree t;
  const int root = grow(t, random, 1 + random.below(4));
  thread_block block{random.of<block_extent>({{256, 1, 1}, {16, 16, 1}, {32, 8, 1}, {8, 8, 4}, {5, 7, 3}, {48, 1, 1}}), 0,
                     random.below(2) == 0};
  block.warp = random.below(block.extent.warps());
  const lane_value v = evaluate(t, root, block, use);
  ++out.trees;
  if (!v.known) return;
  ++out.known;
  out.varying += is_uniform(v) ? 0 : 1;

  const int bytes = random.of({1, 2, 4, 8, 3});
  const int access_bytes = bytes == 3 ? 1 : random.below(2) ? bytes : random.of({bytes, 8, 16});
  const element e{bytes, access_bytes, bytes == 3 ? random.of({1, 16}) : random.of({bytes, 16, 256})};
  const lane_mask active = active_lanes(block.extent, block.warp);
  if (v.stride_count == 0 && v.xor_bits == 0 && random.below(16) == 0 && !agrees_over_alignments(v, e, active))
    ++out.wrong_sectors;

  const auto coordinate = [&](axis a) { return thread_coordinate(block.extent, a, block.warp); };
  const std::array<lane_value, 3> threads{coordinate(axis::x), coordinate(axis::y), coordinate(axis::z)};
  for (int sample = 0; sample < 6; ++sample) {
    run one{{}, std::vector<std::int64_t>(t.size()), block.is_signed};
    for (std::size_t i = 0; i < t.size(); ++i) one.unknowns[i] = t[i].value * random.below(sample < 2 ? 4 : 50);
    lanes concrete{};
    for (std::size_t l = 0; l < 32; ++l) {
      for (std::size_t a = 0; a < 3; ++a) one.thread[a] = threads[a].offset[l];
      concrete[l] = one.lane(t, root);
    }
    if (!one.is_valid) continue;
    ++out.runs;
    if (!permits(v, concrete)) ++out.wrong_values;
    if (block.is_signed && is_non_negative(v) && *std::min_element(concrete.begin(), concrete.end()) < 0) ++out.wrong_signs;
    check_costs(out, v, concrete, e, active, e.base_align_bytes * random.below(64));
  }
}

tally check_trees(int count, const operations& use, unsigned seed) {
  tally out;
  random_source random{std::mt19937{seed}};
  for (int i = 0; i < count; ++i) check_tree(out, random, use);
  return out;
}

}  // namespace

TEST_CASE("no claim about a random index expression is wrong") {
  const tally t = check_trees(40000, {}, 5);
  MESSAGE(t.trees, " expressions, ", t.known, " known, ", t.varying, " of these vary over the lanes, ", t.runs, " runs");
  CHECK(t.wrong_values == 0);
  CHECK(t.wrong_signs == 0);
  CHECK(t.wrong_sectors == 0);
  CHECK(t.wrong_wavefronts == 0);
  CHECK(t.wrong_alignments == 0);
  CHECK(t.known > t.trees / 2);
  CHECK(t.varying > t.trees / 5);
}

TEST_CASE("a wrong rule is found") {
  operations defect;
  SUBCASE("a sum as divisible as its better half") {
    defect.add = [](const lane_value& a, const lane_value& b) {
      lane_value r = add(a, b);
      if (r.known) r.divisor = std::max(a.divisor, b.divisor);
      return r;
    };
  }
  SUBCASE("a product that forgets the offsets") {
    defect.mul = [](const lane_value& a, const lane_value& b) {
      lane_value r = mul(a, b);
      if (r.known) r.divisor = a.divisor * b.divisor;
      return r;
    };
  }
  SUBCASE("a quotient of base and offset apart") {
    defect.div = [](const lane_value& a, const lane_value& b, bool is_signed) {
      if (!a.known || !is_constant(b) || b.offset[0] <= 0) return div(a, b, is_signed);
      lane_value r = div(exact(a.offset), b, true);
      r.divisor = a.divisor == 0 ? 0 : 1;
      return r;
    };
  }
  SUBCASE("a remainder without the base") {
    defect.mod = [](const lane_value& a, const lane_value& b, bool is_signed) {
      return a.known ? mod(exact(a.offset), b, is_signed) : unknown();
    };
  }
  SUBCASE("a quotient that takes negative bases for positive") {
    defect.div = [](const lane_value& a, const lane_value& b, bool) {
      lane_value positive = a;
      positive.maybe_negative = false;
      return div(positive, b, true);
    };
  }
  SUBCASE("a bitwise and that lets unknown bits through in some lanes only") {
    defect.bit_and = [](const lane_value& a, const lane_value& b) {
      lane_value r = bit_and(a, b);
      if (r.known || !a.known || !b.known || a.stride_count + b.stride_count > 0) return r;
      r = exact(bit_and(exact(a.offset), exact(b.offset)).offset);
      r.divisor = 1;
      return r;
    };
  }
  SUBCASE("an exclusive or that is a sum") { defect.bit_xor = tg::analysis::add; }
  SUBCASE("a bound that vanishes") {
    defect.min = [](const lane_value& a, const lane_value& b, bool is_signed) {
      const lane_value r = min(a, b, is_signed);
      return r.known ? interior(r) : r;
    };
  }
  CHECK(check_trees(10000, defect, 6).wrong() > 0);
}
