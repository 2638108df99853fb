// Where the types live whose values users hold.
#pragma once

namespace tg::detail {

/// Types whose values users hold; no functions. C++ looks for an unqualified function in the namespaces of its arguments' types
/// and of their bases too: a user's own `centred(x)` must not meet the one in tg::detail.
namespace held {}
using namespace held;

}  // namespace tg::detail
