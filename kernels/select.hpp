// Compaction of a line: elements that a predicate picks, the first of each run of equals, and runs with their lengths. One
// pass: blocks learn by look-back (look_back.hpp) how many elements the parts before theirs have kept. The order stays.
#pragma once

#include <kernels/operators.hpp>
#include <tg/dsl/block/look_back.hpp>
#include <tg/dsl/kernel/launch_bounds.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

/// Elements that a block of these kernels takes.
inline constexpr unsigned select_part = 256 * 8;
/// Blocks for n elements; at least one, which writes the count of an empty line.
constexpr unsigned select_blocks(unsigned n) { return n == 0 ? 1 : (n + select_part - 1) / select_part; }
/// 64-bit words of scratch memory for n elements.
constexpr std::size_t select_scratch(unsigned n) { return tg::look_back_words<unsigned>(select_blocks(n)); }
/// 64-bit words of scratch memory for the `run_lengths` of n elements.
constexpr std::size_t run_scratch(unsigned n) { return tg::look_back_words<std::uint64_t>(select_blocks(n)); }

namespace detail {

/// Two numbers in one word: how many elements were kept, and one more than the place of the last of them.
struct kept_and_last {
  template <class A, class B> auto operator()(const A& a, const B& b) const {
    const auto kept = tg::let((a >> 32u) + (b >> 32u));
    return kept << 32u | tg::max(a & std::uint64_t{0xffffffff}, b & std::uint64_t{0xffffffff});
  }
};

/// `own`, the same in all lanes of a warp, over the warps before this one and over all parts before with them. `then(all)` gets
/// what all parts up to this one have, in one thread.
template <class T, class Block, class Scratch, class P, class F, class Then>
auto over_parts(const Block& block, const Scratch& scratch, const P& part, const tg::value<T>& own, F f, Then then) {
  const auto warp = block.warp();
  const auto warps = tg::shared<T>(tg::shape<8>);
  const auto parts = tg::shared<T>(tg::shape<1>);
  tg::if_(warp.lane == 0u, [&] { warps(warp.index) = own; });
  block.sync();
  tg::if_(warp.index == 0u, [&] {
    tg::var<T> total = tg::let(warps(0_c));
    for (unsigned w = 1; w < 8; ++w) total = f(total.get(), tg::let(warps(w)));
    const auto earlier = tg::look_back<T>(block, scratch, part, total, T{0}, f);
    tg::if_(warp.lane == 0u, [&] {
      parts(0_c) = earlier;
      tg::if_(part + 1u == block.grid.x, [&] { then(f(earlier, total.get())); });
    });
  });
  block.sync();
  // Added up behind the look-back, which needs the registers.
  tg::var<T> before = tg::let(parts(0_c));
  for (unsigned w = 0; w < 7; ++w) before = tg::select(warp.index > w, f(before.get(), tg::let(warps(w))), before);
  return before.get();
}

/// Copies the elements of a line for which `keeps(i, x(i))` holds, and writes how many there are. Lane l of warp w has elements
/// 256 w + 32 k + l of its block's part, for k from 0 to 7.
template <class T, class Block, class In, class Out, class Count, class Scratch, class N, class Keeps>
void compact(const Block& block, const In& x, const Out& y, const Count& count, const Scratch& scratch, const N& n,
             Keeps keeps) {
  constexpr int steps = 8;
  const auto warp = block.warp();
  const auto part = tg::let(tg::take_part(block, scratch));
  const auto first = tg::let(part * select_part + warp.index * constant<32 * steps>{} + warp.lane);
  tg::regs<T, steps> own = T(0);
  tg::regs<unsigned, steps> lanes = 0u;  // bit l: lane l keeps its element
  tg::var<unsigned> kept = 0u;
  tg::unroll<steps>([&](auto k) {
    const auto i = tg::let(first + constant<k.value * 32>{});
    tg::var<bool> is_kept = false;
    tg::if_(i < n, [&] {
      const auto v = tg::let(x(i));
      own(k) = v;
      is_kept = keeps(i, v);
    });
    lanes(k) = warp.ballot(is_kept);
    kept += tg::popcount(lanes(k));
  });
  const auto add = addition{};
  tg::var<unsigned> at =
      over_parts<unsigned>(block, scratch, part, kept.get(), add, [&](const auto& all) { count(0_c) = all; });
  const auto below = tg::let((1u << warp.lane) - 1u);
  tg::unroll<steps>([&](auto k) {
    tg::if_((lanes(k) >> warp.lane & 1u) != 0u, [&] { y(tg::scatter(at + tg::popcount(lanes(k) & below))) = own(k); });
    at += tg::popcount(lanes(k));
  });
  tg::end_part<unsigned>(block, scratch);
}

}  // namespace detail

