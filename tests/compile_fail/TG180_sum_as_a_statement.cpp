// A sum that nobody reads.
// expect: TG180
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/operators.hpp>

#pragma GCC diagnostic error "-Wunused-result"

inline constexpr auto kernel = tg::kernel<"sum_as_a_statement">(tg::block<256>, [](auto block, tg::inout<unsigned> c) {
  const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
  c(i) + 1u;
#else
  c(i) += 1u;
#endif
});
