// The tiles in the dynamic shared memory of a kernel: how many bytes each has, by the arguments of the launch.
//
// PTX has one unsized array for all of them. Which part is whose stands behind `//tg:` in the text, so that whoever
// launches the kernel from its text alone knows how much shared memory a block needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/extremes.hpp>
#include <tg/ptx/ir/token.hpp>
#include <tg/ptx/ir/type.hpp>

namespace tg::ptx {

/// What one step of a `launch_number` does with the numbers before it.
enum class launch_step_kind : std::uint8_t { number, argument, add, sub, mul, div, rem, min, max, shl, shr };

/// The name of each kind of step, for the text of a module.
inline constexpr std::string_view launch_step_names[] = {"",    "argument", "add", "sub", "mul", "div",
                                                         "rem", "min",      "max", "shl", "shr"};

/// `value` is the number itself, or which argument.
struct launch_step {
  launch_step_kind kind = launch_step_kind::number;
  std::int64_t value = 0;
  friend bool operator==(const launch_step&, const launch_step&) = default;
};

/// An integer that the arguments of a launch decide, in reverse Polish notation: `argument 2, 1, add`.
using launch_number = dynamic_array<launch_step>;

/// One tile. It has `element_bytes` times its extents; without extents, `element_bytes`. Extents are known at launch.
struct shared_tile {
  struct extent {
    launch_number size;
    std::int64_t divisor = 1;  // the kernel relies on size % divisor == remainder
    std::int64_t remainder = 0;
    friend bool operator==(const extent&, const extent&) = default;
  };

  std::string name;
  std::string file;  // of the C++ line that makes it
  std::uint32_t line = 0;
  std::int64_t element_bytes = 0;
  dynamic_array<extent> extents;

  friend bool operator==(const shared_tile&, const shared_tile&) = default;
};

/// Tiles begin at multiples of this many bytes.
inline constexpr std::int64_t tile_alignment_bytes = 16;

/// `bytes`, rounded up to where the next tile can begin.
constexpr std::int64_t aligned_tile_bytes(std::int64_t bytes) {
  return (bytes + tile_alignment_bytes - 1) / tile_alignment_bytes * tile_alignment_bytes;
}

/// The value of an argument as it lies in the packed parameters of a launch.
struct launch_argument {
  token type = token::none;
  std::size_t offset = 0;  // bytes
};

/// Where the parameters of a kernel lie in a packed buffer: each at a multiple of its own size.
template <class Variables> dynamic_array<launch_argument> places_of_arguments(const Variables& params) {
  dynamic_array<launch_argument> out;
  std::size_t end = 0;
  for (const auto& p : params) {
    const auto bytes = static_cast<std::size_t>(tg::detail::larger_of(8, width_bits(p.type)) / 8);
    const std::size_t alignment = tg::detail::larger_of<std::size_t>(bytes, p.align);
    end = (end + alignment - 1) / alignment * alignment;
    out.push_back({p.type, end});
    end += bytes * static_cast<std::size_t>(tg::detail::larger_of<std::int64_t>(p.count, 1));
  }
  return out;
}

namespace detail {

/// None where the arithmetic has no result: a division by zero, an overflow, a shift out of range.
inline std::optional<std::int64_t> apply(launch_step_kind kind, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  using enum launch_step_kind;
  switch (kind) {
    case add: return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional(out);
    case sub: return __builtin_sub_overflow(a, b, &out) ? std::nullopt : std::optional(out);
    case mul: return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
    case div: return b == 0 || b == -1 ? std::nullopt : std::optional(a / b);
    case rem: return b == 0 || b == -1 ? std::nullopt : std::optional(a % b);
    case min: return tg::detail::smaller_of(a, b);
    case max: return tg::detail::larger_of(a, b);
    case shl:
      return b < 0 || b > 31 || __builtin_mul_overflow(a, std::int64_t{1} << b, &out) ? std::nullopt : std::optional(out);
    case shr: return b < 0 || b > 63 ? std::nullopt : std::optional(a >> b);
    case number:
    case argument: break;
  }
  return std::nullopt;
}

inline std::int64_t argument_value(const launch_argument& a, const void* parameters) {
  const auto* at = static_cast<const std::byte*>(parameters) + a.offset;
  const auto read = [&]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<std::int64_t>(value);
  };
  switch (a.type) {
    case token::u32:
    case token::b32: return read(std::uint32_t{});
    case token::s32: return read(std::int32_t{});
    case token::u16:
    case token::b16: return read(std::uint16_t{});
    case token::s16: return read(std::int16_t{});
    case token::u8:
    case token::b8: return read(std::uint8_t{});
    case token::s8: return read(std::int8_t{});
    default: return read(std::int64_t{});
  }
}

}  // namespace detail

/// The number for these packed parameters; none where it has none, as after a division by zero.
inline std::optional<std::int64_t> evaluate(const launch_number& number, const dynamic_array<launch_argument>& places,
                                            const void* parameters) {
  dynamic_array<std::int64_t> stack;
  for (const launch_step& s : number) {
    if (s.kind == launch_step_kind::number) {
      stack.push_back(s.value);
    } else if (s.kind == launch_step_kind::argument) {
      if (static_cast<std::size_t>(s.value) >= places.size()) return std::nullopt;
      stack.push_back(detail::argument_value(places[static_cast<std::size_t>(s.value)], parameters));
    } else {
      if (stack.size() < 2) return std::nullopt;
      const std::int64_t b = stack.back();
      stack.pop_back();
      const auto made = detail::apply(s.kind, stack.back(), b);
      if (!made) return std::nullopt;
      stack.back() = *made;
    }
  }
  return stack.size() == 1 ? std::optional(stack[0]) : std::nullopt;
}

/// `argument 2 1 add`.
inline std::string to_string(const launch_number& number) {
  std::string out;
  for (const launch_step& s : number) {
    if (!out.empty()) out += ' ';
    out += launch_step_names[static_cast<std::size_t>(s.kind)];
    if (s.kind == launch_step_kind::argument) out += ' ';
    if (s.kind == launch_step_kind::argument || s.kind == launch_step_kind::number) out += std::to_string(s.value);
  }
  return out;
}

/// The directive of a tile: `.shared_tile tile1 "gemm.cpp" 31 4 (argument 2 1 add) (argument 3) % 32 == 1;`, elements of
/// 4 bytes and two extents, the second with what the kernel relies on.
inline std::string to_string(const shared_tile& t) {
  std::string out =
      ".shared_tile " + t.name + " \"" + t.file + "\" " + std::to_string(t.line) + ' ' + std::to_string(t.element_bytes);
  for (const shared_tile::extent& e : t.extents) {
    out += " (" + to_string(e.size) + ')';
    if (e.divisor != 1) out += " % " + std::to_string(e.divisor) + " == " + std::to_string(e.remainder);
  }
  return out + ';';
}

/// Whether the size of the tile is the same in every launch.
inline bool is_fixed(const shared_tile& t) { return t.extents.empty(); }

/// Bytes of the tiles that have the same size in every launch, each rounded up to where the next begins.
inline std::int64_t fixed_tile_bytes(const dynamic_array<shared_tile>& tiles) {
  std::int64_t out = 0;
  for (const shared_tile& t : tiles)
    if (is_fixed(t)) out += aligned_tile_bytes(t.element_bytes);
  return out;
}

}  // namespace tg::ptx
