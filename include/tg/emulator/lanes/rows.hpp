// Values and accesses that are evenly spaced over lanes. Included once per vector unit, inside its namespace and
// target.
#include <tg/emulator/lanes/access.hpp>

template <class T>
struct unaligned {
  typedef T type __attribute__((aligned(1), may_alias));
};

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
template <class T>
inline void fill_even_as(std::byte* to, const std::byte* from, const uint32_t* const* at, size_t warps) {
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

/// Slots of type S get the T's at `from`, `lanes` a row, `step` bytes apart, rows `row_step` bytes apart.
template <class S, class T>
inline void load_row_as(S* r, const std::byte* from, int64_t step, size_t lanes) {
  using source = typename unaligned<T>::type;
  if (step == sizeof(T)) {
    const auto* a = reinterpret_cast<const source*>(from);
    TG_INDEPENDENT
    for (size_t i = 0; i < lanes; ++i) r[i] = static_cast<S>(a[i]);
  } else if (step == 0) {
    const S value = static_cast<S>(*reinterpret_cast<const source*>(from));
    for (size_t i = 0; i < lanes; ++i) r[i] = value;
  } else {
    for (size_t i = 0; i < lanes; ++i, from += step) r[i] = static_cast<S>(*reinterpret_cast<const source*>(from));
  }
}
template <class S, class T>
inline void load_rows_as(std::byte* to, const std::byte* from, const tg::emulator::row_steps& s) {
  auto* r = reinterpret_cast<S*>(to);
  if (s.lanes == 16)
    for (size_t k = 0; k < s.rows; ++k, r += 16, from += s.row_step) load_row_as<S, T>(r, from, s.step, 16);
  else
    for (size_t k = 0; k < s.rows; ++k, r += s.lanes, from += s.row_step) load_row_as<S, T>(r, from, s.step, s.lanes);
}
inline void load_rows(std::byte* to, size_t bytes, const std::byte* from, const tg::emulator::row_steps& s,
                      tg::emulator::lane_type type) {
  using tg::emulator::lane_type;
  const bool is_wide = bytes == 8;
  switch (type) {
    case lane_type::u8:
      return (is_wide ? load_rows_as<uint64_t, uint8_t> : load_rows_as<uint32_t, uint8_t>)(to, from, s);
    case lane_type::s8:
      return (is_wide ? load_rows_as<uint64_t, int8_t> : load_rows_as<uint32_t, int8_t>)(to, from, s);
    case lane_type::s16:
      return (is_wide ? load_rows_as<uint64_t, int16_t> : load_rows_as<uint32_t, int16_t>)(to, from, s);
    case lane_type::u16:
    case lane_type::f16:
    case lane_type::bf16:
      return (is_wide ? load_rows_as<uint64_t, uint16_t> : load_rows_as<uint32_t, uint16_t>)(to, from, s);
    case lane_type::s32:
      return (is_wide ? load_rows_as<uint64_t, int32_t> : load_rows_as<uint32_t, int32_t>)(to, from, s);
    case lane_type::u32:
    case lane_type::f32:
      return (is_wide ? load_rows_as<uint64_t, uint32_t> : load_rows_as<uint32_t, uint32_t>)(to, from, s);
    default:
      return load_rows_as<uint64_t, uint64_t>(to, from, s);
  }
}

/// The other way: the low bytes of slots go to memory, lane after lane.
template <class S, class T>
inline void store_rows_as(std::byte* to, const std::byte* from, const tg::emulator::row_steps& s) {
  using target = typename unaligned<T>::type;
  const auto* a = reinterpret_cast<const S*>(from);
  for (size_t k = 0; k < s.rows; ++k, to += s.row_step, a += s.lanes) {
    if (s.step == sizeof(T)) {
      auto* r = reinterpret_cast<target*>(to);
      TG_INDEPENDENT
      for (size_t i = 0; i < s.lanes; ++i) r[i] = static_cast<T>(a[i]);
    } else {
      std::byte* at = to;
      for (size_t i = 0; i < s.lanes; ++i, at += s.step) *reinterpret_cast<target*>(at) = static_cast<T>(a[i]);
    }
  }
}
inline void store_rows(std::byte* to, const std::byte* from, size_t slot_size, const tg::emulator::row_steps& s,
                       size_t bytes) {
  const bool is_wide = slot_size == 8;
  switch (bytes) {
    case 1:
      return (is_wide ? store_rows_as<uint64_t, uint8_t> : store_rows_as<uint32_t, uint8_t>)(to, from, s);
    case 2:
      return (is_wide ? store_rows_as<uint64_t, uint16_t> : store_rows_as<uint32_t, uint16_t>)(to, from, s);
    case 4:
      return (is_wide ? store_rows_as<uint64_t, uint32_t> : store_rows_as<uint32_t, uint32_t>)(to, from, s);
    default:
      return store_rows_as<uint64_t, uint64_t>(to, from, s);
  }
}
