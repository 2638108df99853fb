// Each file of this folder adds the entries of some headers of rows: as many as make units that compile equally long.
#pragma once

#include <registry/entry.hpp>

namespace registry {

void add_transformer(entry_list& to);
void add_products(entry_list& to);
void add_quantised(entry_list& to);
void add_lines(entry_list& to);
void add_grids(entry_list& to);

}  // namespace registry
