// Random indices with clamps in them: no choice of the unknowns costs more than the verdict says. The judge computes each
// lane with numbers and counts sectors and banks on its own; bounds are put where they divide a warp.
//
// TG_CLAMPED_FORMS=1000000 build/gcc/tests/test_analysis -tc="*clamped index*" judges a million forms.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <tg/analysis.hpp>

#include "clamped_form.hpp"

namespace {

using namespace clamped;

using tg::analysis::lane_value;
using warp = std::array<std::int64_t, 32>;

/// The operations under test; a defect is planted by replacing one.
struct verdicts {
  lane_value (*min)(const lane_value&, const lane_value&, bool) = tg::analysis::min;
  lane_value (*add)(const lane_value&, const lane_value&) = tg::analysis::add;
  lane_value (*counted)(const lane_value&) = [](const lane_value& v) { return v; };
};

lane_value abstract(const form& f, int at, const verdicts& use) {
  namespace a = tg::analysis;
  const node& n = f.nodes[std::size_t(at)];
  const auto in = [&](int which) { return abstract(f, which, use); };
  switch (n.kind) {
    case word::coordinate:
      return a::thread_coordinate({f.block[0], f.block[1], f.block[2]}, static_cast<a::axis>(n.value), f.warp_number);
    case word::number: return a::constant(n.value);
    case word::unknown: return a::uniform(n.value, f.is_signed);
    case word::add: return use.add(in(n.a), in(n.b));
    case word::sub: return a::sub(in(n.a), in(n.b));
    case word::mul: return a::mul(in(n.a), in(n.b));
    case word::div: return a::div(in(n.a), in(n.b), f.is_signed);
    case word::mod: return a::mod(in(n.a), in(n.b), f.is_signed);
    case word::shr: return a::shr(in(n.a), in(n.b), f.is_signed);
    case word::and_: return a::bit_and(in(n.a), in(n.b));
    case word::xor_: return a::bit_xor(in(n.a), in(n.b));
    case word::min: return use.min(in(n.a), in(n.b), f.is_signed);
    case word::max: return a::max(in(n.a), in(n.b), f.is_signed);
    case word::select: return a::select(a::less(in(n.a), in(n.b), f.is_signed), in(n.b), in(n.c));
  }
  return a::unknown();
}

/// One run of a form with numbers: the unknowns of a bound are drawn when the lanes that they divide are known. Numbers
/// are 32 bits wide; unsigned ones that have wrapped below 0 keep the number whose bits they have.
struct judge {
  const form& f;
  dice& d;
  std::vector<std::int64_t> drawn = std::vector<std::int64_t>(f.nodes.size(), INT64_MIN);
  bool is_valid = true;
  bool is_divided = false;  // some lanes are at a bound, some are not

  warp lanes(int at) {
    const node& n = f.nodes[std::size_t(at)];
    warp out{};
    if (n.kind == word::coordinate) {
      const int threads = f.block[0] * f.block[1] * f.block[2];
      for (int l = 0; l < 32; ++l) {
        const int thread = f.warp_number * 32 + l < threads ? f.warp_number * 32 + l : f.warp_number * 32;
        out[std::size_t(l)] = n.value == 0   ? thread % f.block[0]
                              : n.value == 1 ? thread / f.block[0] % f.block[1]
                                             : thread / f.block[0] / f.block[1];
      }
      return out;
    }
    if (n.kind == word::number) return out.fill(n.value), out;
    if (n.kind == word::unknown) {
      std::int64_t& own = drawn[std::size_t(at)];
      if (own == INT64_MIN) own = n.value * (d.below(d.one_in(3) ? 200 : 12) - (f.is_signed && d.one_in(8) ? 6 : 0));
      return out.fill(own), out;
    }
    const warp a = lanes(n.a);
    if (n.kind == word::min || n.kind == word::max) {
      const std::int64_t lane = a[std::size_t(d.below(32))];
      aim(n.b, lane + d.below(5) - 2);
    }
    const warp b = lanes(n.b);
    const warp c = n.c >= 0 ? lanes(n.c) : warp{};
    bool any = false, all = true;
    for (std::size_t l = 0; l < 32 && is_valid; ++l) {
      out[l] = apply(n.kind, a[l], b[l], c[l]);
      if (out[l] < INT32_MIN || out[l] > INT32_MAX) is_valid = false;
      any = any || out[l] != a[l];
      all = all && out[l] != a[l];
    }
    if (n.kind == word::min || n.kind == word::max) is_divided = is_divided || (any && !all);
    return out;
  }

