// One warp's addresses and masks. Included once per vector unit, inside its namespace and target.
#include <tg/emulator/lanes/convert.hpp>

/// Bit i: lane i of the predicate holds.
inline uint32_t predicate_bits(const uint32_t* predicate) {
  uint32_t bits = 0;
  for (int i = 0; i < lanes_per_warp; ++i) bits |= predicate[i] & (uint32_t{1} << i);
  return bits;
}

inline void all_predicate_bits(uint32_t* to, const uint32_t* predicate, size_t warps) {
  for (size_t w = 0; w < warps; ++w) to[w] = predicate_bits(predicate + w * lanes_per_warp);
}

inline void spread_bits(uint32_t* mask, uint32_t bits) {
  for (int i = 0; i < lanes_per_warp; ++i) mask[i] = (bits >> i) & 1 ? ~uint32_t{0} : uint32_t{0};
}

/// Copies the lanes whose mask is set; slots of `bytes` 4 or 8.
inline void blend(std::byte* to, const std::byte* from, const uint32_t* mask, size_t warps, size_t bytes) {
  if (bytes == 4) {
    auto* r = reinterpret_cast<uint32_t*>(to);
    auto* a = reinterpret_cast<const uint32_t*>(from);
    for (; warps != 0; --warps, r += lanes_per_warp, a += lanes_per_warp, mask += lanes_per_warp) {
      TG_INDEPENDENT
      for (int i = 0; i < lanes_per_warp; ++i) r[i] = mask[i] ? a[i] : r[i];
    }
  } else {
    auto* r = reinterpret_cast<uint64_t*>(to);
    auto* a = reinterpret_cast<const uint64_t*>(from);
    for (; warps != 0; --warps, r += lanes_per_warp, a += lanes_per_warp, mask += lanes_per_warp) {
      TG_INDEPENDENT
      for (int i = 0; i < lanes_per_warp; ++i) r[i] = mask[i] ? a[i] : r[i];
    }
  }
}

inline void add_offset(uint64_t* to, const std::byte* from, size_t bytes, int64_t offset) {
  if (bytes == 4) {
    auto* a = reinterpret_cast<const uint32_t*>(from);
    TG_INDEPENDENT
    for (int i = 0; i < lanes_per_warp; ++i) to[i] = static_cast<uint32_t>(a[i] + static_cast<uint32_t>(offset));
  } else {
    auto* a = reinterpret_cast<const uint64_t*>(from);
    TG_INDEPENDENT
    for (int i = 0; i < lanes_per_warp; ++i) to[i] = a[i] + static_cast<uint64_t>(offset);
  }
}

inline tg::emulator::address_summary summarize(const uint64_t* addresses, uint64_t step) {
  uint64_t low = addresses[0], high = addresses[0], any = 0, off_line = 0;
  for (int i = 0; i < lanes_per_warp; ++i) {
    const uint64_t a = addresses[i];
    low = a < low ? a : low;
    high = a > high ? a : high;
    any |= a;
    off_line |= a ^ (addresses[0] + static_cast<uint64_t>(i) * step);
  }
  return {low, high, any, off_line == 0};
}

/// slot i = the T at base + addresses[i], extended to the slot's width.
template <class S, class T> inline void gather_as(std::byte* to, uint64_t base, const uint64_t* addresses) {
  auto* r = reinterpret_cast<S*>(to);
  for (int i = 0; i < lanes_per_warp; ++i) {
    T value;
    __builtin_memcpy(&value, reinterpret_cast<const void*>(base + addresses[i]), sizeof(T));
    r[i] = static_cast<S>(value);
  }
}
inline void gather(std::byte* to, size_t bytes, uint64_t base, const uint64_t* addresses, tg::emulator::lane_type type) {
  using tg::emulator::lane_type;
  const bool is_wide = bytes == 8;
  switch (type) {
    case lane_type::u8: return (is_wide ? gather_as<uint64_t, uint8_t> : gather_as<uint32_t, uint8_t>)(to, base, addresses);
    case lane_type::s8: return (is_wide ? gather_as<uint64_t, int8_t> : gather_as<uint32_t, int8_t>)(to, base, addresses);
    case lane_type::s16: return (is_wide ? gather_as<uint64_t, int16_t> : gather_as<uint32_t, int16_t>)(to, base, addresses);
    case lane_type::u16:
    case lane_type::f16:
    case lane_type::bf16: return (is_wide ? gather_as<uint64_t, uint16_t> : gather_as<uint32_t, uint16_t>)(to, base, addresses);
    case lane_type::s32: return (is_wide ? gather_as<uint64_t, int32_t> : gather_as<uint32_t, int32_t>)(to, base, addresses);
    case lane_type::u32:
    case lane_type::f32: return (is_wide ? gather_as<uint64_t, uint32_t> : gather_as<uint32_t, uint32_t>)(to, base, addresses);
    default: return gather_as<uint64_t, uint64_t>(to, base, addresses);
  }
}

/// The low bytes of slot i go to base + addresses[i], lane after lane.
template <class S, class T> inline void scatter_as(uint64_t base, const uint64_t* addresses, const std::byte* from) {
  auto* a = reinterpret_cast<const S*>(from);
  for (int i = 0; i < lanes_per_warp; ++i) {
    const T value = static_cast<T>(a[i]);
    __builtin_memcpy(reinterpret_cast<void*>(base + addresses[i]), &value, sizeof(T));
  }
}
inline void scatter(uint64_t base, const uint64_t* addresses, const std::byte* from, size_t slot_size, size_t bytes) {
  const bool is_wide = slot_size == 8;
  switch (bytes) {
    case 1: return (is_wide ? scatter_as<uint64_t, uint8_t> : scatter_as<uint32_t, uint8_t>)(base, addresses, from);
    case 2: return (is_wide ? scatter_as<uint64_t, uint16_t> : scatter_as<uint32_t, uint16_t>)(base, addresses, from);
    case 4: return (is_wide ? scatter_as<uint64_t, uint32_t> : scatter_as<uint32_t, uint32_t>)(base, addresses, from);
    default: return scatter_as<uint64_t, uint64_t>(base, addresses, from);
  }
}
