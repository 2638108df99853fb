// What the tests of functions of arrays share.
#pragma once

#include <tg/base/error.hpp>

namespace refusals {

/// The code of the error that `f` throws; 0 for none.
template <class F> int code_of_error(F f) {
  try {
    f();
  } catch (const tg::error& e) { return e.number(); }
  return 0;
}

}  // namespace refusals
