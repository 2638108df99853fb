#include <tg/dsl/kernel/recordable.hpp>

#include <string_view>

#include "../recording.hpp"

TEST_CASE("a kernel of forgotten type keeps its facts and is recorded as itself") {
  const auto k = tg::kernel<"facts">(tg::block<32, 2>, [](auto, tg::in<float>, tg::scalar<int, tg::multiple_of<4>>) {});
  const int line = __LINE__ - 1;
  const auto r = tg::detail::to_recordable(k);
  CHECK(std::string_view(r.name) == "facts");
  CHECK(r.block == tg::analysis::block_extent{32, 2, 1});
  CHECK(r.where.line == line);
  CHECK(tg::detail::record(r).module == tg::trace(k).module);
}
