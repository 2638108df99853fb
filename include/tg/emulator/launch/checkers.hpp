// Which checkers a launch runs with.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tg::emulator::check {

/// What a finding is about.
enum class checker : unsigned char { memory, init, race, sync, leak };

/// The names of the checkers, as TG_EMULATOR_CHECK has them.
inline constexpr std::array<std::string_view, 5> checker_names{"memory", "init", "race", "sync", "leak"};

/// The name of a checker.
constexpr std::string_view name(checker c) { return checker_names[static_cast<std::size_t>(c)]; }

/// One switch per checker.
struct checkers {
  bool memory = true;   // accesses outside allocations and variables, misaligned ones
  bool init = false;    // reads of bytes that nothing wrote; one host thread
  bool race = false;    // accesses that no synchronisation orders; one host thread
  bool sync = false;    // barriers and exchanges that some threads miss; one host thread
  bool leak = false;    // allocations alive when their context ends
  bool strict = false;  // plain writes of one value to one place race too; `all()` leaves it off

  static constexpr checkers all() { return {true, true, true, true, true, false}; }
  static constexpr checkers none() { return {false, false, false, false, false, false}; }
  friend constexpr bool operator==(const checkers&, const checkers&) = default;

  bool& operator[](checker c) {
    switch (c) {
      case checker::memory: return memory;
      case checker::init: return init;
      case checker::race: return race;
      case checker::sync: return sync;
      case checker::leak: return leak;
    }
    return memory;
  }

  /// Some checker follows every access or barrier of a launch.
  constexpr bool watches() const { return init || race || sync; }
};

/// `memory,race`, `all` or `none`; `strict` is `race` with writes of one value. Returns: nothing when a word is unknown.
inline std::optional<checkers> to_checkers(std::string_view list) {
  checkers out = checkers::none();
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view word = list.substr(0, comma);
    bool is_known = word == "all" || word == "none";
    if (word == "all") {
      const bool is_strict = out.strict;
      out = checkers::all();
      out.strict = is_strict;
    }
    if (word == "strict") is_known = out.race = out.strict = true;
    for (std::size_t k = 0; k < checker_names.size(); ++k)
      if (word == checker_names[k]) is_known = out[static_cast<checker>(k)] = true;
    if (!is_known) return std::nullopt;
    if (comma == std::string_view::npos) return out;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace tg::emulator::check
