#include <tg/dsl/wgmma/shared_operand.hpp>

#include <tg/emulator/matrix/shared_tile.hpp>

#include "../recording.hpp"
#include "product_of_tiles.hpp"

namespace {

using namespace product_of_tiles;

/// The descriptors of all steps lead the emulator, which has a table of its own, to where the layout has the elements.
template <class T, int Lines, int Depth, major Major, int RowBytes> void check_descriptors() {
  using tile = tile_of<T, Lines, Depth, Major, RowBytes>;
  using operand = tg::shared_operand<T, Lines, Depth, Major, RowBytes, tile::rows * RowBytes>;
  constexpr int k = tg::detail::group_depth<T>;
  constexpr std::uint64_t start = operand::alignment_bytes * 3;
  const auto swizzled = [](std::uint64_t at) { return RowBytes == 16 ? at : at ^ ((at >> 7 & (RowBytes / 16 - 1)) << 4); };
  for (int step = 0; step < Depth / k; ++step) {
    const std::uint64_t mode = RowBytes == 16 ? 0 : RowBytes == 128 ? 1 : RowBytes == 64 ? 2 : 3;
    const auto first = start + static_cast<std::uint64_t>(operand::step_bytes(step, k));
    const tg::emulator::shared_tile found(first >> 4 | std::uint64_t{operand::leading_bytes >> 4} << 16 |
                                          std::uint64_t{operand::stride_bytes >> 4} << 32 | mode << 62);
    for (int line = 0; line < Lines; line += Major == major::k ? 1 : 8)
      for (int part = 0; part < (Major == major::k ? 2 : k); ++part) {
        const int depth = step * k + (Major == major::k ? part * k / 2 : part);
        const std::uint64_t want = swizzled(start + tile::place(line, depth) / 8);
        const std::uint64_t got = Major == major::k
                                      ? found.along_k(static_cast<std::size_t>(line), static_cast<std::size_t>(part))
                                      : found.along_lines(static_cast<std::size_t>(line / 8), static_cast<std::size_t>(part));
        CHECK(got == want);
      }
  }
}

}  // namespace

TEST_CASE("descriptors lead where the layouts of tiles have the elements") {
  check_descriptors<tg::bf16, 64, 128, major::k, 128>();
  check_descriptors<tg::bf16, 24, 64, major::k, 64>();
  check_descriptors<tg::tf32, 16, 32, major::k, 32>();
  check_descriptors<signed char, 64, 64, major::k, 16>();
  check_descriptors<tg::b1, 8, 512, major::k, 16>();
  check_descriptors<tg::f16, 128, 64, major::mn, 128>();
  check_descriptors<tg::f16, 64, 32, major::mn, 64>();
  check_descriptors<tg::f16, 48, 16, major::mn, 32>();
  check_descriptors<tg::f16, 24, 48, major::mn, 16>();
}

TEST_CASE("a tile begins where its swizzle does, beside others and in dynamic shared memory") {
  const auto lowered = tg::lower(tg::kernel<"k">(tg::block<128>, [](auto block, tg::inout<float> y) {
    const auto small = tg::shared<float>(tg::shape<33>);
    const auto large = tg::shared<float>(tg::shape<12000>);
    const auto tile = tg::shared<tg::f16>(tg::shape<64, 64>, tg::swizzle<3, 3, 3>);
    const auto narrow = tg::shared<tg::f16>(tg::shape<8, 16>, tg::swizzle<1, 3, 3>);
    small(0_c) = y(block.thread.x);
    large(block.thread.x) = small(0_c);
    tg::group_accumulator<64, 8, float> sum = 0.0f;
    const auto a = tg::k_major(tile);
    const auto done = tg::wgmma(std::move(sum), a.slice(16_c, 1_c), tg::k_major(narrow)).wait();
    y(block.thread.x) = done(0);
  }));
  INFO(lowered.ptx);
  CHECK(lowered.ptx.find(".extern .shared .align 1024 .b8 k_tiles[];") != std::string::npos);
  CHECK(lowered.ptx.find(".shared_tile tile2") < lowered.ptx.find(".shared_tile tile3"));
  CHECK(lowered.ptx.find(".shared_tile tile3") < lowered.ptx.find(".shared_tile tile0"));
  CHECK(accuracy::complaints_from_its_sm_on(lowered.ptx) == "");
}

TEST_CASE("stages of a ring are operands") {
  const auto x = word::random_words<unsigned short>(4 * 64 * 32);
  CHECK(x.size() == 8192);
  const auto r = recording::of<tg::block_t<128>>([](auto, recording::parameters p) {
    const auto ring = tg::stages<tg::f16, 3>(tg::shape<64, 32>, tg::swizzle<2, 3, 3>);
    const auto a = tg::k_major(ring.fill(p.n.get()));
    static_assert(decltype(a)::lines == 64 && decltype(a)::depth == 32 && decltype(a)::swizzle_bytes == 64);
    const auto b = tg::mn_major(ring.fill(1_c));
    static_assert(decltype(b)::lines == 32 && decltype(b)::depth == 64 && decltype(-b)::is_negative);
    (void)a.part(8_c, p.n.get());
  });
  CHECK(r.text.find("and.b32") != std::string::npos);
}
