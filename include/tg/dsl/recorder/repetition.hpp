// Whether what is recorded now runs more than once. With TG_COMPILED defined, from a library.
#pragma once

namespace tg::detail {

/// Whether the statement that is recorded stands in a loop of the kernel: shared memory that it uses is used again.
bool is_repeated();

}  // namespace tg::detail

#ifndef TG_COMPILED
#include <tg/dsl/recorder/repetition.inl>
#endif
