// Kernels written with tiles beside the same by hand in CUDA C++ and, where there are any, beside ours written with lanes:
// lines of text, registers, spilled bytes and code bytes after ptxas -O3, instructions that a launch executes, counted by the
// emulator, and the share of the innermost loop's machine instructions that do the work. What is made for sm_90a stands beside
// our text for sm_80 too, of 8-bit floats for sm_89. Skipped where there is no CUDA toolkit; the shares, where
// there is no nvdisasm.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <bench/executed.hpp>
#include <bench/machine_loop.hpp>
#include <bench/report.hpp>
#include <bench/toolkit.hpp>
#include <kernels/attention.hpp>
#include <kernels/attention_f8.hpp>
#include <kernels/attention_tiles.hpp>
#include <kernels/gemm.hpp>
#include <kernels/sgemm.hpp>

namespace {

namespace k = tg::kernels;
using bench::buffer;
using bench::number;
using bench::random_numbers;
using bench::row_stride;

/// A text and what it is launched with.
struct text {
  std::string ptx, entry, arch;
  bench::work launch;
};
template <class K> text text_of(const K& kernel, bench::work launch, std::string arch = "sm_90") {
  return {tg::to_ptx(kernel), std::string(K::name), std::move(arch), std::move(launch)};
}

/// Ours beside another: `name` says what stands beside it.
struct compared {
  std::string name;
  text ours;
  std::string beside;
  text other;
  std::string mnemonic, other_mnemonic;
};

constexpr unsigned side = 512;
constexpr std::size_t most_shared_bytes = 227 * 1024;

template <class T> std::vector<bench::argument> matrices() {
  const auto matrix = random_numbers<T>(side * side);
  return {buffer(matrix),      row_stride<T>(side), buffer(matrix), row_stride<T>(side), buffer(std::vector<T>(side * side)),
          row_stride<T>(side), number(side),        number(side),   number(side)};
}
template <class T> bench::work of_product() { return {{side / 128, side / 128}, matrices<T>(), most_shared_bytes}; }
/// The twin for sm_90a takes tensor maps of both operands.
bench::work of_mapped_product() {
  bench::work out = of_product<tg::bf16>();
  out.twin_maps = {{0, side, side, 128}, {1, side, side, 64}};
  return out;
}
bench::work of_scaled_product() {
  bench::work out = of_product<float>();
  out.arguments.push_back(number(1.0f));
  out.arguments.push_back(number(0.0f));
  return out;
}
template <unsigned Size, unsigned Height> bench::work of_heads() {
  constexpr unsigned positions = 512, heads = 2, width = heads * Size;
  const auto queries = random_numbers<tg::bf16>(positions * width), keys = random_numbers<tg::bf16>(positions * Size);
  return {{positions / Height, heads},
          {buffer(queries), row_stride<tg::bf16>(width), buffer(keys), row_stride<tg::bf16>(Size), buffer(keys),
           row_stride<tg::bf16>(Size), buffer(std::vector<tg::bf16>(positions * width)), row_stride<tg::bf16>(width),
           number(positions), number(positions), number(heads), number(0.1f)},
          most_shared_bytes};
}
/// The twins for sm_90a take tensor maps of queries, keys and values.
template <unsigned Size, unsigned Height> bench::work of_mapped_heads() {
  bench::work out = of_heads<Size, Height>();
  out.twin_maps = {{0, 512, 2 * Size, Height}, {1, 512, Size, 64}, {2, 512, Size, 64}};
  return out;
}
template <unsigned Size, unsigned Height> bench::work of_byte_heads() {
  constexpr unsigned positions = 512, heads = 2, width = heads * Size;
  const auto queries = random_numbers<tg::f8e4m3>(positions * width), keys = random_numbers<tg::f8e4m3>(positions * Size);
  return {{positions / Height, heads},
          {buffer(queries), row_stride<tg::f8e4m3>(width), buffer(keys), row_stride<tg::f8e4m3>(Size), buffer(keys),
           row_stride<tg::f8e4m3>(positions), buffer(std::vector<tg::bf16>(positions * width)), row_stride<tg::bf16>(width),
           number(positions), number(positions), number(heads), number(0.1f), number(1.0f)},
          most_shared_bytes};
}

constexpr auto scaled = [](auto sum, const auto& at, auto alpha, auto beta) { return alpha * sum + beta * at.old(); };
constexpr auto by_lanes = k::sgemm<128, 128, tg::multiple_of<4>, tg::scalar<float>, tg::scalar<float>>(scaled);
constexpr k::attention_options causal{.causal = true}, fetched{.causal = true, .producer = true};
constexpr k::gemm_options with_producer{.producer = true};

std::vector<compared> rows(const bench::toolkit& tools) {
  const auto twin = [&](const std::string& file, std::string entry, bench::work launch, const std::string& arch = "sm_90") {
    return text{tools.to_ptx("bench/cuda/" + file, arch), std::move(entry), arch, std::move(launch)};
  };
  const auto product = text_of(k::gemm<tg::bf16>(k::gemm_sums), of_product<tg::bf16>());
  const auto floats = text_of(k::gemm<float>(k::gemm_sums), of_product<float>());
  const auto narrow = text_of(k::attention_tiles<tg::bf16, 64, causal>, of_heads<64, 128>());
  const auto heads = text_of(k::attention_tiles<tg::bf16, 128, causal>, of_heads<128, 64>());
  const auto product_90 = text_of(k::gemm<tg::bf16>(k::gemm_sums, tg::for_sm<90>), of_product<tg::bf16>(), "sm_90a");
  const auto narrow_90 = text_of(k::attention_tiles<tg::bf16, 64, causal, 90>, of_heads<64, 128>(), "sm_90a");
  const auto heads_90 = text_of(k::attention_tiles<tg::bf16, 128, causal, 90>, of_heads<128, 64>(), "sm_90a");
  const auto product_fetched =
      text_of(k::gemm<with_producer, tg::bf16>(k::gemm_sums, tg::for_sm<90>), of_product<tg::bf16>(), "sm_90a");
  const auto narrow_fetched = text_of(k::attention_tiles<tg::bf16, 64, fetched, 90>, of_heads<64, 128>(), "sm_90a");
  const auto bytes = text_of(k::attention_f8<tg::bf16, 64, causal>, of_byte_heads<64, 128>(), "sm_89");
  const auto bytes_90 = text_of(k::attention_f8<tg::bf16, 64, causal, 90>, of_byte_heads<64, 128>(), "sm_90a");
  return {
      {"gemm bf16", product, "nvcc", twin("gemm_bf16.cu", "gemm_bf16", of_product<tg::bf16>()), "HMMA", "HMMA"},
      {"gemm float", floats, "nvcc", twin("sgemm.cu", "sgemm", of_scaled_product()), "FFMA", "FFMA"},
      {"gemm float", floats, "lanes", text_of(by_lanes, of_scaled_product()), "FFMA", "FFMA"},
      {"attention 128", heads, "nvcc", twin("attention.cu", "attention", of_heads<128, 64>()), "HMMA", "HMMA"},
      {"attention 128", heads, "lanes", text_of(k::attention<tg::bf16, 128, true>, of_heads<128, 64>()), "HMMA", "HMMA"},
      {"attention 64", narrow, "lanes", text_of(k::attention<tg::bf16, 64, true>, of_heads<64, 128>()), "HMMA", "HMMA"},
      {"gemm bf16 sm_90a", product_90, "nvcc", twin("gemm_bf16_sm90.cu", "gemm_bf16", of_mapped_product(), "sm_90a"), "HGMMA",
       "HGMMA"},
      {"gemm bf16 sm_90a", product_90, "sm_80", product, "HGMMA", "HMMA"},
      {"attention 64 sm_90a", narrow_90, "nvcc",
       twin("attention_sm90.cu", "attention_64", of_mapped_heads<64, 128>(), "sm_90a"), "HGMMA", "HGMMA"},
      {"attention 128 sm_90a", heads_90, "nvcc",
       twin("attention_sm90.cu", "attention_128", of_mapped_heads<128, 64>(), "sm_90a"), "HGMMA", "HGMMA"},
      {"attention 64 sm_90a", narrow_90, "sm_80", narrow, "HGMMA", "HMMA"},
      {"attention 128 sm_90a", heads_90, "sm_80", heads, "HGMMA", "HMMA"},
      {"attention 64 f8 sm_90a", bytes_90, "sm_89", bytes, "QGMMA", "QMMA"},
      {"gemm bf16 sm_90a producer", product_fetched, "none", product_90, "HGMMA", "HGMMA"},
      {"attention 64 sm_90a producer", narrow_fetched, "none", narrow_90, "HGMMA", "HGMMA"},
  };
}

struct measured {
  bench::machine_code code;
  std::optional<bench::machine_loop> loop;
  bench::executed did;
};
measured measure(const bench::toolkit& tools, const text& one, const std::string& mnemonic,
                 bench::work::extent block = {0, 0, 0}) {
  measured out;
  out.code = tools.assemble(one.ptx, one.arch).at(one.entry);
  if (const auto printed = tools.disassemble()) out.loop = bench::innermost_loop(*printed, one.entry, mnemonic);
  out.did = bench::execute(one.ptx, one.entry, one.launch, block);
  return out;
}

void compare(const compared& one, const bench::toolkit& tools, bench::report& report) {
  const measured ours = measure(tools, one.ours, one.mnemonic);
  const measured other =
      measure(tools, one.other, one.other_mnemonic, one.beside == "nvcc" ? ours.did.block : bench::work::extent{0, 0, 0});
  if (!(bench::distance(one.ours.launch, ours.did, other.did) <= 2e-2))
    throw std::runtime_error(one.name + ": the two texts disagree");
  report.add({one.name + " registers", double(ours.code.registers), double(other.code.registers), one.beside, "regs"});
  report.add({one.name + " spills", double(ours.code.spill_bytes), double(other.code.spill_bytes), one.beside, "bytes"});
  report.add({one.name + " code", double(ours.code.code_bytes), double(other.code.code_bytes), one.beside, "bytes"});
  report.add({one.name + " executed", double(ours.did.instructions), double(other.did.instructions), one.beside, "instr"});
  if (ours.loop && other.loop)
    report.add({one.name + " share of " + one.mnemonic, 100 * ours.loop->share(one.mnemonic),
                100 * other.loop->share(one.other_mnemonic), one.beside, "%", bench::better::higher});
}

/// Lines of the kernel called `name` in a file, from its `tg::kernel` to the parenthesis that closes it.
int lines_of(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  auto at = all.find("tg::kernel<\"" + name + "\">(");
  if (at == all.npos) throw std::runtime_error(path + " has no kernel " + name);
  at = all.find('(', at);
  int depth = 0, lines = 1;
  for (; at < all.size(); ++at) {
    depth += all[at] == '(' ? 1 : all[at] == ')' ? -1 : 0;
    lines += all[at] == '\n';
    if (depth == 0) break;
  }
  return lines;
}

}  // namespace

int main() {
  const auto tools = bench::toolkit::find();
  if (!tools) {
    std::puts("no CUDA toolkit: skipped");
    return 0;
  }
  bench::report report("tiles");
  const auto count = [&](const std::string& what, const std::string& path, const std::string& name, int budget) {
    report.add({what + " lines", double(lines_of(path, name)), double(budget), "budget", "lines"});
  };
  count("GEMM with a bias", "examples/tiles.cpp", "layer", 30);
  count("attention", "examples/attention_from_scratch.cpp", "pipelined", 60);
  count("LayerNorm", "kernels/layer_norm.hpp", "layer_norm", 15);
  count("RMSNorm, linear, SwiGLU", "kernels/rms_swiglu.hpp", "rms_swiglu", 40);
  for (const auto& one : rows(*tools)) compare(one, *tools, report);
  return report.finish();
}
