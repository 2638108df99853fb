#include <tg/emulator/libcuda/stream_rows.hpp>

#include <doctest/doctest.h>

#include "rows.hpp"

TEST_CASE("the stream functions are rows, each symbol once") {
  const std::vector<rows::row> all = {
#include <tg/emulator/libcuda/stream_rows.hpp>
  };
  CHECK(rows::twice(all).empty());
  CHECK(rows::has(all, {"cuStreamDestroy", "cuStreamDestroy_v2", 4000}));
}