  /// Draws the unknown under `at` so that its value comes close to `target`.
  void aim(int at, std::int64_t target) {
    const node& n = f.nodes[std::size_t(at)];
    if (n.kind == word::unknown && drawn[std::size_t(at)] == INT64_MIN) {
      const std::int64_t times = target / n.value;
      drawn[std::size_t(at)] = n.value * (f.is_signed ? times : std::max<std::int64_t>(times, 0));
    }
    if (n.kind == word::sub) aim(n.a, target + f.nodes[std::size_t(n.b)].value);
    if (n.kind == word::mul) aim(n.a, target / f.nodes[std::size_t(n.b)].value);
  }

  std::int64_t apply(word kind, std::int64_t a, std::int64_t b, std::int64_t c) {
    const auto ua = static_cast<std::uint32_t>(a), ub = static_cast<std::uint32_t>(b);
    const auto back = [](std::uint32_t v) { return std::int64_t{static_cast<std::int32_t>(v)}; };
    switch (kind) {
      case word::add: return a + b;
      case word::sub: return a - b;
      case word::mul: return a * b;
      case word::div: return b == 0 ? (is_valid = false, 0) : f.is_signed ? a / b : back(ua / ub);
      case word::mod: return b == 0 ? (is_valid = false, 0) : f.is_signed ? a % b : back(ua % ub);
      case word::shr: return f.is_signed ? a >> b : back(ua >> b);
      case word::and_: return a & b;
      case word::xor_: return a ^ b;
      case word::min: return f.is_signed ? std::min(a, b) : back(std::min(ua, ub));
      case word::max: return f.is_signed ? std::max(a, b) : back(std::max(ua, ub));
      case word::select: return (f.is_signed ? a < b : ua < ub) ? b : c;
      default: return 0;
    }
  }
};

std::int64_t down(std::int64_t a, std::int64_t unit) { return (a - ((a % unit) + unit) % unit) / unit; }

/// How many pieces of `unit` bytes the lanes touch.
int pieces(const warp& first, int bytes, int lanes, std::int64_t unit) {
  std::array<std::int64_t, 64> all{};
  std::size_t count = 0;
  for (std::size_t l = 0; l < std::size_t(lanes); ++l)
    for (std::int64_t p = down(first[l], unit); p <= down(first[l] + bytes - 1, unit); ++p) all[count++] = p;
  std::sort(all.begin(), all.begin() + count);
  return int(std::unique(all.begin(), all.begin() + count) - all.begin());
}

/// Passes through the banks: lanes in groups that move 128 bytes at most, each bank one word at a time.
int passes(const warp& first, int bytes, int lanes) {
  const int group = bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
  int out = 0;
  for (int begin = 0; begin < lanes; begin += group) {
    std::array<std::vector<std::int64_t>, 32> banks;
    for (int l = begin; l < std::min(begin + group, lanes); ++l)
      for (std::int64_t w = down(first[std::size_t(l)], 4); w <= down(first[std::size_t(l)] + bytes - 1, 4); ++w) {
        auto& own = banks[std::size_t(w & 31)];
        if (std::find(own.begin(), own.end(), w) == own.end()) own.push_back(w);
      }
    std::size_t most = 0;
    for (const auto& own : banks) most = std::max(most, own.size());
    out += int(most);
  }
  return out;
}

struct tally {
  long forms = 0, known = 0, good = 0, runs = 0, divided = 0, reached = 0;
  long too_many_sectors = 0, too_many_lines = 0, too_many_wavefronts = 0, misaligned = 0;
  std::vector<std::string> findings;  // the first few
  long wrong() const { return too_many_sectors + too_many_lines + too_many_wavefronts + misaligned; }
};

void judge_form(tally& t, dice& d, const verdicts& use) {
  const form f = random_form(d);
  const int root = int(f.nodes.size()) - 1;
  const lane_value v = use.counted(abstract(f, root, use));
  ++t.forms;
  if (!v.known) return;
  const int elem_bytes = int(d.of({1, 2, 4, 4, 4, 8}));
  const int bytes = d.one_in(3) ? std::min(16, elem_bytes * int(d.of({2, 4}))) : elem_bytes;
  const auto align = std::max<std::int64_t>(elem_bytes, d.of({4, 16, 16, 256}));
  const tg::analysis::block_extent block{f.block[0], f.block[1], f.block[2]};
  const auto active = tg::analysis::active_lanes(block, f.warp_number);
  const int lanes = std::min(32, block.threads() - 32 * f.warp_number);
  const auto global = tg::analysis::count_global(v, elem_bytes, bytes, align, active);
  const auto shared = tg::analysis::count_shared(v, elem_bytes, bytes, align, active);
  const bool is_aligned = tg::analysis::is_aligned(v, elem_bytes, bytes, align, active);
  if (!global.known && !shared.known) return;
  ++t.known;
  t.good += global.known && global.good ? 1 : 0;
  bool is_reached = false;
  for (int run = 0; run < 24; ++run) {
    judge one{f, d};
    warp at = one.lanes(root);
    if (!one.is_valid) continue;
    ++t.runs;
    t.divided += one.is_divided ? 1 : 0;
    const std::int64_t start = align * d.below(64);
    for (auto& a : at) a = start + a * elem_bytes;
    const long before = t.wrong();
    const int sectors = pieces(at, bytes, lanes, 32);
    if (global.known) {
      t.too_many_sectors += sectors > global.sectors ? 1 : 0;
      t.too_many_lines += pieces(at, bytes, lanes, 128) > global.lines ? 1 : 0;
      is_reached = is_reached || sectors == global.sectors;
    }
    if (shared.known) t.too_many_wavefronts += passes(at, bytes, lanes) > shared.wavefronts ? 1 : 0;
    if (is_aligned)
      t.misaligned += std::any_of(at.begin(), at.begin() + lanes, [&](std::int64_t a) { return a % bytes != 0; }) ? 1 : 0;
    if (t.wrong() > before && t.findings.size() < 5)
      t.findings.push_back(text(f, root) + (f.is_signed ? " signed" : " unsigned") + ", block " + std::to_string(f.block[0]) +
                           "x" + std::to_string(f.block[1]) + "x" + std::to_string(f.block[2]) + " warp " +
                           std::to_string(f.warp_number) + ", " + std::to_string(elem_bytes) + " and " + std::to_string(bytes) +
                           " bytes at " + std::to_string(align) + ": " + std::to_string(sectors) + " sectors, said " +
                           std::to_string(global.sectors) + "; " + std::to_string(passes(at, bytes, lanes)) +
                           " wavefronts, said " + std::to_string(shared.wavefronts));
  }
  t.reached += is_reached ? 1 : 0;
}

tally judge_forms(long count, unsigned seed, const verdicts& use) {
  tally t;
  dice d{std::mt19937{seed}};
  for (long i = 0; i < count; ++i) judge_form(t, d, use);
  return t;
}

}  // namespace

