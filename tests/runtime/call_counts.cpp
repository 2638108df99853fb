#include <tg/runtime/call_counts.hpp>

#include "hand_written.hpp"

using tg::driver::result;

TEST_CASE("calls are counted by function, with the bytes that they were given") {
  const tg::driver::table& api = tg::emulator::driver_table();
  tg::runtime::call_counts counts;
  tg::driver::device_address address = 0;
  counts.note(api, api.cuMemAlloc, result::success, &address, std::size_t{100});
  counts.note(api, api.cuMemAlloc, result::success, &address, 11);
  counts.note(api, api.cuMemAlloc, result::out_of_memory, &address, std::size_t{1000});
  counts.note(api, api.cuEventQuery, result::not_ready, nullptr);
  counts.note(api, api.cuMemcpyDtoDAsync, result::success, address, address, std::size_t{8}, nullptr);
  counts.note(api, api.cuCtxSynchronize, result::success);
  CHECK(counts.of(api, api.cuMemAlloc).calls == 2);
  CHECK(counts.of(api, api.cuMemAlloc).amount == 111);
  CHECK(counts.of(api, api.cuMemcpyDtoDAsync).amount == 8);
  CHECK(counts.of(api, api.cuEventQuery).calls == 0);
  CHECK(counts.total() == 4);
  CHECK(counts.failures() == 1);
}

TEST_CASE("a context counts what it calls") {
  tg::device gpu("emulator");
  const auto& api = gpu.context()->api();
  const auto before = gpu.context()->counts().of(api, api.cuMemcpyHtoD);
  auto x = gpu.zeros<float>(1000);
  x.copy_from(std::vector<float>(1000));
  CHECK(gpu.context()->counts().of(api, api.cuMemcpyHtoD).amount - before.amount == 4000);
}
