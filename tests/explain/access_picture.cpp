#include <tg/explain/access_picture.hpp>

#include <doctest/doctest.h>

#include <random>

#include "sample.hpp"

using namespace tg::report;
using tg::analysis::request;

namespace {

template <class Draw> std::string drawn(Draw draw, const request& r) {
  markup out;
  draw(out, r);
  return out.take();
}

// The rows of a picture are what is counted, its cells are who takes part in them.
void check_pictures(const request& r) {
  const auto sectors = touched_sectors(r);
  CHECK(static_cast<int>(sectors.size()) == tg::analysis::count_global(r).sectors);
  std::size_t lanes = 0, bytes = 0;
  for (const touched_sector& s : sectors)
    lanes += static_cast<std::size_t>(std::popcount(s.lanes)), bytes += static_cast<std::size_t>(std::popcount(s.bytes));
  CHECK(static_cast<int>(bytes) == tg::analysis::touched_bytes(r));
  const std::string of_sectors = drawn(draw_sectors, r);
  CHECK(sample::occurrences(of_sectors, "class=\"cell\"") == lanes);
  CHECK(sample::occurrences(of_sectors, "class=\"used\"") == sectors.size());
  CHECK(sample::complaint_about(of_sectors) == "");

  const auto wavefronts = served_wavefronts(r);
  CHECK(static_cast<int>(wavefronts.size()) == tg::analysis::count_shared(r).wavefronts);
  std::size_t words = 0;
  for (const served_banks& w : wavefronts)
    for (const auto bank : w.lanes) words += bank != 0;
  const std::string of_banks = drawn(draw_banks, r);
  CHECK(sample::occurrences(of_banks, "class=\"cell") == words);
  CHECK(sample::occurrences(of_banks, "class=\"row\"") == wavefronts.size());
  CHECK(sample::complaint_about(of_banks) == "");
}

}  // namespace

TEST_CASE("pictures match the numbers") {
  for (const int step : {0, 1, 2, 4, 8, 16, 32, 33 * 4, 128, 4096}) {
    CAPTURE(step);
    check_pictures(sample::lanes_apart(step));
    check_pictures(sample::lanes_apart(step, 1));
    check_pictures(sample::lanes_apart(step, 8));
    check_pictures(sample::lanes_apart(step, 16));
  }
}

TEST_CASE("pictures match the numbers of any request") {
  std::mt19937 random(7);
  for (int n = 0; n < 60; ++n) {
    request r;
    r.access_bytes = 1 << random() % 5;
    r.active = n % 3 == 0 ? static_cast<tg::analysis::lane_mask>(random()) : tg::analysis::all_lanes;
    for (auto& a : r.address_bytes) a = static_cast<std::int64_t>(random() % 2048) / r.access_bytes * r.access_bytes;
    CAPTURE(n);
    check_pictures(r);
  }
}

TEST_CASE("a column is a tall picture, a row a flat one") {
  CHECK(touched_sectors(sample::lanes_apart(128)).size() == 32);
  CHECK(touched_sectors(sample::lanes_apart(4)).size() == 4);
  CHECK(served_wavefronts(sample::lanes_apart(128)).size() == 32);
  CHECK(served_wavefronts(sample::lanes_apart(132)).size() == 1);
  CHECK(sample::contains(drawn(draw_banks, sample::lanes_apart(0)), "cell shared"));
}
