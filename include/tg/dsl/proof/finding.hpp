// What is said of one access or barrier of a kernel: the question, the answer, and the facts.
#pragma once

#include <cstdint>
#include <string>

#include <tg/base/error.hpp>
#include <tg/base/fixed_array.hpp>

namespace tg {

/// What is asked of a kernel before it runs.
enum class question : std::uint8_t {
  shared_race,  // no other thread of the block touches the same byte of a tile between the same barriers
  global_race,  // no other thread of the grid touches the same byte of a buffer, unless both are atomic
  barrier,      // all threads of the block come to it
  initialized,  // somebody has written what is read from shared memory
  async_copy,   // nobody touches what is still being copied
  extents,      // the access stays inside its tile, or inside the `tg::at_least<N>` elements of its view
};

/// How a question is answered.
enum class answer : std::uint8_t {
  proved,
  refuted,  // with a counter-example
  unknown,
};

/// The question in words: "shared race".
constexpr const char* name(question q) {
  constexpr const char* names[] = {"shared race", "global race", "barrier", "initialized", "async copy", "extents"};
  return names[static_cast<int>(q)];
}
/// The answer in words: "proved", "refuted", "unknown".
constexpr const char* name(answer a) {
  constexpr const char* names[] = {"proved", "refuted", "unknown"};
  return names[static_cast<int>(a)];
}

/// The code of the error that a refuted question ends with.
constexpr code code_of(question q) { return code{230 + static_cast<int>(q)}; }

/// What an answer takes for granted beyond what `analyze` says of all; each is true of a launch or not.
struct assumptions {
  bool one_block_x = false;  // the grid has one block along x, which the kernel never looks at
  bool one_block_y = false;
  bool one_block_z = false;
  bool no_overflow = false;       // no sum or product of arguments, block numbers and counters exceeds its type
  bool columns_in_rows = false;   // columns of a matrix are below its leading dimension
  bool counters_at_zero = false;  // a counter at which blocks draw numbers is 0 before the launch

  void set_one_block(int axis) { (axis == 0 ? one_block_x : axis == 1 ? one_block_y : one_block_z) = true; }
  bool any() const { return one_block_x || one_block_y || one_block_z || no_overflow || columns_in_rows || counters_at_zero; }
  assumptions& operator|=(const assumptions& other) {
    one_block_x |= other.one_block_x;
    one_block_y |= other.one_block_y;
    one_block_z |= other.one_block_z;
    no_overflow |= other.no_overflow;
    columns_in_rows |= other.columns_in_rows;
    counters_at_zero |= other.counters_at_zero;
    return *this;
  }

  /// "one block along y and z; no sum of indices exceeds its type"
  std::string text() const {
    std::string out;
    const auto join = [&](bool is, const char* with, const char* what) {
      if (is) out += (out.empty() ? "" : with) + std::string(what);
    };
    join(one_block_x, "", "one block along x");
    join(one_block_y, " and y", one_block_x ? "" : "one block along y");
    join(one_block_z, " and z", one_block_x || one_block_y ? "" : "one block along z");
    join(no_overflow, "; ", "no sum of indices exceeds its type");
    join(columns_in_rows, "; ", "columns lie in their rows");
    join(counters_at_zero, "; ", "counters of blocks are 0 before the launch");
    return out;
  }
};

/// One answer. `where` and `other` are C++ lines; what is not known is 0 or empty.
struct finding {
  tg::question question = tg::question::shared_race;
  tg::answer answer = tg::answer::proved;
  source_location where = {};
  source_location other = {};             // of the other access, or of the branch that keeps threads away
  fixed_array<int, 3> thread = {};        // at `where`
  fixed_array<int, 3> other_thread = {};  // at `other`
  bool is_between_blocks = false;         // the other thread is in another block
  bool rests_on_memory = false;           // what all threads read from memory leads them to `where`
  std::int64_t byte = 0;                  // of the tile or buffer, where the two meet
  std::string object = {};                // "tile 0", "parameter 1"
  std::string fact = {};                  // one sentence; empty where proved
  std::string fix = {};
  std::int64_t instruction = 0;  // number in the recorded function, without dead reads
  assumptions assumed = {};      // of what is proved

  /// "shared race refuted: ... (sum.cpp:31 and sum.cpp:28); ..."
  std::string text() const {
    std::string out = std::string(name(question)) + " " + name(answer);
    if (!fact.empty()) out += ": " + fact;
    if (answer == tg::answer::proved && assumed.any()) out += ", assuming " + assumed.text();
    out += " (" + place(where) + (other.is_known() ? " and " + place(other) : "") + ")";
    return fix.empty() || answer == tg::answer::proved ? out : out + "; " + fix;
  }

  static std::string place(const source_location& where) {
    const std::string path = where.file;
    const auto slash = path.find_last_of('/');
    return (slash == path.npos ? path : path.substr(slash + 1)) + ":" + std::to_string(where.line);
  }
};

}  // namespace tg
