// The options of a product behind the type of its elements.
// expect: TG166: the options of a product stand first
// expect: gemm<gemm_options{.band = 4}, tg::bf16>(epilogue)
#include <kernels/gemm.hpp>

using namespace tg::kernels;

#ifdef TG_WRONG
constexpr auto product = gemm<tg::bf16, gemm_options{}>(gemm_sums);
#else
constexpr auto product = gemm<gemm_options{}, tg::bf16>(gemm_sums);
#endif