TEST_CASE("a clamped index never costs more than its verdict") {
  const char* const asked = std::getenv("TG_CLAMPED_FORMS");
  const long count = asked != nullptr ? std::atol(asked) : 20000;
  const tally t = judge_forms(count, 11, {});
  MESSAGE(t.forms, " forms, ", t.known, " counted, ", t.good, " of these coalesced, ", t.reached, " reached their verdict; ",
          t.runs, " runs, ", t.divided, " with a bound inside a warp");
  for (const std::string& finding : t.findings) MESSAGE(finding);
  CHECK(t.too_many_sectors == 0);
  CHECK(t.too_many_lines == 0);
  CHECK(t.too_many_wavefronts == 0);
  CHECK(t.misaligned == 0);
  CHECK(t.known > t.forms / 4);
  CHECK(t.good > t.known / 10);
  CHECK(t.divided > t.runs / 5);
}

TEST_CASE("a verdict on a clamped index that is too low is found") {
  verdicts defect;
  SUBCASE("a minimum that is the index") {
    defect.min = [](const lane_value& a, const lane_value& b, bool is_signed) {
      const lane_value r = tg::analysis::min(a, b, is_signed);
      return r.known ? tg::analysis::interior(r) : r;
    };
  }
  SUBCASE("sums that add in front of the clamp") {
    defect.add = [](const lane_value& a, const lane_value& b) {
      lane_value r = tg::analysis::add(a, b);
      const int k = r.known ? tg::analysis::clamped_term(r) : -1;
      if (k < 0) return r;
      for (int l = 0; l < 32; ++l) r.strides[k].coef[l] += r.offset[l];
      r.offset = {};
      return r;
    };
  }
  SUBCASE("costs without bounds") {
    defect.counted = [](const lane_value& v) { return tg::analysis::interior(v); };
  }
  CHECK(judge_forms(5000, 12, defect).wrong() > 0);
}
