#include <tg/runtime/kernel_source.hpp>

#include "hand_written.hpp"

namespace {

constexpr auto plain =
    tg::kernel<"plain">(tg::block<32>, [](auto block, tg::out<unsigned> y) { y(block.global_index()) = 1u; });

}  // namespace

TEST_CASE("a kernel's source says what its text says") {
  const tg::runtime::kernel_source source = source_of(plain);
  const std::string header = ".version " + std::to_string(source.version.major) + "." + std::to_string(source.version.minor) +
                             "\n.target sm_" + std::to_string(source.sm) + "\n";
  CHECK(source.ptx.starts_with(header));
  CHECK(source.target_suffix == '\0');
  CHECK(source.code.empty());
}
