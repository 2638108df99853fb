#include <tg/runtime/mapped_address.hpp>

#include <doctest/doctest.h>

#include <memory>

TEST_CASE("addresses of the stack, the heap and variables are told from numbers") {
  static int variable = 0;
  int local = 0;
  const auto on_heap = std::make_unique<int>(0);
  for (const void* p : {static_cast<const void*>(&variable), static_cast<const void*>(&local), static_cast<const void*>(on_heap.get()),
                        static_cast<const void*>("text")}) {
    const void* words[2] = {nullptr, p};
    CHECK(tg::runtime::may_hold_address(words, sizeof words));
  }
  const std::uint64_t numbers[] = {0, 1, 4095, 0x3ff8000000000000, 0x4000000040000000, ~std::uint64_t{0}};
  CHECK_FALSE(tg::runtime::may_hold_address(numbers, sizeof numbers));
}
