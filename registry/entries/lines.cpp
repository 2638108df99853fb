// Entries of rows: lines of elements.
#include <registry/compression.hpp>
#include <registry/elementwise.hpp>
#include <registry/entry_of.hpp>
#include <registry/histograms.hpp>
#include <registry/reductions.hpp>
#include <registry/scans.hpp>
#include <registry/segments.hpp>
#include <registry/sorting.hpp>

#include "entries.hpp"

void registry::add_lines(entry_list& to) {
  each_compression(entry_adder{to, "compression"});
  each_elementwise(entry_adder{to, "elementwise"});
  each_histogram(entry_adder{to, "histograms"});
  each_reduction(entry_adder{to, "reductions"});
  each_scan(entry_adder{to, "scans"});
  each_segmented(entry_adder{to, "segments"});
  each_sort(entry_adder{to, "sorting"});
}
