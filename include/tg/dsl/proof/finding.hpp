// What is said of one access or barrier of a kernel: the question, the answer, and the facts.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <tg/base/error.hpp>

namespace tg {

/// What is asked of a kernel before it runs.
enum class question : std::uint8_t {
  shared_race,  // no other thread of the block touches the same byte of a tile between the same barriers
  global_race,  // no other thread of the grid touches the same byte of a buffer, unless both are atomic
  barrier,      // all threads of the block come to it
  initialized,  // somebody has written what is read from shared memory
  async_copy,   // nobody touches what is still being copied
  extents,      // the access stays inside its tile, or inside what the view's contract promises
};

/// How a question is answered.
enum class answer : std::uint8_t {
  proved,
  refuted,  // with a counter-example
  unknown,
};

constexpr const char* name(question q) {
  constexpr const char* names[] = {"shared race", "global race", "barrier", "initialized", "async copy", "extents"};
  return names[static_cast<int>(q)];
}
constexpr const char* name(answer a) {
  constexpr const char* names[] = {"proved", "refuted", "unknown"};
  return names[static_cast<int>(a)];
}

/// The code of the error that a refuted question ends with.
constexpr code code_of(question q) { return code{230 + static_cast<int>(q)}; }

/// One answer. `where` and `other` are C++ lines; what is not known is 0 or empty.
struct finding {
  tg::question question = tg::question::shared_race;
  tg::answer answer = tg::answer::proved;
  source_location where = {};
  source_location other = {};            // of the other access, or of the branch that keeps threads away
  std::array<int, 3> thread = {};        // at `where`
  std::array<int, 3> other_thread = {};  // at `other`
  bool is_between_blocks = false;        // the other thread is in another block
  std::int64_t byte = 0;                 // of the tile or buffer, where the two meet
  std::string object = {};               // "tile 0", "parameter 1"
  std::string fact = {};                 // one sentence; empty where proved
  std::string fix = {};
  std::int64_t instruction = 0;  // number in the recorded function, without dead reads

  /// "shared race refuted: ... (sum.cpp:31 and sum.cpp:28); ..."
  std::string text() const {
    std::string out = std::string(name(question)) + " " + name(answer);
    if (!fact.empty()) out += ": " + fact;
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
