// Values and accesses that are evenly spaced over lanes. Included once per vector unit, inside its namespace and
// target.
#include <tg/emulator/lanes/access.hpp>

template <class T> struct unaligned { typedef T type __attribute__((aligned(1), may_alias)); };

/// Lane i of `to` = the first value of `from`.
inline void fill_same(std::byte* to, const std::byte* from, size_t bytes, size_t warps) {
  const size_t lanes = warps * lanes_per_warp;
  if (bytes == 4) {
    const uint32_t value = *reinterpret_cast<const uint32_t*>(from);
    auto* r = reinterpret_cast<uint32_t*>(to);
    for (size_t i = 0; i < lanes; ++i) r[i] = value;
  } else {
    const uint64_t value = *reinterpret_cast<const uint64_t*>(from);
    auto* r = reinterpret_cast<uint64_t*>(to);
    for (size_t i = 0; i < lanes; ++i) r[i] = value;
  }
}

/// Lane i of `to` = the value that `from` has in lane 0 for coordinates 0, and in lanes 1 to 3 one step further along
/// x, y and z. `at` holds each lane's x, y and z.
template <class T> inline void fill_even_as(std::byte* to, const std::byte* from, const uint32_t* const* at, size_t warps) {
  const auto* sample = reinterpret_cast<const T*>(from);
  auto* r = reinterpret_cast<T*>(to);
  const T base = sample[0], dx = sample[1] - base, dy = sample[2] - base, dz = sample[3] - base;
  const uint32_t *x = at[0], *y = at[1], *z = at[2];
  const size_t lanes = warps * lanes_per_warp;
  if (dy == 0 && dz == 0) {
    TG_INDEPENDENT
    for (size_t i = 0; i < lanes; ++i) r[i] = base + dx * x[i];
  } else {
    TG_INDEPENDENT
    for (size_t i = 0; i < lanes; ++i) r[i] = base + dx * x[i] + dy * y[i] + dz * z[i];
  }
}
inline void fill_even(std::byte* to, const std::byte* from, size_t bytes, const uint32_t* const* at, size_t warps) {
  bytes == 4 ? fill_even_as<uint32_t>(to, from, at, warps) : fill_even_as<uint64_t>(to, from, at, warps);
}

/// While this many lanes are moved, the memory behind them is fetched: the blocks that run next are likely to use it.
inline constexpr size_t long_row = 1024;

/// Rows go sixteen lanes at a time, which becomes vectors whatever the compiler thinks of the count.
template <class S, class T> inline void load_row(S* r, const std::byte* from, size_t lanes) {
  const auto* a = reinterpret_cast<const typename unaligned<T>::type*>(from);
  const size_t ahead = lanes >= long_row ? lanes : 0;
  for (; lanes >= 16; lanes -= 16, r += 16, a += 16) {
    __builtin_prefetch(a + ahead);
    TG_INDEPENDENT
    for (int i = 0; i < 16; ++i) r[i] = static_cast<S>(a[i]);
  }
  for (size_t i = 0; i < lanes; ++i) r[i] = static_cast<S>(a[i]);
}
template <class S, class T> inline void store_row(std::byte* to, const S* a, size_t lanes) {
  auto* r = reinterpret_cast<typename unaligned<T>::type*>(to);
  const size_t ahead = lanes >= long_row ? lanes : 0;
  for (; lanes >= 16; lanes -= 16, r += 16, a += 16) {
    __builtin_prefetch(r + ahead, 1);
    TG_INDEPENDENT
    for (int i = 0; i < 16; ++i) r[i] = static_cast<T>(a[i]);
  }
  for (size_t i = 0; i < lanes; ++i) r[i] = static_cast<T>(a[i]);
}
template <class R> inline void fill_row(R* r, R value, size_t lanes) {
  for (; lanes >= 16; lanes -= 16, r += 16)
    for (int i = 0; i < 16; ++i) r[i] = value;
  for (size_t i = 0; i < lanes; ++i) r[i] = value;
}

