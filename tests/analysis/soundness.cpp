// Random index expressions, evaluated once abstractly and many times with numbers: what the analysis claims must hold.
#include <doctest/doctest.h>

#include <algorithm>

#include <tg/analysis.hpp>

#include "brute_force.hpp"

using namespace tg::analysis;

namespace {

enum class op { thread, constant, unknown, add, sub, mul, div, mod, shl, shr, and_, or_, xor_, min, max, select };

struct node {
  op kind = op::constant;
  int a = 0;
  int b = 0;
  int c = 0;
  std::int64_t value = 0;  // of a constant; the divisor of an unknown; the axis of a coordinate
};

using tree = std::vector<node>;

struct random_source {
  std::mt19937 engine;
  int below(int n) { return int(engine() % unsigned(n)); }
  template <class T> T of(std::initializer_list<T> choices) { return choices.begin()[below(int(choices.size()))]; }
};

int grow(tree& t, random_source& random, int depth) {
  node n;
  const int leaf = random.below(8);
  if (depth == 0 || leaf == 0) {
    n.kind = random.of({op::thread, op::thread, op::constant, op::unknown});
    n.value = n.kind == op::thread    ? random.of({0, 0, 1, 1, 2})
              : n.kind == op::unknown ? random.of({1, 1, 2, 4, 6, 8, 16, 32, 96})
                                      : random.of({0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 24, 31, 32, 33, 63, -1, -4});
  } else {
    n.kind = random.of({op::add, op::add, op::add, op::sub, op::mul, op::mul, op::div, op::mod, op::shl, op::shr, op::and_,
                        op::or_, op::xor_, op::xor_, op::min, op::max, op::select});
    n.a = grow(t, random, depth - 1);
    const bool by_constant = n.kind == op::shl || n.kind == op::shr || (n.kind != op::add && random.below(3) != 0);
    if (by_constant) {
      const bool is_shift = n.kind == op::shl || n.kind == op::shr;
      n.b = int(t.size());
      t.push_back({op::constant, 0, 0, 0, is_shift ? random.below(6) : random.of({1, 2, 3, 4, 6, 7, 8, 16, 31, 32, 33, 64})});
    } else {
      n.b = grow(t, random, depth - 1);
    }
    if (n.kind == op::select) n.c = grow(t, random, depth - 1);
  }
  t.push_back(n);
  return int(t.size()) - 1;
}

/// The operations under test; a defect is planted by replacing one.
struct operations {
  using plain = lane_value (*)(const lane_value&, const lane_value&);
  using with_sign = lane_value (*)(const lane_value&, const lane_value&, bool);
  plain add = tg::analysis::add;
  plain mul = tg::analysis::mul;
  plain bit_and = tg::analysis::bit_and;
  plain bit_xor = tg::analysis::bit_xor;
  with_sign div = tg::analysis::div;
  with_sign mod = tg::analysis::mod;
  with_sign min = tg::analysis::min;
};

struct thread_block {
  block_extent extent;
  int warp;
  bool is_signed;
};

lane_value evaluate(const tree& t, int at, const thread_block& block, const operations& use) {
  const node& n = t[std::size_t(at)];
  const auto child = [&](int which) { return evaluate(t, which, block, use); };
  const bool s = block.is_signed;
  switch (n.kind) {
    case op::thread: return thread_coordinate(block.extent, static_cast<axis>(n.value), block.warp);
    case op::constant: return constant(n.value);
    case op::unknown: return uniform(n.value);
    case op::add: return use.add(child(n.a), child(n.b));
    case op::sub: return sub(child(n.a), child(n.b));
    case op::mul: return use.mul(child(n.a), child(n.b));
    case op::div: return use.div(child(n.a), child(n.b), s);
    case op::mod: return use.mod(child(n.a), child(n.b), s);
    case op::shl: return shl(child(n.a), child(n.b));
    case op::shr: return shr(child(n.a), child(n.b), s);
    case op::and_: return use.bit_and(child(n.a), child(n.b));
    case op::or_: return bit_or(child(n.a), child(n.b));
    case op::xor_: return use.bit_xor(child(n.a), child(n.b));
    case op::min: return use.min(child(n.a), child(n.b), s);
    case op::max: return max(child(n.a), child(n.b), s);
    case op::select: return select(less(child(n.a), child(n.b), s), child(n.b), child(n.c));
  }
  return unknown();
}

/// One lane of one run: 32-bit arithmetic, kept as the number whose bits it has; a run that overflows upwards, or
/// divides by zero, is no run of the program.
struct run {
  std::array<std::int64_t, 3> thread{};
  std::vector<std::int64_t> unknowns;  // by node
  bool is_signed = true;
  bool is_valid = true;

  std::int64_t lane(const tree& t, int at) {
    const node& n = t[std::size_t(at)];
    if (n.kind == op::thread) return thread[std::size_t(n.value)];
    if (n.kind == op::constant) return n.value;
    if (n.kind == op::unknown) return unknowns[std::size_t(at)];
    const std::int64_t a = lane(t, n.a);
    const std::int64_t b = lane(t, n.b);
    if (!is_valid) return 0;
    const auto ua = static_cast<std::uint32_t>(a);
    const auto ub = static_cast<std::uint32_t>(b);
    const auto back = [](std::uint32_t v) { return std::int64_t{static_cast<std::int32_t>(v)}; };
    std::int64_t r = 0;
    switch (n.kind) {
      case op::add: r = a + b; break;
      case op::sub: r = a - b; break;
      case op::mul: r = a * b; break;
      case op::shl: r = a * (std::int64_t{1} << b); break;
      case op::shr: r = is_signed ? a >> b : back(ua >> b); break;
      case op::and_: r = a & b; break;
      case op::or_: r = a | b; break;
      case op::xor_: r = a ^ b; break;
      case op::div:
        if (b == 0) return invalid();
        r = is_signed ? a / b : back(ua / ub);
        break;
      case op::mod:
        if (b == 0) return invalid();
        r = is_signed ? a % b : back(ua % ub);
        break;
      case op::min: r = is_signed ? std::min(a, b) : back(std::min(ua, ub)); break;
      case op::max: r = is_signed ? std::max(a, b) : back(std::max(ua, ub)); break;
      case op::select: r = (is_signed ? a < b : ua < ub) ? b : lane(t, n.c); break;
      default: break;
    }
    return r >= INT32_MIN && r <= INT32_MAX ? r : invalid();
  }

  std::int64_t invalid() {
    is_valid = false;
    return 0;
  }
};

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
