#include <tg/dsl/bulk/copy_instruction.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/kernel/lower.hpp>

TEST_CASE("an instruction is recorded with the line that asks for it") {
  const auto lowered = tg::lower(tg::kernel<"k">(tg::block<32>, [](auto block, tg::out<unsigned> y) {
    tg::detail::record_copy({tg::ptx::token::async, tg::ptx::token::bulk, tg::ptx::token::commit_group}, {},
                            tg::source_location::current());
    y(block.thread.x) = 1u;
  }));
  CHECK(lowered.ptx.find("cp.async.bulk.commit_group;") != std::string::npos);
  CHECK(lowered.ptx.find("copy_instruction.cpp") != std::string::npos);
  CHECK(lowered.module.sm == 90);
}
