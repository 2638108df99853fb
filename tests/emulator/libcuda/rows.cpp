#include <tg/emulator/libcuda/rows.hpp>

#include <doctest/doctest.h>

#include "rows.hpp"

TEST_CASE("no two rows export one symbol, and a repeated one is found") {
  std::vector<rows::row> all = {
#define TG_EXPORT(base, suffix, since, function) {#base, #base #suffix, since},
#define TG_EXPORT_PER_THREAD(base, suffix, since, function) {#base, #base #suffix, since},
#define TG_REFUSE(base, suffix, since) {#base, #base #suffix, since},
#include <tg/emulator/libcuda/rows.hpp>
#undef TG_REFUSE
#undef TG_EXPORT_PER_THREAD
#undef TG_EXPORT
  };
  CHECK(all.size() > 600);
  CHECK(rows::twice(all).empty());
  all.push_back(all.front());
  CHECK(rows::twice(all) == std::vector{all.front().symbol});
}
