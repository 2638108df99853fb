// Steps of optimizers that cannot be.
#pragma once

#include <tg/array/optimizers.hpp>

#include <string>

#include <tg/array/codes.hpp>
#include <tg/base/config.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void require_step(int step, source_location where) {
  if (step < 1) throw error(shape_impossible, "tg::adam_step of step " + std::to_string(step), "count steps from 1 on", where);
}

}  // namespace tg::detail
