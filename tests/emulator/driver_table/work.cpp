#include <tg/emulator/driver_table/work.hpp>

#include <cstring>

#include "session.hpp"

using driver_session::result;
using namespace tg::emulator::entry;
using tg::driver::memory_operation;

TEST_CASE("each work has the type of its node") {
  CHECK(type_of(work{empty_work{}}) == node_type::empty);
  CHECK(type_of(work{copy_work{}}) == node_type::memcpy);
  CHECK(type_of(work{free_work{}}) == node_type::mem_free);
  CHECK(type_of(work{value_work{}}) == node_type::batch_mem_op);
}

TEST_CASE("waits compare as counters, bits and numbers do") {
  const driver_session::context c;
  const driver_session::words w(2);
  const auto is_ready = [&](std::uint32_t now, std::uint64_t wanted, unsigned how, memory_operation what) {
    const std::uint64_t bits = now;
    driver_session::api().cuMemcpyHtoD(w.address, &bits, 8);
    return value_work{{what, w.address, wanted, how, 0, 0}}.is_ready(the_machine());
  };
  constexpr auto narrow = memory_operation::wait_value_32, wide = memory_operation::wait_value_64;
  CHECK(is_ready(5, 5, 0, narrow));
  CHECK_FALSE(is_ready(4, 5, 0, narrow));
  CHECK(is_ready(2, 0xfffffff0, 0, narrow));  // wrapped
  CHECK_FALSE(is_ready(2, 0xfffffff0, 0, wide));
  CHECK(is_ready(5, 5, 1, narrow));
  CHECK_FALSE(is_ready(6, 5, 1, narrow));
  CHECK(is_ready(6, 2, 2, narrow));
  CHECK_FALSE(is_ready(6, 1, 2, narrow));
  CHECK(is_ready(0xffff0000, 0xffff, 3, narrow) == false);
  CHECK(is_ready(0xffff0000, 0xff, 3, narrow));
  CHECK(is_ready(5, 5, 0, memory_operation::write_value_32));
}
