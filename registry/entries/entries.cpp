#include "entries.hpp"

const registry::entry_list& registry::entries() {
  static const entry_list all = [] {
    entry_list out;
    add_transformer(out);
    add_products(out);
    add_quantised(out);
    add_lines(out);
    add_grids(out);
    return out;
  }();
  return all;
}
