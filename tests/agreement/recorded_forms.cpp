// Random indices with divisions, selections and stepped variables in them, which the recorder judges: no choice of the unknowns
// costs more than the verdict says. The judge here computes each lane with numbers and counts sectors on its own.
//
// TG_RECORDED_FORMS=300000 build/gcc/tests/test_agreement -tc="*recorded index*" judges that many.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <tg/base/dynamic_array.hpp>

#include <tg/base/error.hpp>
#include <tg/dsl.hpp>
#include <tg/dsl/flow/assume.hpp>
#include <tg/dsl/kernel/trace.hpp>

namespace {

using namespace tg::literals;
using warp = std::array<std::int64_t, 32>;

enum class word { thread, block, first, second, number, add, sub, mul, div, rem, mask, shift, min, select, ring, variable };

struct node {
  word kind = word::number;
  int a = -1, b = -1;
  std::int64_t value = 0;
};

struct form {
  tg::dynamic_array<node> nodes;
  int element_bytes = 4;
  bool is_assumed = false;  // that the first number is 32 or more

  int push(node n) {
    nodes.push_back(n);
    return static_cast<int>(nodes.size()) - 1;
  }
};

struct dice {
  std::mt19937 engine;
  int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  std::int64_t of(std::initializer_list<std::int64_t> all) { return all.begin()[below(static_cast<int>(all.size()))]; }
};

int uniform(form& f, dice& d) {
  switch (d.below(5)) {
    case 0: return f.push({word::block});
    case 1:
    case 2: return f.push({word::first});
    case 3: return f.push({word::second});
    default: return f.push({word::number, -1, -1, d.of({0, 1, 2, 3, 5, 31, 32, 33, 100})});
  }
}

int divisor(form& f, dice& d) {
  if (d.one_in(4)) return f.push({word::number, -1, -1, d.of({2, 3, 7, 12, 31, 32, 33, 64, 100, 1024})});
  int out = f.push({d.one_in(3) ? word::second : word::first});
  if (d.one_in(5)) out = f.push({word::mul, out, -1, d.of({2, 4, 32})});
  if (d.one_in(8)) out = f.push({word::sub, out, f.push({word::number, -1, -1, 1})});
  return out;
}

int grow(form& f, dice& d, int depth) {
  if (depth == 0) {
    if (d.one_in(4)) return uniform(f, d);
    int out = f.push({word::thread});
    if (d.one_in(2)) out = f.push({word::add, f.push({word::mul, f.push({word::block}), -1, d.of({64, 64, 1, 32, 50})}), out});
    return out;
  }
  const int a = grow(f, d, depth - 1);
  switch (d.below(14)) {
    case 0:
    case 1: return f.push({word::add, a, uniform(f, d)});
    case 2: return f.push({word::sub, a, uniform(f, d)});
    case 3: return f.push({word::mul, a, -1, d.of({1, 2, 3, 4, 8, 33})});
    case 4:
    case 5: return f.push({word::rem, a, divisor(f, d)});
    case 6: return f.push({word::div, a, divisor(f, d)});
    case 7: return f.push({word::mask, a, -1, d.of({7, 31, 63, 1023})});
    case 8: return f.push({word::shift, a, -1, d.of({1, 2, 5})});
    case 9: return f.push({word::min, a, uniform(f, d)});
    case 10: return f.push({word::add, a, grow(f, d, d.below(depth))});
    case 11: return f.push({word::select, a, d.one_in(2) ? uniform(f, d) : grow(f, d, d.below(depth)), d.below(12)});
    case 12: return f.push({word::ring, a, divisor(f, d), d.of({0, 1, 1, 2, 32, -1, -1, -2})});
    default: return f.push({word::variable, a, uniform(f, d), d.below(3)});
  }
}

form random_form(dice& d) {
  form f;
  f.element_bytes = static_cast<int>(d.of({1, 4, 4, 8}));
  f.is_assumed = d.one_in(4);
  const int a = grow(f, d, 1 + d.below(3));
  if (d.one_in(3)) f.push({word::add, f.push({word::mul, a, -1, d.of({1, 4, 100})}), grow(f, d, 1 + d.below(2))});
  return f;
}

// Recording.
using index = tg::value<unsigned, tg::index::traced>;

struct parameters {
  tg::in<unsigned> data;
  tg::scalar<unsigned> first, second;
};

template <class Block>
index made(const form& f, int at, const Block& block, const parameters& p, const tg::dynamic_array<index>& inside) {
  const node& n = f.nodes[static_cast<std::size_t>(at)];
  const auto of = [&](int which) { return made(f, which, block, p, inside); };
  const auto plain = [](const auto& x) { return index{x.get().operand}; };
  switch (n.kind) {
    case word::thread: return plain(block.thread.x);
    case word::block: return plain(block.index.x);
    case word::first: return plain(p.first);
    case word::second: return plain(p.second);
    case word::number: return index{tg::ptx::operand::integer(n.value)};
    case word::add: return plain(of(n.a) + of(n.b));
    case word::sub: return plain(of(n.a) - of(n.b));
    case word::mul: return plain(of(n.a) * static_cast<unsigned>(n.value));
    case word::div: return plain(of(n.a) / of(n.b));
    case word::rem: return plain(of(n.a) % of(n.b));
    case word::mask: return plain(of(n.a) & static_cast<unsigned>(n.value));
    case word::shift: return plain(of(n.a) >> static_cast<unsigned>(n.value));
    case word::min: return plain(tg::min(of(n.a), of(n.b)));
    case word::select: {
      const index a = of(n.a), b = of(n.b);
      if (n.value > 8) return plain(tg::select(block.thread.x >= static_cast<unsigned>(3 + 11 * (n.value - 9)), a, b));
      if (n.value > 5) return plain(tg::select(block.thread.x < static_cast<unsigned>(5 + 21 * (n.value - 6)), a, b));
      if (n.value < 3) return plain(tg::select(p.data(block.thread.x) > 5u + static_cast<unsigned>(n.value), a, b));
      return plain(tg::select(p.first > 7u + static_cast<unsigned>(n.value), a, b));
    }
    case word::ring: {
      const index u = of(n.b), x = plain(of(n.a) % u);
      const auto by = static_cast<unsigned>(std::abs(n.value));
      return n.value < 0 ? plain((x + (u - by)) % u) : plain((x + by) % u);
    }
    default: {
      // Stepped a few times, by what all lanes share.
      const index step = of(n.b);
      tg::var<unsigned> v = of(n.a);
      tg::for_(tg::range(static_cast<unsigned>(n.value + 1)), [&](auto) { v += step; });
      return plain(v);
    }
  }
}

// Numbers. Unsigned ones that have wrapped below 0 keep the number whose bits they have.
struct run {
  const form& f;
  int warp_number;
  std::int64_t block, first, second;
  std::array<std::uint32_t, 64> data{};
  bool is_valid = true;

