// What the type of a kernel's parameter says of a parameter of the PTX function.
#pragma once

#include <cstdint>

namespace tg::proof {

/// One parameter of the function: a view has one or two, a scalar one.
struct parameter_fact {
  enum class kind { buffer, row_stride, scalar };
  kind what = kind::scalar;
  std::int64_t multiple_of = 1;
  std::int64_t least_elements = 0;  // of a buffer, as its contract says; 0: nothing is promised
  std::int64_t element_bytes = 1;   // of a buffer and of its row stride
  std::int64_t box_bytes = 0;       // of a tensor map; 0: it is none
  int argument = 0;                 // number of the kernel's parameter
};

}  // namespace tg::proof
