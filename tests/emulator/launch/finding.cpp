#include <tg/emulator/launch/finding.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator::check;

namespace {

finding race() {
  finding f;
  f.kind = checker::race;
  f.code = tg::code{416};
  f.what = "Race reported between Read access and Write access in __shared__ memory";
  f.detail = "is not ordered with an earlier access";
  f.fix = "put a barrier between them";
  f.kernel = "blur";
  f.at = {"ld.shared.f32", 12, "src/blur.cu", 31, true, {1, 2, 0}, {3, 0, 0}};
  f.other = site{"st.shared.f32", 9, "src/blur.cu", 28, true, {0, 2, 0}, {3, 0, 0}};
  f.has_address = true;
  f.address = 0x80;
  f.bytes = 4;
  f.count = 7;
  return f;
}

}  // namespace

TEST_CASE("a finding prints as several lines, and as one sentence") {
  CHECK_EQ(to_text(race()),
           "TG416 race: Race reported between Read access and Write access in __shared__ memory [7 hazards]\n"
           "    at 'ld.shared.f32' (PTX line 12) in blur (src/blur.cu:31)\n"
           "    by thread (1, 2, 0) of block (3, 0, 0)\n"
           "    address 0x80 is not ordered with an earlier access\n"
           "    the other access: 'st.shared.f32' (PTX line 9) at blur.cu:28 by thread (0, 2, 0) of block (3, 0, 0)\n"
           "    to do: put a barrier between them\n");
  CHECK_EQ(sentence(race()),
           "Race reported between Read access and Write access in __shared__ memory, 'ld.shared.f32' (PTX line 12), at 0x80 "
           "by "
           "thread (1, 2, 0) of block (3, 0, 0) in kernel 'blur' is not ordered with an earlier access; the other access: "
           "'st.shared.f32' (PTX line 9) at blur.cu:28 by thread (0, 2, 0) of block (3, 0, 0) [7 hazards]");
}

TEST_CASE("a finding ends a launch as an error with its code and line") {
  const failure thrown(race());
  CHECK(thrown.number() == 416);
  CHECK(thrown.where().line == 31);
  CHECK(std::string(thrown.what()).ends_with("put a barrier between them (blur.cu:31)"));
  CHECK(thrown.found() == race());
}
