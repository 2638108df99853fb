#include <tg/emulator/access/count_request.hpp>

#include <doctest/doctest.h>

namespace {

using tg::emulator::count_request;
using tg::emulator::instruction_count;
using tg::ptx::token;

tg::analysis::request strided(std::int64_t step_bytes) {
  tg::analysis::request r;
  for (std::size_t l = 0; l < 32; ++l) r.address_bytes[l] = 256 + static_cast<std::int64_t>(l) * step_bytes;
  return r;
}

}  // namespace

TEST_CASE("a request adds sectors and lines, or wavefronts, by where it goes") {
  instruction_count c;
  count_request(c, strided(8), token::global, true);
  count_request(c, strided(128), token::shared, true);
  CHECK_EQ(c.sectors, 8);
  CHECK_EQ(c.lines, 2);
  CHECK_EQ(c.wavefronts, 32);
  count_request(c, strided(4), token::const_, true);
  CHECK_EQ(c.sectors, 12);
  count_request(c, strided(4), token::local, true);
  CHECK_EQ(c.sectors, 12);
  CHECK_EQ(c.wavefronts, 32);
}

TEST_CASE("only full requests say what the least and the most is") {
  instruction_count c;
  count_request(c, strided(4), token::global, true);
  count_request(c, strided(16), token::global, true);
  count_request(c, strided(32), token::global, false);
  CHECK_EQ(c.sectors, 4 + 16 + 32);
  CHECK_EQ(c.sectors_min, 4);
  CHECK_EQ(c.sectors_max, 16);
  count_request(c, strided(8), token::shared, true);
  count_request(c, strided(4), token::shared, false);
  CHECK_EQ(c.wavefronts, 3);
  CHECK_EQ(c.wavefronts_min, 2);
  CHECK_EQ(c.wavefronts_max, 2);
}
