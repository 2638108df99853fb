// Entries of rows: weights in blocks.
#include <registry/dequantising.hpp>
#include <registry/entry_of.hpp>
#include <registry/quantised.hpp>

#include "entries.hpp"

void registry::add_quantised(entry_list& to) {
  each_dequantising(entry_adder{to, "dequantising"});
  each_quantised(entry_adder{to, "quantised"});
}
