// Random kernels made of bytes: any bytes are a kernel, fewer bytes a smaller one. Every thread has registers of its
// own, a slice of memory of its own, loops end, and each kernel can be printed as PTX or evaluated on the host.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fuzz {

/// Choices, made by bytes as long as there are some; then always the first.
class choices {
 public:
  explicit choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool is_empty() const { return bytes_.empty(); }
  std::uint32_t below(std::uint32_t n) { return n <= 1 ? 0 : n <= 256 ? next() % n : (next() * 256 + next()) % n; }
  bool one_in(std::uint32_t n) { return below(n) == n - 1; }
  std::uint64_t word() {
    std::uint64_t out = 0;
    for (int k = 0; k < 8; ++k) out = out << 8 | next();
    return out;
  }

 private:
  std::uint32_t next() {
    if (bytes_.empty()) return 0;
    const std::uint32_t out = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return out;
  }

  std::span<const std::uint8_t> bytes_;
};

/// A class of registers, named as the PTX names them.
struct register_class {
  char name;  // %h0
  const char* type;
  const char* bits;
  int width;
  int count;
};
inline constexpr std::array<register_class, 6> classes{{{'h', "u16", "b16", 16, 6},
                                                        {'r', "u32", "b32", 32, 8},
                                                        {'l', "u64", "b64", 64, 6},
                                                        {'f', "f32", "f32", 32, 6},
                                                        {'d', "f64", "f64", 64, 4},
                                                        {'p', "pred", "pred", 1, 4}}};
inline constexpr int register_count = 34;

inline const register_class& class_of(char name) {
  for (const register_class& c : classes)
    if (c.name == name) return c;
  return classes[0];
}

/// Where a register's value stands among all of a thread.
inline int index_of(char name, int number) {
  int first = 0;
  for (const register_class& c : classes) {
    if (c.name == name) return first + number;
    first += c.count;
  }
  return first;
}

/// An instruction without operands. `shape` is the class of the result, then of each source; a digit stands for a
/// constant below the power of two that it names.
struct operation {
  const char* text;
  const char* shape;
  std::uint64_t (*of)(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d);
};

/// A register or a constant.
struct value {
  char register_class = 0;  // 0: a constant
  int number = 0;
  std::uint64_t bits = 0;
};

/// What the threads of a warp or block do together.
enum class together {
  shuffle_idx,
  shuffle_up,
  shuffle_down,
  shuffle_bfly,
  all,
  any,
  uni,
  ballot,
  match,
  redux_add,
  redux_min,
  redux_max,
  redux_xor,
  pass_on,
  count,
  block_or,
  block_and
};

/// Where a thread has a slice of 64 bytes of its own.
enum class space { global, shared, local };

struct statement {
  enum class kind { compute, branch, loop, store, load, leave, special, atomic, add_to_all, collective, call };
  kind what = kind::compute;
  int guard = -1;  // predicate register
  bool guard_negated = false;
  const operation* op = nullptr;
  value result;
  std::array<value, 4> sources{};
  space where = space::global;
  bool is_generic = false;
  int index = -1;        // register that picks the place in the slice, instead of the offset
  int offset_bytes = 0;  // in the thread's slice
  int width_bytes = 4;   // of one element of a memory access
  int elements = 1;      // in registers behind each other
  bool is_signed = false;
  int trips = 0;  // of a loop
  int which = 0;  // special register, function
  together how = together::all;
  std::vector<statement> then, otherwise;
};

struct program {
  std::array<std::uint32_t, 3> block{1, 1, 1};  // threads; there are two blocks
  std::uint64_t seed = 0;                       // of the registers' first values
  std::vector<statement> body;
  std::vector<std::vector<statement>> functions;  // of %r0 and %r1, to %r0

  std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
};

inline constexpr std::array specials{"tid.x", "tid.y", "tid.z", "ntid.x", "ctaid.x", "laneid", "lanemask_lt"};

inline constexpr int slice_bytes = 64;  // of memory, behind the thread's registers
inline constexpr int thread_bytes = register_count * 8 + slice_bytes;
inline constexpr int common_bytes = 16;  // behind all threads: u32 sum, u32 xor, u64 sum

/// The first value of a register: small numbers, edges, anything.
inline std::uint64_t first_value(std::uint64_t seed, std::uint32_t thread, int index) {
  std::uint64_t x =
      seed ^ (std::uint64_t{thread} * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(index) * 0xbf58476d1ce4e5b9u);
  x = (x ^ (x >> 31)) * 0x94d049bb133111ebu;
  x ^= x >> 29;
  switch (x >> 61) {
    case 0: return x & 0xf;
    case 1: return std::uint64_t{0} - (x & 7);
    case 2: return std::uint64_t{1} << (x & 63);
    case 3: return (std::uint64_t{1} << (x & 63)) - 1;
    default: return x;
  }
}

}  // namespace fuzz
