// The analysis of a recorded kernel.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tg/dsl/analyze.hpp>
#include <tg/dsl/proof/walk.hpp>
#include <tg/ptx/passes/remove_dead.hpp>

namespace tg::detail {

/// Two walks. The first takes for granted that sums of indices do not overflow, and only proves. The second takes
/// nothing for granted; it looks for examples where the first has proved nothing. What only the first proves says so.
inline kernel_analysis analyze(const recordable& kernel, const std::vector<proof::parameter_fact>& parameters) {
  traced_kernel traced = record(kernel);
  // An element that is only written is read first, and nobody uses what was read.
  ptx::remove_dead(traced.module.functions[0]);
  const auto follow = [&](bool assumes_no_overflow, const proof::ledger::questions& wanted) {
    proof::walk first(traced.module, kernel.block, parameters, assumes_no_overflow);
    first.seek_only(wanted);
    first.run();
    if (!first.has_named_barriers()) return std::pair(first.findings(), first.redundant_barriers());
    proof::walk again(traced.module, kernel.block, parameters, assumes_no_overflow);
    again.seek_only(wanted);
    again.run(&first.meetings());
    return std::pair(again.findings(), again.redundant_barriers());
  };
  std::map<std::pair<std::int64_t, question>, finding> assuming;
  for (finding& f : follow(true, {}).first) assuming.emplace(std::pair(f.instruction, f.question), std::move(f));
  const auto is_assumed = [&](const std::pair<std::int64_t, question>& asked) {
    const auto at = assuming.find(asked);
    return at != assuming.end() && at->second.answer == answer::proved;
  };
  proof::ledger::questions open;
  for (std::uint32_t n = 0; n < traced.module.functions[0].body.size(); ++n)
    for (const question q : {question::shared_race, question::global_race, question::barrier, question::initialized,
                             question::async_copy, question::extents})
      if (!is_assumed({n, q})) open.emplace(n, q);
  auto [findings, redundant] = follow(false, open);
  for (finding& f : findings) {
    if (f.answer != answer::unknown || !is_assumed({f.instruction, f.question})) continue;
    const assumptions before = f.assumed;
    f = assuming.at({f.instruction, f.question});
    f.assumed |= before;
    f.assumed.no_overflow = true;
  }
  return {std::string(kernel.name), std::move(findings), std::move(redundant)};
}

}  // namespace tg::detail
