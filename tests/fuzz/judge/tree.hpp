// A random kernel as data: what is recorded, evaluated, printed and reduced.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "types.hpp"

namespace judge {

// clang-format off
enum class op : std::uint8_t {
  literal,      // `number`
  scalar,       // argument `index`
  name,         // of a `let`, a `var` or a counter: declaration `index`
  thread_x, thread_y, thread_z, block_x, block_y, block_z, grid_x, grid_y, grid_z,
  global_x,     // block.index.x * block.size.x + block.thread.x
  thread_index, lane, warp_index,
  add, sub, mul, div, rem, min, max, bit_and, bit_or, bit_xor, shl, shr, mul_high,
  lt, le, gt, ge, eq, ne, logic_and, logic_or, logic_not,
  negate, bit_not, popcount, leading_zeros, reverse_bits, extract_bits,
  fma, absolute, sqrt, floor, ceil, round_even, trunc,
  select,       // condition, then, else
  cast,         // to `of`
  load,         // of object `index` at in[0]
  shuffle_idx, shuffle_up, shuffle_down, shuffle_xor, vote_any, vote_all, ballot, block_count, block_any, block_all,
  atomic_add, atomic_max, atomic_exchange,  // on object `index` at in[0] with in[1]
  store_relaxed, store_release,             // atomic stores, likewise; no result
  load_relaxed, load_acquire,               // atomic loads of object `index` at in[0]
};
// clang-format on

/// Whether the threads of a warp or block take part together.
constexpr bool is_collective(op o) { return o >= op::shuffle_idx && o <= op::block_all; }
constexpr bool is_block_wide(op o) { return o >= op::block_count && o <= op::block_all; }
constexpr bool is_comparison(op o) { return o >= op::lt && o <= op::ne; }
constexpr bool is_atomic(op o) { return o >= op::atomic_add; }
constexpr bool is_access(op o) { return o == op::load || is_atomic(o); }

struct expr {
  op what = op::literal;
  type of = type::u32;
  std::vector<expr> in = {};
  bits number = 0;
  int index = 0;
  bool is_traced = false;    // of an access: the index is judged while recording, not called a gather
  bool is_constant = false;  // of a literal: written as `33_c`
  int line = 0;              // of an access or a collective; `number_lines` gives them
};

struct stmt {
  enum class kind : std::uint8_t {
    let,           // index = in[0]
    var,           // index = in[0], can be assigned
    array,         // `times` registers index, index + 1, …, that all start as in[0] and can be assigned: tg::regs
    assign,        // index = in[0]
    add_assign,    // index += in[0]
    store,         // object index at in[0] = in[1]
    perform,       // in[0], for its effect: an atomic
    branch,        // in[0]: body, otherwise
    chain,         // in[0]: body, else in[1]: otherwise; `is_traced`: the second condition is a lambda
    match,         // in[0] below `times`: body, else otherwise; by the cases of a switch
    leave,         // the innermost loop
    go_on,         // with its next iteration
    finish,        // the thread
    count,         // counter index from in[0] to in[1] by in[2]: body
    repeat_while,  // while in[0]: body
    unroll,        // body `times` times; index names the number
    sync,
    named_sync,  // barrier `index` of `times` threads
    named_arrive,
    warp_sync,
    copy_async,   // tile `index` at in[0] from buffer `other` at in[1]
    commit_wait,  // commits, and waits for all but the last `times` groups
  };
  kind what = kind::let;
  int index = 0;
  int other = 0;
  int times = 0;
  std::vector<expr> in = {};
  std::vector<stmt> body = {}, otherwise = {};
  bool is_traced = false;  // of a store
  int line = 0;
};

/// A buffer or a tile in shared memory.
struct object {
  enum class kind : std::uint8_t { in, out, inout, tile };
  kind what = kind::inout;
  type of = type::u32;
  int elements = 0;  // of a tile, and of a buffer as it is launched
  int at_least = 0;  // elements that the view promises
};

struct kernel {
  int shape = 0;  // number in `shapes`
  std::vector<object> objects;
  std::vector<type> scalars;
  std::vector<stmt> body;
};

inline constexpr std::array<std::array<int, 3>, 10> shapes{
    {{32, 1, 1}, {33, 3, 2}, {64, 1, 1}, {7, 1, 1}, {1, 1, 1}, {16, 4, 1}, {5, 3, 9}, {128, 1, 1}, {96, 1, 1}, {8, 8, 2}}};

inline int threads_of(const kernel& k) {
  const auto& s = shapes[static_cast<std::size_t>(k.shape)];
  return s[0] * s[1] * s[2];
}

/// How a kernel is launched.
struct launch {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::vector<bits> scalars;
  std::uint64_t data = 0;                                      // seed of what the buffers hold
  std::map<std::pair<int, std::int64_t>, bits> elements = {};  // object and number of those that hold something else
};

namespace detail {
inline void number_lines(expr& e, int& line) {
  for (expr& x : e.in) number_lines(x, line);
  if (is_access(e.what) || is_collective(e.what)) e.line = line++;
}
inline void number_lines(std::vector<stmt>& body, int& line) {
  for (stmt& s : body) {
    for (expr& e : s.in) number_lines(e, line);
    s.line = line++;
    number_lines(s.body, line);
    number_lines(s.otherwise, line);
  }
}
}  // namespace detail

/// Gives every statement, access and collective a line of its own.
inline void number_lines(kernel& k) {
  int line = 1;
  detail::number_lines(k.body, line);
}

namespace detail {
inline void gather_at(expr& e, int line) {
  if (e.line == line) e.is_traced = false;
  for (expr& x : e.in) gather_at(x, line);
}
inline void gather_at(std::vector<stmt>& body, int line) {
  for (stmt& s : body) {
    if (s.line == line) s.is_traced = false;
    for (expr& e : s.in) gather_at(e, line);
    gather_at(s.body, line);
    gather_at(s.otherwise, line);
  }
}
}  // namespace detail

/// The index on this line is one that depends on data.
inline void make_gather(kernel& k, int line) { detail::gather_at(k.body, line); }

// Short ways to write trees.
inline expr literal(type t, bits n) { return {.what = op::literal, .of = t, .number = n & mask_of(t)}; }
/// What `_c` literals of a type are made of.
inline std::vector<bits> constants_of(type t) {
  return t == type::u32 ? std::vector<bits>{1, 3, 33, 0x80000000u, 0xffffffffu} : std::vector<bits>{1, 3, 33, 0xfffffffeu};
}
inline expr constant(type t, bits n) { return {.what = op::literal, .of = t, .number = n & mask_of(t), .is_constant = true}; }
inline expr u32(std::uint32_t n) { return literal(type::u32, n); }
inline expr name(type t, int index) { return {.what = op::name, .of = t, .index = index}; }
inline expr scalar(type t, int index) { return {.what = op::scalar, .of = t, .index = index}; }
inline expr node(op o, type t, std::vector<expr> in = {}) { return {.what = o, .of = t, .in = std::move(in)}; }
inline expr cast(type to, expr x) { return x.of == to ? x : node(op::cast, to, {std::move(x)}); }

}  // namespace judge
