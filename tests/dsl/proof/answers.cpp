#include <tg/dsl/proof/answers.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tg/base/dynamic_array.hpp>

#include "random_program.hpp"

// Random functions, judged by running every thread of every block of many launches one instruction at a time, with the
// host's own arithmetic.

namespace {

namespace pf = tg::proof;
using namespace random_kernel;
using random_kernel::access;

/// One thread's values. `is_over`: a sum, product or shift passed 2^32, or the steps of a loop did.
tg::dynamic_array<std::uint32_t> values_of(const program& p, std::uint32_t thread, std::uint32_t block, std::uint32_t blocks,
                                           std::uint32_t n, bool& is_over, bool& is_undefined) {
  tg::dynamic_array<std::uint32_t> v = {thread, block, blocks, n};
  for (const step& s : p.steps) {
    const std::uint32_t a = v[static_cast<std::size_t>(s.a)], b = s.b >= 0 ? v[static_cast<std::size_t>(s.b)] : s.with;
    const auto x = static_cast<std::int32_t>(a), y = static_cast<std::int32_t>(b);
    const std::uint64_t wide_a = a, wide_b = b;
    const auto kept = [&](std::uint64_t wide) {
      is_over = is_over || wide >> 32 != 0;
      return static_cast<std::uint32_t>(wide);
    };
    using kind = step::kind;
    const bool is_signed_trap = b == 0 || (x == INT32_MIN && y == -1);
    switch (s.what) {
      case kind::add: v.push_back(kept(wide_a + wide_b)); break;
      case kind::sub: v.push_back(a - b); break;
      case kind::mul: v.push_back(kept(wide_a * wide_b)); break;
      case kind::shl:
        if (b > 31) is_over = true;
        v.push_back(b > 31 ? 0 : kept(wide_a << b));
        break;
      case kind::shr: v.push_back(b > 31 ? 0 : a >> b); break;
      case kind::sar: v.push_back(static_cast<std::uint32_t>(x >> (b > 31 ? 31 : b))); break;
      case kind::band: v.push_back(a & b); break;
      case kind::bor: v.push_back(a | b); break;
      case kind::bxor: v.push_back(a ^ b); break;
      case kind::umin: v.push_back(std::min(a, b)); break;
      case kind::umax: v.push_back(std::max(a, b)); break;
      case kind::smin: v.push_back(static_cast<std::uint32_t>(std::min(x, y))); break;
      case kind::smax: v.push_back(static_cast<std::uint32_t>(std::max(x, y))); break;
      case kind::udiv: v.push_back(b == 0 ? 0 : a / b), is_undefined |= b == 0; break;
      case kind::urem: v.push_back(b == 0 ? 0 : a % b), is_undefined |= b == 0; break;
      case kind::sdiv:
        v.push_back(is_signed_trap ? 0 : static_cast<std::uint32_t>(x / y)), is_undefined |= is_signed_trap;
        break;
      case kind::srem:
        v.push_back(is_signed_trap ? 0 : static_cast<std::uint32_t>(x % y)), is_undefined |= is_signed_trap;
        break;
      case kind::to_u8: v.push_back(a & 0xff); break;
      case kind::to_u16: v.push_back(a & 0xffff); break;
      case kind::to_s8: v.push_back(static_cast<std::uint32_t>(static_cast<std::int8_t>(a))); break;
      case kind::select:
      case kind::count: v.push_back(a < b ? a : b); break;
    }
    // Numbers from 2^31 on that are read as signed count as too large.
    if (s.what >= kind::sar && (a >> 31 || b >> 31)) is_over = true;
  }
  return v;
}

struct outcome {
  bool in_shared = false, in_global = false;  // races
  bool is_apart = false;                      // threads of a block come to different barriers
  bool is_unwritten = false;                  // shared memory is read that no access before has written
  bool is_outside = false;                    // of the tile
  bool is_over = false, is_undefined = false;
};

/// Every thread of every block, and what they touch between the same barriers.
outcome run(const program& p, std::uint32_t blocks, std::uint32_t n) {
  struct touched {
    std::uint32_t block, thread;
    int epoch;
    bool writes;
  };
  std::map<std::pair<bool, std::uint32_t>, tg::dynamic_array<touched>> bytes;
  outcome out;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    std::map<std::uint32_t, std::size_t> first_write;  // of the tile: number of the access
    tg::dynamic_array<std::pair<std::uint32_t, std::size_t>> reads;
    tg::dynamic_array<std::size_t> met;  // number of the access of each barrier of thread 0
    for (std::uint32_t t = 0; t < static_cast<std::uint32_t>(p.threads); ++t) {
      const auto v = values_of(p, t, block, blocks, n, out.is_over, out.is_undefined);
      tg::dynamic_array<std::size_t> mine;
      for (std::size_t k = 0; k < p.accesses.size(); ++k) {
        const access& a = p.accesses[k];
        if (a.has_barrier_before) mine.push_back(2 * k);
        std::uint32_t index = v[static_cast<std::size_t>(a.index)];
        const auto touch = [&] {
          out.is_over = out.is_over || (a.is_shared && index >> 29 != 0);  // in bytes; signed
          const std::uint32_t at = a.is_shared ? index * 4 : index;
          bytes[{a.is_shared, at}].push_back({block, t, static_cast<int>(mine.size()), a.writes});
          if (a.is_shared && at > tile_bytes - 4) out.is_outside = true;
          if (a.is_shared && a.writes) first_write.try_emplace(at, k);
          if (a.is_shared && a.writes) first_write[at] = std::min(first_write[at], k);
          if (a.is_shared && !a.writes && at <= tile_bytes - 4) reads.emplace_back(at, k);
          if (a.has_barrier_inside) mine.push_back(2 * k + 1);
        };
        if (a.is_in_loop) {
          const std::uint32_t stop = v[static_cast<std::size_t>(a.right)];
          for (int turns = 0; index < stop && turns < 100; ++turns, index += static_cast<std::uint32_t>(a.step)) {
            touch();
            out.is_over = out.is_over || index + static_cast<std::uint32_t>(a.step) < index;
          }
          continue;
        }
        if (a.left >= 0) {
          const std::uint32_t x = v[static_cast<std::size_t>(a.left)], y = v[static_cast<std::size_t>(a.right)];
          if (a.is_signed && (x >> 31 || y >> 31)) out.is_over = true;
          if (!(a.is_signed ? static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y) : x < y)) continue;
        }
        touch();
      }
      if (t == 0) met = mine;
      out.is_apart = out.is_apart || met != mine;
    }
    for (const auto& [at, k] : reads)
      if (const auto w = first_write.find(at); w == first_write.end() || w->second > k) out.is_unwritten = true;
  }
  for (const auto& [at, all] : bytes)
    for (std::size_t k = 0; k < all.size() && !(at.first ? out.in_shared : out.in_global); ++k)
      for (std::size_t j = 0; j < k; ++j) {
        const touched &x = all[j], &y = all[k];
        if (!x.writes && !y.writes) continue;
        if (x.block == y.block ? x.thread == y.thread || x.epoch != y.epoch : at.first) continue;
        (at.first ? out.in_shared : out.in_global) = true;
      }
  return out;
}

