// All answers about one function.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/walk.hpp>

namespace tg::proof {

/// What is said of a function, and the barriers that nothing needs.
struct answers {
  dynamic_array<finding> findings;
  dynamic_array<source_location> redundant_barriers;
};

/// Answers every question about the first function of `m`.
///
/// Two walks. The first takes for granted that sums of indices do not overflow, and only proves. The second takes
/// nothing for granted; it looks for examples where the first has proved nothing. What only the first proves says so. Each is
/// made again where the text showed late that phases of mbarriers cannot be counted or that the number that a block draws is
/// not its own, and where barriers have numbers.
inline answers answers_of(const ptx::module& m, analysis::block_extent block, const dynamic_array<parameter_fact>& parameters) {
  const auto follow = [&](bool assumes_no_overflow, const ledger::questions& wanted) {
    trust what;
    const auto walked = [&](const named_barriers* meetings) {
      auto out = std::make_unique<walk>(m, block, parameters, assumes_no_overflow);
      out->seek_only(wanted);
      out->run(what, meetings);
      return out;
    };
    auto last = walked(nullptr);
    for (trust earned = last->earned(); (what.mbarriers && !earned.mbarriers) || (what.draws && !earned.draws);
         earned = last->earned()) {
      what = {what.mbarriers && earned.mbarriers, what.draws && earned.draws};
      last = walked(nullptr);
    }
    if (last->has_named_barriers()) {
      const auto first = std::move(last);
      last = walked(&first->meetings());
    }
    return answers{last->findings(), last->redundant_barriers()};
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
    const std::pair asked(f.instruction, f.question);
    // The first walk asks about a copy only where one is on its way: where it has not asked, there is none to meet.
    const bool meets_none = f.question == question::async_copy && !assuming.contains(asked);
    if (f.answer != answer::unknown || (!is_assumed(asked) && !meets_none)) continue;
    const assumptions before = f.assumed;
    if (meets_none) f = {.question = f.question, .where = f.where, .object = std::move(f.object), .instruction = f.instruction};
    else f = assuming.at(asked);
    f.assumed |= before;
    f.assumed.no_overflow = true;
  }
  return out;
}

}  // namespace tg::proof
