#include <tg/emulator/libcuda/memory_rows.hpp>

#include <doctest/doctest.h>

#include "rows.hpp"

TEST_CASE("the memory functions are rows, each symbol once") {
  const std::vector<rows::row> all = {
#define TG_EXPORT(base, suffix, since, function) {#base, #base #suffix, since},
#define TG_EXPORT_PER_THREAD(base, suffix, since, function) {#base, #base #suffix, since},
#define TG_REFUSE(base, suffix, since) {#base, #base #suffix, since},
#include <tg/emulator/libcuda/memory_rows.hpp>
#undef TG_REFUSE
#undef TG_EXPORT_PER_THREAD
#undef TG_EXPORT
  };
  CHECK(rows::twice(all).empty());
  CHECK(rows::has(all, {"cuMemcpyHtoD", "cuMemcpyHtoD_v2_ptds", 7000}));
}
