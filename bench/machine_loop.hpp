// The innermost loop of a kernel in machine code, as nvdisasm prints it: how many of its instructions do the work.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace bench {

/// Instructions of a loop, by the first word of their mnemonic: FFMA, HMMA, LDSM.
struct machine_loop {
  int instructions = 0;
  std::map<std::string, int> of;

  double share(const std::string& mnemonic) const {
    const auto found = of.find(mnemonic);
    return found == of.end() || instructions == 0 ? 0 : double(found->second) / instructions;
  }
};

/// Of the loops of `entry` with instructions called `mnemonic` that hold no other such loop, the one with the most of them; of
/// several that have as many, the first. A wait for an mbarrier is a loop without them. A loop that jumps back from two places
/// is judged up to the first: what stands behind it, such as the mask of an edge, is for some turns only. Nothing where
/// no loop has one. Requires: what `nvdisasm -c` prints.
inline std::optional<machine_loop> innermost_loop(const std::string& disassembly, const std::string& entry,
                                                  const std::string& mnemonic) {
  static const std::regex section("\\.section\\s"), label("^(\\.L_x_\\d+):"),
      instruction("/\\*([0-9a-f]+)\\*/\\s+(@\\S+\\s+)?([A-Z0-9]+)([^;]*);"), target("\\(\\.L_x_\\d+\\)");
  std::vector<std::string> names;                          // of the instructions
  std::map<std::string, std::size_t> label_at;             // the number of the next instruction
  std::vector<std::pair<std::size_t, std::size_t>> loops;  // first and last instruction
  bool is_inside = false;
  std::istringstream lines(disassembly);
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, section)) is_inside = line.find(".text." + entry + ",") != line.npos;
    if (!is_inside) continue;
    std::smatch found;
    if (std::regex_search(line, found, label)) {
      label_at[found[1]] = names.size();
    } else if (std::regex_search(line, found, instruction)) {
      const std::string name = found[3], rest = found[4];
      names.push_back(name);
      if (name != "BRA" || !std::regex_search(rest, found, target)) continue;
      const std::string to = found[0].str().substr(1, found[0].length() - 2);
      if (const auto at = label_at.find(to); at != label_at.end()) loops.emplace_back(at->second, names.size() - 1);
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> working;  // those that have the instruction
  for (const auto& own : loops)
    if (std::find(names.begin() + std::ptrdiff_t(own.first), names.begin() + std::ptrdiff_t(own.second) + 1, mnemonic) !=
        names.begin() + std::ptrdiff_t(own.second) + 1)
      working.push_back(own);
  std::optional<machine_loop> best;
  for (const auto& own : working) {
    bool is_innermost = true;
    for (const auto& other : working)
      is_innermost = is_innermost && (other == own || other.first < own.first || other.second > own.second);
    if (!is_innermost) continue;
    machine_loop counted;
    for (std::size_t i = own.first; i <= own.second; ++i) ++counted.instructions, ++counted.of[names[i]];
    if (!best || counted.of[mnemonic] > best->of[mnemonic]) best = counted;
  }
  return best;
}

}  // namespace bench
