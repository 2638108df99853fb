#include <tg/runtime/package.hpp>

#include <filesystem>

#include <tg/dsl.hpp>
#include <tg/runtime/package.inl>

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

struct renamed : add_signature { static constexpr std::string_view name = "sub"; };
struct wider : add_signature { static constexpr tg::block_t<64, 2> block{}; };
struct retyped : add_signature {
  using parameters = tg::parameter_list<tg::in<float>, tg::inout<double>, tg::scalar<unsigned>>;
};

template <class K> std::vector<float> sums(tg::device& gpu, const K& kernel) {
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
  CHECK(sums(gpu, tg::load_kernel<std::remove_const_t<decltype(add)>>(folder / "add.tgkernel")) == std::vector<float>(100, 3));
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

using tg::kernel_package;
using tg::to_bytes;
using tg::to_package;

namespace {

kernel_package example() {
  return {
      "k", {32, 2, 1}, "tg::scalar<float>", {".version 7.0\n", {7, 0}, 90, 0, 'a', {{90, std::string("a\0b", 3)}, {80, ""}}}};
}

/// The file with another byte, and a checksum that hides it.
std::string forged(std::string bytes, std::size_t at, char byte) {
  constexpr std::size_t start = tg::runtime::package_magic.size() + sizeof(tg::runtime::content_hash);
  bytes[start + at] = byte;
  const auto checksum = tg::runtime::hash_of(std::string_view(bytes).substr(start));
  std::memcpy(bytes.data() + tg::runtime::package_magic.size(), &checksum, sizeof checksum);
  return bytes;
}

}  // namespace

TEST_CASE("a package's bytes are the package again") {
  const kernel_package p = example(), q = to_package(to_bytes(p));
  CHECK(q.name == p.name);
  CHECK(q.block == p.block);
  CHECK(q.parameters == p.parameters);
  CHECK(q.source.ptx == p.source.ptx);
  CHECK(q.source.version == p.source.version);
  CHECK(q.source.sm == 90);
  CHECK(q.source.target_suffix == 'a');
  REQUIRE(q.source.code.size() == 2);
  CHECK(q.source.code[0].image == p.source.code[0].image);
  CHECK(q.source.code[1].sm == 80);
  CHECK(to_bytes(q) == to_bytes(p));
}

TEST_CASE("every damaged package is refused") {
  const std::string good = to_bytes(example());
  for (std::size_t i = 0; i < good.size(); ++i) {
    CAPTURE(i);
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 4);
    CHECK(error_of([&] { to_package(bad); }).number == 553);
    CHECK(error_of([&] { to_package(good.substr(0, i)); }).number == 553);
  }
  CHECK(error_of([&] { to_package(good + 'x'); }).number == 553);
  CHECK(error_of([&] { to_package(""); }).says("TG553: this is no kernel that tg exported"));
}

TEST_CASE("a forged package is refused or is one, and never more") {
  const std::string good = to_bytes(example());
  int refused = 0;
  for (std::size_t at = 0; at < good.size() - 24; ++at)
    for (const int byte : {0, 1, 127, 128, 255}) {
      try {
        to_package(forged(good, at, static_cast<char>(byte)));
      } catch (const tg::error& e) {
        CHECK(e.number() == 553);
        ++refused;
      }
    }
  CHECK(refused > 200);
}

TEST_CASE("files that are not there, are none or cannot be written") {
  const temporary_folder folder;
  CHECK(error_of([&] { tg::load_package(folder / "none"); }).says("TG552"));
  CHECK(error_of([&] { tg::load_package(folder.path()); }).number == 552);
  CHECK(error_of([&] { tg::save(example(), folder / "none/file"); }).says("No such file"));
  write_bytes(folder / "text", "some text that is no package");
  CHECK(error_of([&] { tg::load_package(folder / "text"); }).number == 553);
  std::filesystem::resize_file(folder / "text", std::uintmax_t{1} << 40);
  CHECK(error_of([&] { tg::load_package(folder / "text"); }).says("larger than any kernel"));
  tg::save(example(), folder / "good");
  CHECK(tg::load_package(folder / "good").name == "k");
}