  warp lanes(int at) {
    const node& n = f.nodes[static_cast<std::size_t>(at)];
    warp out{};
    const auto same = [&](std::int64_t v) { return out.fill(v), out; };
    switch (n.kind) {
      case word::thread:
        for (std::size_t l = 0; l < 32; ++l) out[l] = warp_number * 32 + static_cast<int>(l);
        return out;
      case word::block: return same(block);
      case word::first: return same(first);
      case word::second: return same(second);
      case word::number: return same(n.value);
      default: break;
    }
    const warp a = lanes(n.a), b = n.b >= 0 ? lanes(n.b) : same(n.value);
    for (std::size_t l = 0; l < 32; ++l) {
      const auto x = static_cast<std::uint32_t>(a[l]), y = static_cast<std::uint32_t>(b[l]);
      const auto back = [](std::uint32_t v) { return std::int64_t{static_cast<std::int32_t>(v)}; };
      switch (n.kind) {
        case word::add: out[l] = a[l] + b[l]; break;
        case word::sub: out[l] = a[l] - b[l]; break;
        case word::mul: out[l] = a[l] * b[l]; break;
        case word::div: out[l] = y == 0 ? (is_valid = false, 0) : back(x / y); break;
        case word::rem: out[l] = y == 0 ? (is_valid = false, 0) : back(x % y); break;
        case word::mask: out[l] = back(x & y); break;
        case word::shift: out[l] = back(x >> y); break;
        case word::min: out[l] = back(std::min(x, y)); break;
        case word::select: {
          const std::size_t thread = static_cast<std::size_t>(warp_number) * 32 + l;
          const auto place = static_cast<std::int64_t>(thread);
          const bool is_first = n.value > 8   ? place >= 3 + 11 * (n.value - 9)
                                : n.value > 5 ? place < 5 + 21 * (n.value - 6)
                                : n.value < 3 ? data[thread] > 5u + static_cast<unsigned>(n.value)
                                              : first > 7 + n.value;
          out[l] = is_first ? a[l] : b[l];
          break;
        }
        case word::ring: {
          if (y == 0) return is_valid = false, out;
          const std::int64_t sum = std::int64_t{x % y} + n.value + (n.value < 0 ? std::int64_t{y} : 0);
          if (sum < 0 || sum > UINT32_MAX) return is_valid = false, out;
          out[l] = back(static_cast<std::uint32_t>(sum % y));
          break;
        }
        default: out[l] = a[l] + (n.value + 1) * b[l]; break;
      }
      if (out[l] < INT32_MIN || out[l] > INT32_MAX) is_valid = false;
    }
    return out;
  }
};

int sectors(const warp& first_byte, int bytes) {
  std::array<std::int64_t, 64> all{};
  std::size_t count = 0;
  for (const std::int64_t at : first_byte)
    for (std::int64_t s = at / 32; s <= (at + bytes - 1) / 32; ++s) all[count++] = s;
  std::sort(all.begin(), all.begin() + count);
  return static_cast<int>(std::unique(all.begin(), all.begin() + count) - all.begin());
}

struct tally {
  long forms = 0, known = 0, good = 0, runs = 0, reached = 0, wrong = 0;
  tg::dynamic_array<std::string> findings;
};

std::string text(const form& f, int at) {
  static constexpr std::array<const char*, 16> words{"t", "b", "n", "m",  "",    "+",      "-",    "*",
                                                     "/", "%", "&", ">>", "min", "select", "ring", "steps"};
  const node& n = f.nodes[static_cast<std::size_t>(at)];
  const char* const own = words[static_cast<std::size_t>(n.kind)];
  if (n.kind == word::number) return std::to_string(n.value);
  if (n.a < 0) return own;
  const std::string value =
      n.b < 0 || n.kind == word::select || n.kind == word::ring || n.kind == word::variable ? std::to_string(n.value) : "";
  return "(" + text(f, n.a) + " " + own + " " + (n.b < 0 ? "" : text(f, n.b)) + value + ")";
}

template <class T> tg::dynamic_array<tg::access> recorded(const form& f) {
  return tg::trace(tg::kernel<"recorded_form">(tg::block<64>,
                                               [&f](auto block, tg::in<T> x, tg::out<T> y, tg::in<unsigned> data,
                                                    tg::scalar<unsigned> n, tg::scalar<unsigned> m) {
                                                 if (f.is_assumed) tg::assume(n >= 32u);
                                                 const index at =
                                                     made(f, static_cast<int>(f.nodes.size()) - 1, block, {data, n, m}, {});
                                                 y(block.global_index()) = x(at, tg::allow<tg::TG202>("random"));
                                               }))
      .accesses;
}

void judge(tally& t, dice& d, bool is_best_taken) {
  const form f = random_form(d);
  ++t.forms;
  tg::dynamic_array<tg::access> accesses;
  try {
    accesses = f.element_bytes == 1   ? recorded<unsigned char>(f)
               : f.element_bytes == 4 ? recorded<float>(f)
                                      : recorded<double>(f);
  } catch (const tg::error& e) {
    if (e.number() != 204) throw;
    return;
  }
  const auto judged = std::find_if(accesses.begin(), accesses.end(), [](const tg::access& a) { return a.parameter == 0; });
  REQUIRE(judged != accesses.end());
  ++t.known;
  t.good += judged->global.good;
  bool is_reached = false;
  for (int n = 0; n < 60; ++n) {
    run one{f, d.below(2), d.below(40), 0, 0};
    const auto number = [&] {
      return d.one_in(2) ? 1 + d.below(40) : d.one_in(2) ? 32 + d.below(100) : d.of({32, 64, 96, 128, 1000, 4096});
    };
    one.first = number();
    one.second = number();
    if (f.is_assumed && one.first < 32) continue;
    for (auto& v : one.data) v = static_cast<std::uint32_t>(d.below(12));
    warp at = one.lanes(static_cast<int>(f.nodes.size()) - 1);
    if (!one.is_valid || std::any_of(at.begin(), at.end(), [](std::int64_t a) { return a < 0; })) continue;
    ++t.runs;
    const std::int64_t base = 16 * d.below(4);
    for (auto& a : at) a = base + a * f.element_bytes;
    const tg::global_share& said = judged->global_of_warp[static_cast<std::size_t>(one.warp_number)];
    const int counted = sectors(at, f.element_bytes), most = is_best_taken ? said.sectors_best : said.sectors;
    is_reached = is_reached || counted == most;
    if (counted <= most) continue;
    ++t.wrong;
    if (t.findings.size() < 5)
      t.findings.push_back((f.is_assumed ? "n >= 32: " : "") + text(f, static_cast<int>(f.nodes.size()) - 1) + ", " +
                           std::to_string(f.element_bytes) + " bytes, warp " + std::to_string(one.warp_number) + ", b " +
                           std::to_string(one.block) + " n " + std::to_string(one.first) + " m " + std::to_string(one.second) +
                           ": " + std::to_string(counted) + " sectors, said " + std::to_string(most));
  }
  t.reached += is_reached;
}

tally judge_forms(long count, unsigned seed, bool is_best_taken = false) {
  tally t;
  dice d{std::mt19937{seed}};
  for (long i = 0; i < count; ++i) judge(t, d, is_best_taken);
  return t;
}

}  // namespace

TEST_CASE("a recorded index never costs more than its verdict") {
  const char* const asked = std::getenv("TG_RECORDED_FORMS");
  const char* const seed = std::getenv("TG_RECORDED_SEED");
  const tally t =
      judge_forms(asked != nullptr ? std::atol(asked) : 2000, seed != nullptr ? static_cast<unsigned>(std::atol(seed)) : 5u);
  MESSAGE(t.forms, " forms, ", t.known, " counted, ", t.good, " of these coalesced, ", t.reached, " reached their verdict; ",
          t.runs, " runs");
  for (const std::string& finding : t.findings) MESSAGE(finding);
  CHECK(t.wrong == 0);
  CHECK(t.known > t.forms / 3);
  CHECK(t.good > t.known / 4);
}

TEST_CASE("a verdict on a recorded index that is too low is found") { CHECK(judge_forms(200, 6, true).wrong > 0); }
