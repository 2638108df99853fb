#include <tg/ptx/ir/token.hpp>

using tg::ptx::token;

static_assert(static_cast<int>(token::none) == 0 && static_cast<std::size_t>(token::zero) + 1 == tg::ptx::token_count);
