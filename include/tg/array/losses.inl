// Losses without a target for each row.
#pragma once

#include <tg/array/losses.hpp>

#include <string>

#include <tg/array/codes.hpp>
#include <tg/base/config.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void refuse_targets(std::int64_t rows, std::int64_t classes, std::int64_t targets, source_location where) {
  const std::string logits = "a loss of logits of shape (" + std::to_string(rows) + ", " + std::to_string(classes) + ")";
  if (rows != targets)
    throw error(shapes_differ, logits + " beside " + std::to_string(targets) + " targets", "give one target for each row",
                where);
  throw error(shape_impossible, logits, "a row has at least one class", where);
}

}  // namespace tg::detail
