// A vector at a number of which the type says no multiple.
// expect: TG203
// expect: proved_alignment_bytes<4>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/uniform.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
constexpr int multiple = 1;
#else
constexpr int multiple = 4;
#endif

inline constexpr auto kernel = tg::kernel<"vector_at_any_uniform">(tg::block<32>, [](auto block, tg::out<float> y) {
  for (int i = 0; i < 4; ++i)
    y.vec<4>(block.thread.x * 4_c + tg::uniform<multiple>(128 * i)) = tg::detail::unfilled<tg::vec<float, 4>>();
});