/// Calls row(slot, memory, lanes) for each row; that of sixteen lanes with a constant.
template <class Slot, class Memory, class Row>
inline void each_row(Slot* slots, Memory* from, const tg::emulator::row_steps& s, Row row) {
  for (size_t p = 0; p < s.planes; ++p, slots += s.plane_lanes, from += s.plane_step) {
    Slot* r = slots;
    Memory* a = from;
    if (s.lanes == 16)
      for (size_t k = 0; k < s.rows; ++k, r += 16, a += s.row_step) row(r, a, size_t{16});
    else
      for (size_t k = 0; k < s.rows; ++k, r += s.lanes, a += s.row_step) row(r, a, s.lanes);
  }
}

/// Slots of type S get the T's in memory.
template <class S, class T> inline void load_rows_as(std::byte* to, const std::byte* from, const tg::emulator::row_steps& s) {
  using source = typename unaligned<T>::type;
  auto* const slots = reinterpret_cast<S*>(to);
  const auto value = [](const std::byte* at) { return static_cast<S>(*reinterpret_cast<const source*>(at)); };
  if (s.step == sizeof(T))
    each_row(slots, from, s, [](S* r, const std::byte* a, size_t lanes) { load_row<S, T>(r, a, lanes); });
  else if (s.step == 0) each_row(slots, from, s, [&](S* r, const std::byte* a, size_t lanes) { fill_row(r, value(a), lanes); });
  else
    each_row(slots, from, s, [&](S* r, const std::byte* a, size_t lanes) {
      for (size_t i = 0; i < lanes; ++i, a += s.step) r[i] = value(a);
    });
}
inline void load_rows(std::byte* to, size_t bytes, const std::byte* from, const tg::emulator::row_steps& s,
                      tg::emulator::lane_type type) {
  using tg::emulator::lane_type;
  const bool is_wide = bytes == 8;
  switch (type) {
    case lane_type::u8: return (is_wide ? load_rows_as<uint64_t, uint8_t> : load_rows_as<uint32_t, uint8_t>)(to, from, s);
    case lane_type::s8: return (is_wide ? load_rows_as<uint64_t, int8_t> : load_rows_as<uint32_t, int8_t>)(to, from, s);
    case lane_type::s16: return (is_wide ? load_rows_as<uint64_t, int16_t> : load_rows_as<uint32_t, int16_t>)(to, from, s);
    case lane_type::u16:
    case lane_type::f16:
    case lane_type::bf16: return (is_wide ? load_rows_as<uint64_t, uint16_t> : load_rows_as<uint32_t, uint16_t>)(to, from, s);
    case lane_type::s32: return (is_wide ? load_rows_as<uint64_t, int32_t> : load_rows_as<uint32_t, int32_t>)(to, from, s);
    case lane_type::u32:
    case lane_type::f32: return (is_wide ? load_rows_as<uint64_t, uint32_t> : load_rows_as<uint32_t, uint32_t>)(to, from, s);
    default: return load_rows_as<uint64_t, uint64_t>(to, from, s);
  }
}

/// Stores the low bytes of slots to memory, lane after lane.
template <class S, class T> inline void store_rows_as(std::byte* to, const std::byte* from, const tg::emulator::row_steps& s) {
  using target = typename unaligned<T>::type;
  const auto* const slots = reinterpret_cast<const S*>(from);
  if (s.step == sizeof(T)) each_row(slots, to, s, [](const S* a, std::byte* r, size_t lanes) { store_row<S, T>(r, a, lanes); });
  else
    each_row(slots, to, s, [&](const S* a, std::byte* r, size_t lanes) {
      for (size_t i = 0; i < lanes; ++i, r += s.step) *reinterpret_cast<target*>(r) = static_cast<T>(a[i]);
    });
}
inline void store_rows(std::byte* to, const std::byte* from, size_t slot_size, const tg::emulator::row_steps& s, size_t bytes) {
  const bool is_wide = slot_size == 8;
  switch (bytes) {
    case 1: return (is_wide ? store_rows_as<uint64_t, uint8_t> : store_rows_as<uint32_t, uint8_t>)(to, from, s);
    case 2: return (is_wide ? store_rows_as<uint64_t, uint16_t> : store_rows_as<uint32_t, uint16_t>)(to, from, s);
    case 4: return (is_wide ? store_rows_as<uint64_t, uint32_t> : store_rows_as<uint32_t, uint32_t>)(to, from, s);
    default: return store_rows_as<uint64_t, uint64_t>(to, from, s);
  }
}
