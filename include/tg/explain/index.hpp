// Many explanations in one table: a line for each kernel, as a page with links and as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tg/base/dynamic_array.hpp>

#include <tg/explain/explanation.hpp>

namespace tg {

/// What a table of kernels says of one.
struct index_row {
  std::string kernel, page;
  machine_unit bound = machine_unit::issue;  ///< the busiest unit
  double roof_share = 0;  ///< of the peak of memory or tensor cores, if what units do overlaps perfectly, 0 to 1
  std::uint64_t sectors = 0, ideal_sectors = 0, wavefronts = 0, ideal_wavefronts = 0;
  int registers = 0;     ///< that ptxas is expected to give a thread
  double occupancy = 0;  ///< warps that fit a multiprocessor, as a share of those that it can hold, 0 to 1
  std::size_t proved = 0, refuted = 0, unknown = 0;  ///< answers of the proofs
};

/// `page`: the file of the explanation, beside the index.
index_row to_index_row(const explanation& e, std::string page);
/// A page that links to those of the kernels. Columns: what bounds it, the share of the roofline, sectors and wavefronts beside
/// the least, registers, occupancy, what is proved.
std::string to_html(const dynamic_array<index_row>& rows, std::string_view device);
std::string to_text(const dynamic_array<index_row>& rows);

}  // namespace tg