/// y(0), y(1), ...: the elements of x for which `Keep{}(x(i))` holds, in their order; count(0): how many. `Keep` is stateless
/// and takes a value of the device. Launch with `select_blocks(n)` blocks. What y has behind them stays.
/// Requires: `scratch` has `select_scratch(n)` words, all 0 before the first launch, and so after each; y has room for all that
/// is kept; n + select_part < 2^32.
template <class T, class Keep>
inline constexpr auto select_if =
    tg::kernel<"select_if">(tg::block<256>, [](auto block, tg::in<T> x, tg::out<T> y, tg::out<unsigned> count,
                                               tg::inout<std::uint64_t> scratch, tg::scalar<unsigned> n) {
      detail::compact<T>(block, x, y, count, scratch, n, [](const auto&, const auto& v) { return Keep{}(v); });
    });

/// The first element of each run of equals: y(0), y(1), ...; count(0): how many runs. Floats are equal as numbers, so that NaN
/// begins a run each time. Launch, scratch and requirements: those of `select_if`.
template <class T>
inline constexpr auto unique =
    tg::kernel<"unique">(tg::block<256>, [](auto block, tg::in<T> x, tg::out<T> y, tg::out<unsigned> count,
                                            tg::inout<std::uint64_t> scratch, tg::scalar<unsigned> n) {
      detail::compact<T>(block, x, y, count, scratch, n,
                         [&](const auto& i, const auto& v) { return i == 0u || [&] { return x(i - 1u) != v; }; });
    });

/// Runs of equal elements: of run r, values(r) and lengths(r); count(0): how many. Launch with `select_blocks(n)` blocks.
/// Requires: `scratch` has `run_scratch(n)` words, all 0 before the first launch, and so after each; room for all runs; n +
/// select_part < 2^32.
/// Cost: six blocks share a multiprocessor; for eight ptxas would spill.
template <class T>
inline constexpr auto run_lengths = tg::kernel<"run_lengths">(
    tg::block<256> | tg::min_blocks<6>, [](auto block, tg::in<T> x, tg::out<T> values, tg::out<unsigned> lengths,
                                           tg::out<unsigned> count, tg::inout<std::uint64_t> scratch, tg::scalar<unsigned> n) {
      constexpr int steps = 8;
      const auto warp = block.warp();
      const auto part = tg::let(tg::take_part(block, scratch));
      const auto share = tg::let(part * select_part + warp.index * constant<32 * steps>{});
      const auto step = [&](auto k) { return tg::let(share + warp.lane + constant<k.value * 32>{}); };
      tg::regs<T, steps> own = T(0);
      tg::regs<unsigned, steps> heads = 0u;  // bit l: a run begins in lane l
      tg::var<unsigned> kept = 0u, last = 0u;
      tg::unroll<steps>([&](auto k) {
        const auto i = step(k);
        tg::var<bool> is_head = false;
        tg::if_(i < n, [&] {
          own(k) = x(i);
          is_head = i == 0u || [&] { return x(i - 1u) != own(k); };
        });
        heads(k) = warp.ballot(is_head);
        kept += tg::popcount(heads(k));
        tg::if_(heads(k) != 0u, [&] { last = share + constant<k.value * 32 + 32>{} - tg::leading_zeros(heads(k)); });
      });
      const auto word = tg::cast<std::uint64_t>(kept) << 32u | tg::cast<std::uint64_t>(last);
      const auto before =
          detail::over_parts<std::uint64_t>(block, scratch, part, word, detail::kept_and_last{},
                                            [&](const auto& all) { count(0_c) = tg::cast<unsigned>(all >> 32u); });
      // A run's value is written where it begins, its length where it ends.
      tg::var<unsigned> runs = tg::cast<unsigned>(before >> 32u), begin = tg::cast<unsigned>(before);
      tg::unroll<steps>([&](auto k) {
        const auto i = step(k);
        const auto up_to = tg::let(heads(k) & 0xffffffffu >> (31u - warp.lane));
        const auto run = tg::let(runs + tg::popcount(up_to) - 1u);
        const auto from = tg::let(tg::select(up_to != 0u, share + constant<k.value * 32 + 32>{} - tg::leading_zeros(up_to),
                                             begin));  // one more than its begin
        tg::if_(i < n, [&] {
          tg::if_((heads(k) >> warp.lane & 1u) != 0u, [&] { values(tg::scatter(run)) = own(k); });
          const auto is_last = tg::let(i + 1u == n || [&] { return x(i + 1u) != own(k); });
          tg::if_(is_last, [&] { lengths(tg::scatter(run)) = i + 2u - from; });
        });
        runs += tg::popcount(heads(k));
        tg::if_(heads(k) != 0u, [&] { begin = share + constant<k.value * 32 + 32>{} - tg::leading_zeros(heads(k)); });
      });
      tg::end_part<std::uint64_t>(block, scratch);
    });

}  // namespace tg::kernels
