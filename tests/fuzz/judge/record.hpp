// Records a random kernel with the words of the language.
#pragma once

#include <vector>

#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/proof/analyze.hpp>

#include "tree.hpp"

namespace judge {

/// The kernel as the library records it; lines are those of `number_lines`. Errors: malformed, and the library's.
tg::detail::recordable to_recordable(const kernel& k);

/// Lowers the kernel. An index of which the analysis refuses to judge the lanes becomes one that depends on data.
/// Errors: malformed, and the library's other ones.
inline tg::lowered_kernel lowered(kernel& k) {
  for (int tries = 0;; ++tries) try {
      return tg::detail::lower(to_recordable(k));
    } catch (const tg::error& e) {
      const int n = static_cast<int>(e.code());
      if (n == 128) throw malformed("a body that records nothing");
      if (n < 201 || n > 204 || tries == 100) throw;
      make_gather(k, e.where().line);
    }
}

/// What the kernel's parameters promise.
tg::dynamic_array<tg::proof::parameter_fact> facts_of(const kernel& k);

}  // namespace judge
