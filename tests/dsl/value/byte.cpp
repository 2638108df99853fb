#include <tg/dsl/value/byte.hpp>

#include "../word.hpp"

TEST_CASE("each byte of a word") {
  using u32 = std::uint32_t;
  word::check<u32, u32>(
      [](auto v) {
        const auto wide = [&](auto byte) { return tg::cast<unsigned>(byte); };
        return wide(tg::byte<0>(v)) + wide(tg::byte<1>(v)) * 3u + wide(tg::byte<2>(v)) * 5u + wide(tg::byte<3>(v)) * 7u;
      },
      [](u32 v) { return (v & 255) + (v >> 8 & 255) * 3 + (v >> 16 & 255) * 5 + (v >> 24) * 7; });
  word::check<std::int32_t, u32>([](auto v) { return tg::cast<unsigned>(tg::byte<3>(v)); },
                                 [](std::int32_t v) { return static_cast<u32>(v) >> 24; });
}