std::string text_of(const program& p) {
  std::string out = std::to_string(p.threads) + " threads;";
  for (const step& s : p.steps)
    out += " v" + std::to_string(first_values + (&s - p.steps.data())) + "=" + std::to_string(static_cast<int>(s.what)) + "(v" +
           std::to_string(s.a) + "," + (s.b >= 0 ? "v" + std::to_string(s.b) : std::to_string(s.with)) + ")";
  for (const access& a : p.accesses)
    out += std::string("; ") + (a.has_barrier_before ? "bar " : "") + (a.has_barrier_inside ? "inside " : "") +
           (a.is_in_loop ? "loop+" + std::to_string(a.step) + " " : "") + (a.is_shared ? "s" : "g") + (a.writes ? "w" : "r") +
           " v" + std::to_string(a.index) +
           (a.left >= 0 || a.is_in_loop
                ? " if v" + std::to_string(a.left) + "<v" + std::to_string(a.right) + (a.is_signed ? "s" : "")
                : "");
  return out;
}

struct tally { int programs = 0, proved = 0, assumed = 0, refuted = 0, unknown = 0; };

/// Proofs and refutations of one program for blocks of `asked` threads; what is wrong of those that it has comes as text.
std::string judged(const program& p, int asked, tally& count) {
  const tg::ptx::module m = to_module(p);
  const tg::dynamic_array<pf::parameter_fact> parameters = {{.what = pf::parameter_fact::kind::buffer, .element_bytes = 4},
                                                            {.what = pf::parameter_fact::kind::scalar, .argument = 1}};
  const pf::answers all = pf::answers_of(m, {asked, 1, 1}, parameters);
  std::string wrong;
  ++count.programs;
  std::map<std::pair<std::uint32_t, std::uint32_t>, outcome> seen;  // by blocks and n: what every question asks again
  const auto ran = [&](std::uint32_t blocks, std::uint32_t n) -> const outcome& {
    const auto [at, is_new] = seen.try_emplace({blocks, n});
    if (is_new) at->second = run(p, blocks, n);
    return at->second;
  };
  using tg::question;
  for (const question q :
       {question::shared_race, question::global_race, question::barrier, question::initialized, question::extents}) {
    bool is_proved = true, is_refuted = false;
    tg::assumptions assumed;
    for (const tg::finding& f : all.findings) {
      if (f.question != q) continue;
      is_proved = is_proved && f.answer == tg::answer::proved;
      is_refuted = is_refuted || f.answer == tg::answer::refuted;
      assumed |= f.assumed;
    }
    count.proved += is_proved && !assumed.no_overflow, count.assumed += is_proved && assumed.no_overflow;
    count.refuted += is_refuted, count.unknown += !is_proved && !is_refuted;
    const auto is_wrong = [&](const outcome& r) {
      if (q == question::barrier) return r.is_apart;
      if (q == question::extents) return r.is_outside;
      if (q == question::initialized) return r.is_unwritten;
      return q == question::shared_race ? r.in_shared : r.in_global;
    };
    // What happens after threads have missed a barrier, or outside a tile, is nothing that the other answers are about.
    const auto is_judged = [&](const outcome& r) {
      return !r.is_undefined && (q == question::barrier || !r.is_apart) && (q == question::extents || !r.is_outside);
    };
    if (is_proved)
      for (const std::uint32_t n : {0u, 1u, 2u, 3u, 5u, 8u, 31u, 33u, 64u, 100u, 255u, 257u, 0x7fffffffu, 0x80000000u,
                                    0x80000003u, 0xfffffff0u, 0xffffffffu})
        for (const std::uint32_t blocks : {1u, 2u, 3u, 5u}) {
          if (assumed.one_block_x && blocks > 1) continue;
          const outcome& r = ran(blocks, n);
          if (!is_judged(r) || (r.is_over && assumed.no_overflow)) continue;
          if (is_wrong(r))
            wrong += std::string(tg::name(q)) + " proved, but n = " + std::to_string(n) + " with " + std::to_string(blocks) +
                     " blocks: " + text_of(p) + "\n";
        }
    if (is_refuted) {
      bool has_example = false;
      for (const pf::number n : pf::arguments_to_try)
        for (const std::uint32_t blocks : {1u, 2u}) {
          has_example = has_example || is_wrong(ran(blocks, static_cast<std::uint32_t>(n)));
        }
      if (!has_example) wrong += std::string(tg::name(q)) + " refuted without example: " + text_of(p) + "\n";
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("what is proved of random functions holds in every launch, what is refuted fails in one") {
  std::mt19937 random(15);
  tally count;
  std::string wrong;
  for (int k = 0; k < 600; ++k) {
    const program p = random_program(random);
    wrong += judged(p, p.threads, count);
  }
  INFO(wrong);
  CHECK(wrong.empty());
  MESSAGE(count.programs, " functions, five questions each: ", count.proved, " proved, ", count.assumed,
          " proved without overflow, ", count.refuted, " refuted, ", count.unknown, " unknown");
  CHECK(count.proved > 1000);
  CHECK(count.refuted > 300);
}

TEST_CASE("the judge of random functions finds wrong proofs: of blocks that are smaller than those that run") {
  program p;  // 33 threads write element thread & 15 of a tile
  p.steps = {{step::kind::band, 0, -1, 15}};
  p.accesses.emplace_back();
  p.accesses[0].index = first_values;
  p.accesses[0].is_shared = true;
  p.threads = 33;
  tally count;
  CHECK(judged(p, 8, count).find(" proved, but n = ") != std::string::npos);
  CHECK(judged(p, 33, count).empty());
}
