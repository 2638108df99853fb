// A table larger than constant memory.
// expect: TG188
#include <tg/dsl/value/constant_table.hpp>

#include <array>

#ifdef TG_WRONG
inline constexpr std::array<float, 32768> numbers{};
#else
inline constexpr std::array<float, 16384> numbers{};
#endif
inline constexpr auto table = tg::constant_table<"table">(numbers);
