#include "accuracy.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <tg/emulator/load.hpp>
#include <tg/emulator/run.hpp>
#include <tg/emulator/run_grid.hpp>

namespace accuracy {

void run(const std::string& ptx, const void* in, std::size_t in_bytes, void* out, std::size_t out_bytes, std::size_t count) {
  tg::emulator::memory memory;
  const auto program = tg::emulator::program::load(ptx, memory);
  const std::uint64_t from = memory.allocate(in_bytes), to = memory.allocate(out_bytes);
  std::memcpy(memory.at(from, in_bytes), in, in_bytes);
  const auto& kernel = program->kernels().at(0);
  std::vector<std::byte> parameters(kernel.parameter_bytes);
  const auto put = [&](std::size_t k, const auto& value) {
    std::memcpy(parameters.data() + kernel.parameters.at(k).offset_bytes, &value, kernel.parameters.at(k).size_bytes);
  };
  put(0, from);
  put(1, to);
  put(2, static_cast<std::uint32_t>(count));
  tg::emulator::launch_shape shape;
  shape.block.x = kernel.required_threads[0];
  shape.grid.x = static_cast<std::uint32_t>((count + shape.block.x - 1) / shape.block.x);
  tg::emulator::run(memory, *program, 0, shape, parameters);
  std::memcpy(out, memory.at(to, out_bytes), out_bytes);
}

std::string complaints_of_ptxas(const std::string& ptx) {
  static const std::string assembler = [] {
    for (const char* path : {"/usr/local/cuda/bin/ptxas", "/usr/bin/ptxas"})
      if (std::filesystem::exists(path)) return std::string(path);
    MESSAGE("skipped: no ptxas to assemble the kernels with");
    return std::string();
  }();
  if (assembler.empty()) return "";
  const auto folder = std::filesystem::temp_directory_path();
  const std::string name = (folder / ("tg_accuracy_" + std::to_string(std::rand()))).string();
  std::string out;
  for (const std::string sm : {"sm_75", "sm_90"}) {
    std::istringstream lines(ptx);
    std::ofstream file(name + ".ptx");
    for (std::string line; std::getline(lines, line);)
      file << (line.starts_with(".version") ? ".version 8.0" : line.starts_with(".target") ? ".target " + sm : line) << '\n';
    file.close();
    const std::string command = assembler + " -arch=" + sm + " " + name + ".ptx -o " + name + ".cubin 2>&1";
    std::FILE* const pipe = popen(command.c_str(), "r");
    std::array<char, 256> part;
    while (std::fgets(part.data(), part.size(), pipe) != nullptr) out += part.data();
    if (pclose(pipe) != 0 && out.empty()) out = assembler + " failed";
  }
  std::filesystem::remove(name + ".ptx");
  std::filesystem::remove(name + ".cubin");
  return out;
}

}  // namespace accuracy

TEST_CASE("the distance in ulps") {
  using accuracy::ulps;
  CHECK(ulps(1.0f, 1.0) == 0);
  CHECK(ulps(0x1.000002p0f, 1.0) == 1);
  CHECK(ulps(0x1.fffffep-1f, 0x1p0) == 0.5);
  CHECK(ulps(0x1p-149f, 0x1p-150) == 0.5);
  CHECK(ulps(0.0f, 0x1p-149) == 1);
  CHECK(ulps(-0.0f, 0.0) == accuracy::wrong);
  CHECK(ulps(0.0f, NAN) == accuracy::wrong);
  CHECK(ulps(std::numeric_limits<float>::infinity(), 0x1.fffffefp127) == 1);
  CHECK(ulps(std::numeric_limits<float>::infinity(), 1e30) == accuracy::wrong);
  CHECK(ulps(0x1.0000000000001p0, 1.0l) == 1);
}
