// What people get wrong with tiles that only shows when the kernel is recorded, each with the error that tells them.
#include <tg/tile.hpp>

#include <vector>

#include <tg/tg.hpp>

#include "../misuse.hpp"

using namespace tg::literals;

namespace {

const std::vector<misuse> rows{
    {"an expression that is read after its tile has changed", 603,
     "TG603: an expression reads a tile that was assigned after the expression was written; name the value with "
     "tg::eval where it is written",
     [] {
       (void)tg::to_ptx(tg::kernel<"k">(tg::block<64>, [](auto block, tg::out2<float, tg::multiple_of<4>> y) {
         auto sum = tg::zeros<float, 32, 64>(block);
         const auto later = sum + 1.0f;
         sum = sum + 2.0f;
         tg::tile_at<32, 64>(tg::sized(y, 32u, 64u), 0_c, 0_c) = later;
       }));
     }},
};

}  // namespace

TEST_CASE("what only the recording of a kernel of tiles shows is a clear error") { check_misuses(rows); }
