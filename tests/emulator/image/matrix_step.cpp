#include <tg/emulator/image/matrix_step.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

class counting_step final : public tg::emulator::matrix_step {
 public:
  void operator()(tg::emulator::warp_view& view) const override { view.words({2, 4})[3] = view.warp; }
};

}  // namespace

TEST_CASE("a step sees the slots of its warp, and takes one warp unless it says otherwise") {
  std::vector<std::uint64_t> frame(4 * 64);
  tg::emulator::warp_view view;
  view.frame = reinterpret_cast<std::byte*>(frame.data());
  view.stride = 64 * 4;
  view.warp = 1;
  const counting_step step;
  step(view);
  CHECK_EQ(reinterpret_cast<std::uint32_t*>(frame.data())[2 * 64 + 32 + 3], 1);
  CHECK_FALSE(step.is_for_group());
  view.warp = 0;
  CHECK_EQ(view.words({2, 4}, 1)[3], 1);
  CHECK_EQ(reinterpret_cast<std::byte*>(view.values<std::uint64_t>({2, 8}, 1)) - view.frame, 2 * 256 + 32 * 8);
}
