#include <tg/runtime/embed.hpp>

#include "hand_written.hpp"
#include "temporary_folder.hpp"

using hand_written::error_of;

TEST_CASE("kernels are written as a header and a source") {
  const temporary_folder folder;
  const tg::kernel_package p{"k", {32, 2, 1}, "tg::in<float>", {".version 7.0\n", {7, 0}, 70}};
  tg::embed(folder / "made", "app", {{"first", p}, {"second", p}});
  const std::string header = bytes_of(folder / "made/app.hpp"), source = bytes_of(folder / "made/app.cpp");
  CHECK(header.find("namespace app {") != std::string::npos);
  CHECK(header.find("tg::block_t<32, 2, 1>") != std::string::npos);
  CHECK(header.find("using parameters = tg::parameter_list<tg::in<float>>;") != std::string::npos);
  CHECK(header.find("inline constexpr second_kernel second{};") != std::string::npos);
  CHECK(source.find("source_of(const first_kernel&) {") != std::string::npos);
  CHECK(source.find("\".version 7.0\\n\"") != std::string::npos);
  write_bytes(folder / "file", "");
  CHECK(error_of([&] { tg::embed(folder / "file", "app", {}); }).number == 552);
}
