#include <registry/entry.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include <kernels/saxpy.hpp>

#include "../house/sources.hpp"

namespace {

/// The headers of rows: those that call `ask` for each.
std::set<std::string> headers_of_rows() {
  std::set<std::string> out;
  for (const auto& file : house::sources_in({"registry"}, {".hpp"}))
    if (file.text.find("ask(") != file.text.npos && file.text.find("inline constexpr row ") != file.text.npos)
      out.insert(std::filesystem::path(file.path).stem().string());
  return out;
}

}  // namespace

TEST_CASE("each header of rows has entries and a test of them") {
  std::set<std::string> entered, tested;
  for (const auto& row : registry::entries()) entered.emplace(row->header);
  for (const auto& file : house::sources_in({"tests/registry"}, {".cpp"})) {
    const std::string header = std::filesystem::path(file.path).stem().string();
    if (file.text.find("try_rows(\"" + header + "\")") != file.text.npos) tested.insert(header);
  }
  CHECK(headers_of_rows().size() > 20);
  CHECK(entered == headers_of_rows());
  CHECK(tested == headers_of_rows());
}

TEST_CASE("an entry says of its kernel what the kernel's own functions say") {
  const auto found =
      std::ranges::find_if(registry::entries(), [](const auto& row) { return row->name == tg::kernels::saxpy.name; });
  REQUIRE(found != registry::entries().end());
  const registry::entry& row = **found;
  CHECK(row.lower().ptx == tg::lower(tg::kernels::saxpy).ptx);
  CHECK(row.analyze().text() == tg::analyze(tg::kernels::saxpy).text());
  CHECK(row.explain("H100", 2).kernel == "saxpy");
  tg::device gpu;
  const registry::outcome ran = row.launch(gpu, {1, 1000, 1}, 1);
  CHECK(ran.worst <= 1);
  CHECK(ran.overwritten == 0);
  CHECK(ran.blocks > 0);
}
