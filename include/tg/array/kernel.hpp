// The kernels that evaluate expressions.
#pragma once

#include <tg/array/plan.hpp>
#include <tg/dsl/kernel/recordable.hpp>

namespace tg::detail {

/// What an expression's kernel is recorded from. It outlives the recording.
struct array_kernel {
  const expression_facts* facts;
  const array_plan* plan;
  source_location where;

  recordable to_recordable() const;
};

}  // namespace tg::detail
