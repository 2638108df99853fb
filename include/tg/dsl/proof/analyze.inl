// The analysis of a recorded kernel.
#pragma once

#include <tg/dsl/proof/analyze.hpp>

#include <string>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/answers.hpp>
#include <tg/ptx/passes/remove_dead.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION kernel_analysis analyze(const recordable& kernel, const dynamic_array<proof::parameter_fact>& parameters) {
  traced_kernel traced = record(kernel);
  // An element that is only written is read first, and nobody uses what was read.
  ptx::remove_dead(traced.module.functions[0]);
  proof::answers found = proof::answers_of(traced.module, kernel.launched(), parameters);
  return {std::string(kernel.name), std::move(found.findings), std::move(found.redundant_barriers)};
}

}  // namespace tg::detail
