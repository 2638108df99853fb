#include "accuracy.hpp"

#include <cstring>

#include <tg/emulator/run/run.hpp>
#include <tg/ptx/parse/parse.hpp>

#include "../gpu_machine.hpp"
#include "tests/ptx/text_judge.hpp"

namespace accuracy {

void run(const std::string& ptx, const void* in, std::size_t in_bytes, void* out, std::size_t out_bytes, std::size_t count) {
  tg::emulator::memory memory;
  const auto program = tg::emulator::program::load(ptx, memory);
  const std::uint64_t from = memory.allocate(in_bytes), to = memory.allocate(out_bytes);
  std::memcpy(memory.at(from, in_bytes), in, in_bytes);
  const auto& kernel = program->kernels().at(0);
  tg::emulator::launch_shape shape;
  shape.block.x = kernel.required_threads[0];
  shape.grid.x = static_cast<std::uint32_t>((count + shape.block.x - 1) / shape.block.x);
  const auto number = static_cast<std::uint32_t>(count);
  if (gpu_machine::is_asked()) {
    gpu_machine::loaded machine(ptx);
    machine.add_memory(in, in_bytes);
    const std::uint64_t results = machine.add_memory(out, out_bytes);
    machine.add_number(&number, sizeof number);
    machine.run({shape.grid.x}, {shape.block.x});
    return machine.read(results, out, out_bytes);
  }
  std::vector<std::byte> parameters(kernel.parameter_bytes);
  const auto put = [&](std::size_t k, const auto& value) {
    std::memcpy(parameters.data() + kernel.parameters.at(k).offset_bytes, &value, kernel.parameters.at(k).size_bytes);
  };
  put(0, from);
  put(1, to);
  put(2, number);
  tg::emulator::run(memory, *program, 0, shape, parameters);
  std::memcpy(out, memory.at(to, out_bytes), out_bytes);
}

std::string complaints_about(const std::string& ptx) {
  const auto module = tg::ptx::parse(ptx);
  std::string out = tg::ptx::print(module) == ptx ? "" : "the text is printed otherwise than it is read\n";
  for (const std::string& complaint : tg::ptx::test::text_complaints(module, ptx)) out += complaint + "\n";
  return out;
}

std::string complaints_from_its_sm_on(const std::string& ptx) {
  const auto module = tg::ptx::parse(ptx);
  std::string out = tg::ptx::print(module) == ptx ? "" : "the text is printed otherwise than it is read\n";
  tg::ptx::verify(module);
  if (!tg::ptx::test::has_ptxas()) return out;
  if (!module.target_suffix.empty()) {  // no other GPU takes it
    const auto v = tg::ptx::test::ask_ptxas(ptx, "sm_" + std::to_string(module.sm) + module.target_suffix);
    return out + (v.accepted ? "" : v.log);
  }
  for (const int sm : {std::max(module.sm, tg::ptx::test::text_targets[0]), *std::rbegin(tg::ptx::test::text_targets)})
    if (const auto v = tg::ptx::test::ask_ptxas(ptx, "sm_" + std::to_string(sm)); !v.accepted) out += v.log;
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
