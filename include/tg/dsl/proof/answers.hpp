// All answers about one function.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include <tg/dsl/proof/walk.hpp>

namespace tg::proof {

/// What is said of a function, and the barriers that nothing needs.
struct answers {
  std::vector<finding> findings;
  std::vector<source_location> redundant_barriers;
};

/// Answers every question about the first function of `m`.
///
/// Two walks. The first takes for granted that sums of indices do not overflow, and only proves. The second takes
/// nothing for granted; it looks for examples where the first has proved nothing. What only the first proves says so.
inline answers answers_of(const ptx::module& m, analysis::block_extent block, const std::vector<parameter_fact>& parameters) {
  const auto follow = [&](bool assumes_no_overflow, const ledger::questions& wanted) {
    walk first(m, block, parameters, assumes_no_overflow);
    first.seek_only(wanted);
    first.run();
    if (!first.has_named_barriers()) return answers{first.findings(), first.redundant_barriers()};
    walk again(m, block, parameters, assumes_no_overflow);
    again.seek_only(wanted);
    again.run(&first.meetings());
    return answers{again.findings(), again.redundant_barriers()};
  };
  std::map<std::pair<std::int64_t, question>, finding> assuming;
  for (finding& f : follow(true, {}).findings) assuming.emplace(std::pair(f.instruction, f.question), std::move(f));
  const auto is_assumed = [&](const std::pair<std::int64_t, question>& asked) {
    const auto at = assuming.find(asked);
    return at != assuming.end() && at->second.answer == answer::proved;
  };
  ledger::questions open;
  for (std::uint32_t n = 0; n < m.functions[0].body.size(); ++n)
    for (const question q : {question::shared_race, question::global_race, question::barrier, question::initialized,
                             question::async_copy, question::extents})
      if (!is_assumed({n, q})) open.emplace_back(n, q);
  answers out = follow(false, open);
  for (finding& f : out.findings) {
    if (f.answer != answer::unknown || !is_assumed({f.instruction, f.question})) continue;
    const assumptions before = f.assumed;
    f = assuming.at({f.instruction, f.question});
    f.assumed |= before;
    f.assumed.no_overflow = true;
  }
  return out;
}

}  // namespace tg::proof
