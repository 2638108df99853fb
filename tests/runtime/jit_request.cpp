#include <tg/runtime/jit_request.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <map>

using tg::driver::jit_option;
using tg::runtime::jit_request;
using tg::runtime::jit_target;

namespace {

std::map<jit_option, std::uintptr_t> options_of(jit_request& r) {
  std::map<jit_option, std::uintptr_t> out;
  for (unsigned i = 0; i < r.count(); ++i) out[r.keys()[i]] = reinterpret_cast<std::uintptr_t>(r.values()[i]);
  return out;
}

}  // namespace

TEST_CASE("the driver gets every option") {
  jit_request usual{tg::load_options{}};
  auto options = options_of(usual);
  CHECK(options.size() == 6);
  CHECK(options.at(jit_option::optimization_level) == 4);
  CHECK(options.at(jit_option::generate_line_info) == 1);

  jit_request other({.optimization_level = 1, .max_registers = 64, .line_info = false}, jit_target(90, 'a'));
  options = options_of(other);
  CHECK(options.size() == 8);
  CHECK(options.at(jit_option::optimization_level) == 1);
  CHECK(options.at(jit_option::generate_line_info) == 0);
  CHECK(options.at(jit_option::max_registers) == 64);
  CHECK(options.at(jit_option::target) == 0x1005a);
}

TEST_CASE("targets are numbered as the driver does") {
  CHECK(jit_target(86, '\0') == 86);
  CHECK(jit_target(100, 'a') == 0x10064);
  CHECK(jit_target(103, 'f') == 0x20067);
}

TEST_CASE("both logs come back, and never run over") {
  jit_request r{tg::load_options{}};
  CHECK(std::string(r.info()).empty());
  auto options = options_of(r);
  std::strcpy(reinterpret_cast<char*>(options.at(jit_option::info_log_buffer)), "info");
  std::memset(reinterpret_cast<char*>(options.at(jit_option::error_log_buffer)), 'x',
              options.at(jit_option::error_log_buffer_size_bytes));
  CHECK(std::string(r.info()) == "info");
  CHECK(std::string(r.errors()) == std::string(8192, 'x'));
}
