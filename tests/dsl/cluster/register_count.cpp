#include <tg/dsl/cluster/register_count.hpp>

#include "../recording.hpp"

TEST_CASE("registers are given back and asked for") {
  const auto r = recording::of<tg::block_t<256>>([](auto block, recording::parameters) {
    tg::lower_registers<24>(block);
    tg::raise_registers<256>(block);
  });
  CHECK(r.text == "setmaxnreg.dec.sync.aligned.u32 setmaxnreg.inc.sync.aligned.u32");
}
