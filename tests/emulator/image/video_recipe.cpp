#include <tg/emulator/image/video_recipe.hpp>

#include <doctest/doctest.h>

TEST_CASE("a video recipe survives its code") {
  using tg::emulator::video_recipe;
  const video_recipe r{.how = video_recipe::operation::mad,
                       .elements = 4,
                       .b_signed = true,
                       .saturates = true,
                       .adds_one = true,
                       .mask = 5,
                       .scale = 15,
                       .clamp_bits = 16};
  CHECK((video_recipe::from(r.coded()) == r));
  CHECK((video_recipe::from(video_recipe{}.coded()) == video_recipe{}));
  CHECK_FALSE((video_recipe::from(r.coded()) == video_recipe{}));
}
