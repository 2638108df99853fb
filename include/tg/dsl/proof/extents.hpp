// Whether an access keeps to its tile, or to the elements that the type of its buffer promises.
#pragma once

#include <string>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/ledger.hpp>
#include <tg/dsl/proof/limits.hpp>
#include <tg/dsl/proof/values.hpp>

namespace tg::proof {

/// Asks of one access whether all its bytes are inside. Requires: `u.offset` counts from where the object begins.
inline void check_extents(const values& v, ledger& answers, const ptx::module& m,
                          const dynamic_array<parameter_fact>& parameters, const use& u) {
  const number size = u.where.is_shared ? m.variables[u.where.id].count
                                        : parameters[u.where.id].least_elements * parameters[u.where.id].element_bytes;
  if (size <= 0) return;
  answers.ask(question::extents, u.instruction, u.where);
  limits known(v.unknowns(), u.way.may, {});
  for (form& f : u.way.facts(v.predicates())) known.know(std::move(f));
  if (known.keeps_to({u.offset, {}}, size - u.bytes) && known.keeps_to({scaled(u.offset, -1), {}}, 0)) return;
  const auto answer_out = [&](answer a, std::size_t thread, number at) {
    answers.answer_with(question::extents, u.instruction, a,
                        a == answer::refuted
                            ? "thread " + answers.thread_text(thread) + " touches byte " + std::to_string(at) +
                                  (u.where.is_shared ? " of a tile of " : " of a buffer that promises ") + std::to_string(size)
                            : "whether the access stays inside " + std::to_string(size) + " bytes is not known",
                        "keep the index inside the extents", u.where, thread, at);
  };
  for (const number argument : arguments_to_try) {
    if (!answers.seeks(question::extents, u.instruction)) break;
    const choice chosen(v.unknowns(), v.predicates(), argument, {});
    for (std::size_t t = 0; t < v.threads(); ++t) {
      if (!u.way.may[t]) continue;
      const auto at = chosen.value(u.offset, t);
      if (at && (*at < 0 || *at + u.bytes > size) && ((u.way.is_sure && u.way.must[t]) || chosen.takes(u.way, t) == true))
        return answer_out(answer::refuted, t, *at < 0 ? *at : *at + u.bytes - 1);
    }
  }
  answer_out(answer::unknown, 0, 0);
}

}  // namespace tg::proof
