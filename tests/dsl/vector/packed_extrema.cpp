#include <tg/dsl/vector/packed_extrema.hpp>

#include "../word.hpp"

namespace {

using u32 = std::uint32_t;

template <class Part> u32 each(u32 a, u32 b, bool larger) {
  u32 out = 0;
  for (unsigned k = 0; k < 32; k += sizeof(Part) * 8) {
    const Part x = static_cast<Part>(a >> k), y = static_cast<Part>(b >> k);
    const Part best = larger ? std::max(x, y) : std::min(x, y);
    out |= u32{static_cast<std::make_unsigned_t<Part>>(best)} << k;
  }
  return out;
}

template <class Part> void check() {
  word::check<u32, u32>([](auto v) { return tg::packed_min<Part>(v, word::second(v)); },
                        [](u32 v) { return each<Part>(v, word::second(v), false); });
  word::check<u32, u32>([](auto v) { return tg::packed_max<Part>(v, word::second(v)); },
                        [](u32 v) { return each<Part>(v, word::second(v), true); });
}

}  // namespace

TEST_CASE("the smaller and the larger of packed halves") {
  check<short>();
  check<unsigned short>();
}
