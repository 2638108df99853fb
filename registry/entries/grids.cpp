// Entries of rows: pictures, grids, points and transforms.
#include <registry/convolutions.hpp>
#include <registry/entry_of.hpp>
#include <registry/grids.hpp>
#include <registry/pictures.hpp>
#include <registry/points.hpp>
#include <registry/rgb_pictures.hpp>
#include <registry/rows_of_matrices.hpp>
#include <registry/transforms.hpp>

#include "entries.hpp"

void registry::add_grids(entry_list& to) {
  each_convolution(entry_adder{to, "convolutions"});
  each_of_grids(entry_adder{to, "grids"});
  each_of_pictures(entry_adder{to, "pictures"});
  each_of_points(entry_adder{to, "points"});
  each_of_rgb_pictures(entry_adder{to, "rgb_pictures"});
  each_of_matrices(entry_adder{to, "rows_of_matrices"});
  each_transform(entry_adder{to, "transforms"});
}
