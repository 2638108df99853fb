// Vectors along the rows and single floats down the columns of one tile.
// expect: TG210
// expect: best_of_all_layouts
#include <tg/analysis/conflict_free_swizzle.hpp>

#ifdef TG_WRONG
using rows = tg::row_access<4>;
#else
using rows = tg::row_access<1>;
#endif

constexpr auto layout = tg::conflict_free_swizzle<tg::tile_of<float, 32, 32>, rows, tg::column_access<>>;
