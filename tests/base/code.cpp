#include <tg/base/code.hpp>

static_assert(static_cast<int>(tg::code{204}) == 204 && tg::code{204} != tg::code{205});
