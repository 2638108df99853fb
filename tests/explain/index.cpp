#include <tg/explain/index.hpp>

#include <doctest/doctest.h>

#include <kernels/saxpy.hpp>
#include <kernels/transpose.hpp>
#include <kernels/transpose_steps.hpp>
#include <tg/explain/explain.hpp>

namespace {

tg::index_row row_of(const auto& kernel) {
  return tg::to_index_row(tg::explain(kernel, "H100"), std::string(kernel.name) + ".html");
}

}  // namespace

TEST_CASE("a row has the figures of its explanation") {
  const tg::index_row saxpy = row_of(tg::kernels::saxpy);
  CHECK(saxpy.kernel == "saxpy");
  CHECK(saxpy.bound == tg::machine_unit::global_memory);
  CHECK(saxpy.roof_share == 1);
  CHECK(saxpy.sectors == 3 * 8 * 4);  // three accesses by 8 warps
  CHECK(saxpy.ideal_sectors == saxpy.sectors);
  CHECK(saxpy.occupancy == 1);
  CHECK(saxpy.refuted + saxpy.unknown == 0);
  const tg::index_row naive = row_of(tg::kernels::transpose_naive);
  CHECK(naive.sectors > 2 * naive.ideal_sectors);  // columns are written one element each
}

TEST_CASE("the page links to each kernel and the text has a line for each") {
  const tg::dynamic_array<tg::index_row> rows{row_of(tg::kernels::saxpy), row_of(tg::kernels::transpose_swizzled)};
  const std::string page = tg::to_html(rows, "H100 <1>");
  CHECK(page.find("<a href=\"transpose_swizzled.html\">transpose_swizzled</a>") != page.npos);
  CHECK(page.find("2 kernels on H100 &lt;1&gt;") != page.npos);
  const std::string text = tg::to_text(rows);
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  CHECK(text.find("global memory") != text.npos);
}
