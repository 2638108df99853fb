// Loops over the lanes of whole warps. Included once per vector unit, inside the unit's namespace and target.
#include <cstddef>
#include <cstdint>

#include <tg/base/config.hpp>
#include <tg/emulator/image/lane_op.hpp>

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // loops that a unit has no instructions for stay scalar
#endif

using std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::size_t, std::uint16_t, std::uint32_t, std::uint64_t,
    std::uint8_t;

template <class T> struct slot_of { using type = T; };
template <> struct slot_of<uint8_t> { using type = uint32_t; };
template <> struct slot_of<int8_t> { using type = uint32_t; };
template <> struct slot_of<uint16_t> { using type = uint32_t; };
template <> struct slot_of<int16_t> { using type = uint32_t; };
template <class T> using slot = typename slot_of<T>::type;

// `analysis::warp_lanes`, written again: this file is compiled in the namespace of a vector unit, which no other header enters.
inline constexpr int lanes_per_warp = 32;

/// r = Op(a), r of type R, a of type A.
template <class Op, class R, class A = R> inline void one(std::byte* const* slots, size_t warps) {
  auto* r = reinterpret_cast<slot<R>*>(slots[0]);
  auto* a = reinterpret_cast<const slot<A>*>(slots[1]);
  for (; warps != 0; --warps, r += lanes_per_warp, a += lanes_per_warp) {
    TG_INDEPENDENT
    for (int i = 0; i < lanes_per_warp; ++i) r[i] = static_cast<slot<R>>(static_cast<R>(Op::of(static_cast<A>(a[i]))));
  }
}

/// r = Op(a, b), b of type B.
template <class Op, class R, class A = R, class B = A> inline void two(std::byte* const* slots, size_t warps) {
  auto* r = reinterpret_cast<slot<R>*>(slots[0]);
  auto* a = reinterpret_cast<const slot<A>*>(slots[1]);
  auto* b = reinterpret_cast<const slot<B>*>(slots[2]);
  for (; warps != 0; --warps, r += lanes_per_warp, a += lanes_per_warp, b += lanes_per_warp) {
    TG_INDEPENDENT
    for (int i = 0; i < lanes_per_warp; ++i)
      r[i] = static_cast<slot<R>>(static_cast<R>(Op::of(static_cast<A>(a[i]), static_cast<B>(b[i]))));
  }
}

/// r = Op(a, b, c).
template <class Op, class R, class A = R, class B = A, class C = A> inline void three(std::byte* const* slots, size_t warps) {
  auto* r = reinterpret_cast<slot<R>*>(slots[0]);
  auto* a = reinterpret_cast<const slot<A>*>(slots[1]);
  auto* b = reinterpret_cast<const slot<B>*>(slots[2]);
  auto* c = reinterpret_cast<const slot<C>*>(slots[3]);
  for (; warps != 0; --warps, r += lanes_per_warp, a += lanes_per_warp, b += lanes_per_warp, c += lanes_per_warp) {
    TG_INDEPENDENT
    for (int i = 0; i < lanes_per_warp; ++i)
      r[i] = static_cast<slot<R>>(static_cast<R>(Op::of(static_cast<A>(a[i]), static_cast<B>(b[i]), static_cast<C>(c[i]))));
  }
}

/// r = Op(a, b, c, d), c and d of 32 bits.
template <class Op, class R> inline void four(std::byte* const* slots, size_t warps) {
  auto* r = reinterpret_cast<R*>(slots[0]);
  auto* a = reinterpret_cast<const R*>(slots[1]);
  auto* b = reinterpret_cast<const R*>(slots[2]);
  auto* c = reinterpret_cast<const uint32_t*>(slots[3]);
  auto* d = reinterpret_cast<const uint32_t*>(slots[4]);
  for (; warps != 0;
       --warps, r += lanes_per_warp, a += lanes_per_warp, b += lanes_per_warp, c += lanes_per_warp, d += lanes_per_warp) {
    TG_INDEPENDENT
    for (int i = 0; i < lanes_per_warp; ++i) r[i] = Op::of(a[i], b[i], c[i], d[i]);
  }
}

/// A predicate: r = Op(a, b) ? ~0 : 0.
template <class Op, class A> inline void test(std::byte* const* slots, size_t warps) {
  auto* r = reinterpret_cast<uint32_t*>(slots[0]);
  auto* a = reinterpret_cast<const slot<A>*>(slots[1]);
  auto* b = reinterpret_cast<const slot<A>*>(slots[2]);
  for (; warps != 0; --warps, r += lanes_per_warp, a += lanes_per_warp, b += lanes_per_warp) {
    TG_INDEPENDENT
    for (int i = 0; i < lanes_per_warp; ++i)
      r[i] = Op::of(static_cast<A>(a[i]), static_cast<A>(b[i])) ? ~uint32_t{0} : uint32_t{0};
  }
}
