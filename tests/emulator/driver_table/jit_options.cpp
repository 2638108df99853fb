#include <tg/emulator/driver_table/jit_options.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace tg::emulator::entry;

TEST_CASE("the log of a failure is cut to its buffer, and the size becomes the length") {
  char text[6] = "#####";
  jit_option keys[] = {jit_option::error_log_buffer, jit_option::error_log_buffer_size_bytes, jit_option::optimization_level};
  void* values[] = {text, reinterpret_cast<void*>(sizeof text), nullptr};
  jit_options options(3, keys, values);
  CHECK_THROWS_AS(options.log([] { throw tg::error(tg::code{300}, "nothing but words"); }), tg::error);
  CHECK(std::string(text) == "TG300");
  CHECK(reinterpret_cast<std::size_t>(values[1]) == 5);
  values[1] = reinterpret_cast<void*>(sizeof text);
  options.log([] {});
  CHECK(std::string(text).empty());
  CHECK_THROWS_AS(jit_options(1, nullptr, nullptr), refused);
}

TEST_CASE("a limit of registers is written into the kernels that have no lower one") {
  tg::ptx::module m;
  for (const std::uint32_t own : {0u, 20u, 40u}) {
    m.functions.emplace_back();
    m.functions.back().bounds.max_registers = own;
  }
  m.functions.emplace_back().is_entry = false;
  jit_option keys[] = {jit_option::max_registers};
  void* values[] = {reinterpret_cast<void*>(std::uintptr_t{32})};
  const jit_options options(1, keys, values);
  CHECK(options.max_registers() == 32);
  options.limit_registers(m);
  CHECK(m.functions[0].bounds.max_registers == 32);
  CHECK(m.functions[1].bounds.max_registers == 20);
  CHECK(m.functions[2].bounds.max_registers == 32);
  CHECK(m.functions[3].bounds.max_registers == 0);
}
