// The text of a kernel is a std::string, which the language does not include.
// expect: TG139: tg::to_ptx makes a std::string: include <string>
#ifndef TG_WRONG
#include <string>
#endif

#include <tg/dsl.hpp>

inline constexpr auto ones =
    tg::kernel<"ones">(tg::block<64>, [](auto block, tg::out<float> y) { y(block.global_index()) = 1.0f; });

void show() { (void)tg::to_ptx(ones); }
