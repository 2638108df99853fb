// Prefix sums of a line, and scans with any other associative operator, in one pass: each element is read once and written
// once. Blocks hand over what they have by look-back (look_back.hpp).
//
//   a part of the line   a warp's share   step k: 16 bytes per lane
//   |w0|w1|...|w7|       |k0|k1|k2|k3|    |lane 0|lane 1|...|lane 31|
#pragma once

#include <limits>

#include <kernels/operators.hpp>
#include <tg/dsl/block/look_back.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

/// Elements that a block of `scan` takes: 64 bytes per thread.
template <class T> inline constexpr unsigned scan_part = 256 * 64 / sizeof(T);
/// Blocks of a scan of n elements.
template <class T> constexpr unsigned scan_blocks(unsigned n) { return (n + scan_part<T> - 1) / scan_part<T>; }
/// 64-bit words of scratch memory for a scan of n elements.
template <class T> constexpr std::size_t scan_scratch(unsigned n) { return tg::look_back_words<T>(scan_blocks<T>(n)); }

/// Which elements a scan combines: those up to each element with or without it.
enum class scan_kind { inclusive, exclusive };

/// y(i) = x(0) op ... op x(i), or without x(i); `Op::identity` for the first of an exclusive one. T: integers of 32 and 64
/// bits, float, double. Floats are combined in an order that may differ between launches. Launch with `scan_blocks<T>(n)`
/// blocks. Requires: `scratch` has `scan_scratch<T>(n)` words, all 0 before the first launch, and so after each; n +
/// scan_part<T> < 2^32; Op is associative.
template <class T, class Op = addition, scan_kind Kind = scan_kind::inclusive>
inline constexpr auto scan = tg::kernel<"scan">(tg::block<256>, [](auto block, tg::in<T> x, tg::out<T> y,
                                                                   tg::inout<std::uint64_t> scratch, tg::scalar<unsigned> n) {
  constexpr int width = 16 / sizeof(T), steps = 4;
  constexpr Op op{};
  constexpr T none = Op::template identity<T>();
  const auto warp = block.warp();
  const auto part = tg::let(tg::take_part(block, scratch));
  const auto first = tg::let(part * scan_part<T> + warp.index * constant<32 * width * steps>{} + warp.lane * constant<width>{});
  const auto rest = tg::let(n / constant<width>{} * constant<width>{});  // from here on less than 16 bytes
  const auto step = [&](auto k) { return tg::let(first + constant<k.value * 32 * width>{}); };

  tg::regs<T, steps, width> own = none;
  const auto load = [&](auto k, const auto& i) {
    const auto v = x.template vec<width>(i);
    tg::unroll<width>([&](auto c) { own(k, c) = v(c); });
  };
  const auto is_full = tg::let(part * scan_part<T> + scan_part<T> <= n);
  tg::if_(is_full, [&] { tg::unroll<steps>([&](auto k) { load(k, step(k)); }); }).else_([&] {
    tg::unroll<steps>([&](auto k) {
      const auto i = step(k);
      tg::if_(i < rest, [&] { load(k, i); });
      tg::unroll<width - 1>([&](auto c) { tg::if_(i == rest && rest + c < n, [&] { own(k, c) = x(rest + c); }); });
    });
  });

  // through(k): the lanes up to this one in step k, and all steps before.
  tg::regs<T, steps> before = none;
  tg::var<T> all = none;
  tg::unroll<steps>([&](auto k) {
    for (int c = 1; c < width; ++c) own(k, c) = op(own(k, c - 1).get(), own(k, c).get());
    tg::var<T> through = own(k, constant<width - 1>{}).get();
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const auto below = warp.shuffle_up(through, distance);
      tg::if_(warp.lane >= distance, [&] { through = op(below, through.get()); });
    }
    const auto lanes = tg::let(tg::select(warp.lane == 0u, none, warp.shuffle_up(through, 1u)));
    before(k) = op(all.get(), lanes);
    all = op(all.get(), warp.shuffle(through, 31u));
  });

  const auto warps = tg::shared<T>(tg::shape<8>);
  const auto parts = tg::shared<T>(tg::shape<1>);
  tg::if_(warp.lane == 0u, [&] { warps(warp.index) = all; });
  block.sync();
  tg::var<T> below = none, total = none;
  for (unsigned w = 0; w < 8; ++w) {
    below = tg::select(warp.index == w, total, below);
    total = op(total.get(), tg::let(warps(w)));
  }
  tg::if_(warp.index == 0u, [&] {
    const auto earlier = tg::look_back<T>(block, scratch, part, total, none, op);
    tg::if_(warp.lane == 0u, [&] { parts(0_c) = earlier; });
  });
  block.sync();
  const auto start = tg::let(op(tg::let(parts(0_c)), below.get()));
  tg::unroll<steps>([&](auto k) {
    const auto lead = tg::let(op(start, before(k).get()));
    for (int c = width; c-- > 0;) {
      if constexpr (Kind == scan_kind::inclusive) own(k, c) = op(lead, own(k, c).get());
      else if (c > 0) own(k, c) = op(lead, own(k, c - 1).get());
      else own(k, c) = lead;
    }
  });
  const auto store = [&](auto k, const auto& i) { y.template vec<width>(i) = own.template vec<width>(k, 0_c); };
  tg::if_(is_full, [&] { tg::unroll<steps>([&](auto k) { store(k, step(k)); }); }).else_([&] {
    tg::unroll<steps>([&](auto k) {
      const auto i = step(k);
      tg::if_(i < rest, [&] { store(k, i); });
      tg::unroll<width - 1>([&](auto c) { tg::if_(i == rest && rest + c < n, [&] { y(rest + c) = own(k, c); }); });
    });
  });
  tg::end_part<T>(block, scratch);
});

}  // namespace tg::kernels
