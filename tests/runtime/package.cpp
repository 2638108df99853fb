#include <tg/runtime/package.hpp>

#include <tg/dsl.hpp>

#include "hand_written.hpp"
#include "temporary_folder.hpp"

using hand_written::error_of;
using tg::runtime::code_origin;

namespace {

constexpr auto add =
    tg::kernel<"add">(tg::block<64>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<unsigned> n) {
      auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) = y(i) + x(i); });
    });

/// What a program that lacks the C++ of `add` knows of it.
struct add_signature {
  static constexpr std::string_view name = "add";
  static constexpr tg::block_t<64> block{};
  using parameters = tg::parameter_list<tg::in<float>, tg::inout<float>, tg::scalar<unsigned>>;
};

struct renamed : add_signature {
  static constexpr std::string_view name = "sub";
};
struct wider : add_signature {
  static constexpr tg::block_t<64, 2> block{};
};
struct retyped : add_signature {
  using parameters = tg::parameter_list<tg::in<float>, tg::inout<double>, tg::scalar<unsigned>>;
};

template <class K>
std::vector<float> sums(tg::device& gpu, const K& kernel) {
  auto x = gpu.upload(std::vector<float>(100, 2)), y = gpu.upload(std::vector<float>(100, 1));
  gpu.launch(kernel, tg::cover(100), x, y, 100);
  return y.to_host();
}

}  // namespace

TEST_CASE("a kernel goes through a file and runs as before") {
  const temporary_folder folder;
  tg::device gpu("emulator");
  save(package_of(add), folder / "add.tgkernel");
  const auto loaded = tg::load_kernel<add_signature>(folder / "add.tgkernel");
  CHECK(sums(gpu, loaded) == std::vector<float>(100, 3));
  CHECK(gpu.compile(loaded).origin == code_origin::compiler);
  CHECK(gpu.compile(loaded).ptx == tg::to_ptx(add));
  CHECK(sums(gpu, tg::load_kernel<std::remove_const_t<decltype(add)>>(folder / "add.tgkernel")) ==
        std::vector<float>(100, 3));
}

TEST_CASE("a package with machine code is not compiled again") {
  const temporary_folder folder;
  tg::device gpu("emulator");
  save(package_of(add, gpu, {.max_registers = 64}), folder / "add.tgkernel");
  const auto loaded = tg::load_kernel<add_signature>(folder / "add.tgkernel");
  REQUIRE(loaded.package().source.code.size() == 1);
  CHECK(loaded.package().source.code[0].sm == 90);
  CHECK(gpu.compile(loaded).origin == code_origin::package);
  CHECK(sums(gpu, loaded) == std::vector<float>(100, 3));
}

TEST_CASE("copies of a packaged kernel are one kernel, two loads are two") {
  tg::device gpu("emulator");
  const tg::packaged_kernel<add_signature> one(package_of(add)), two(package_of(add));
  const auto copy = one;
  CHECK(&gpu.compile(one) == &gpu.compile(copy));
  CHECK(&gpu.compile(one) != &gpu.compile(two));
}

TEST_CASE("a package of another signature is refused, with both") {
  const auto refused = [](auto signature) {
    const auto e = error_of([] { tg::packaged_kernel<decltype(signature)>{package_of(add)}; });
    CHECK(e.number == 554);
    return e;
  };
  CHECK(refused(renamed{}).says("the name 'add', asked for is 'sub'"));
  CHECK(refused(wider{}).says("blocks of 64 x 1 x 1 threads, asked for is 64 x 2 x 1"));
  CHECK(refused(retyped{}).says("asked for is (tg::view<float"));
}
