// A vector store to a read-only view.
// expect: TG105
// expect: tg::inout
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/cast.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"vector_write_to_in">(tg::block<256>, [](auto block, tg::in<float> x) {
#else
inline constexpr auto kernel = tg::kernel<"vector_write_to_in">(tg::block<256>, [](auto block, tg::inout<float> x) {
#endif
  auto i = block.global_index();
  x.vec<2>(i * 2_c) = tg::make_vec(tg::cast<float>(i), tg::cast<float>(i));
});
