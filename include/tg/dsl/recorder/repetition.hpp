// Whether what is recorded now runs more than once.
#pragma once

namespace tg::detail {

/// Whether the statement that is recorded stands in a loop of the kernel: shared memory that it uses is used again.
bool is_repeated();

}  // namespace tg::detail
