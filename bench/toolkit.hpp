// The CUDA toolkit as a judge: what ptxas and nvcc make of a kernel. Only benchmarks and tests use it, and go without it.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

/// What the assembler says of one kernel.
struct machine_code {
  int registers = 0;
  int spill_bytes = 0;
  int code_bytes = 0;
};

/// The toolkit's programs, in the PATH, under CUDA_HOME or under /usr/local/cuda.
class toolkit {
 public:
  static std::optional<toolkit> find() {
    std::vector<std::filesystem::path> folders;
    if (const char* home = std::getenv("CUDA_HOME")) folders.push_back(std::filesystem::path(home) / "bin");
    folders.push_back("/usr/local/cuda/bin");
    std::istringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(path, folder, ':');) folders.push_back(folder);
    for (const auto& folder : folders)
      if (std::filesystem::exists(folder / "ptxas")) return toolkit(folder);
    return std::nullopt;
  }

  /// Assembles PTX text for sm_`sm`. Errors: what the assembler printed.
  std::map<std::string, machine_code> assemble(const std::string& ptx, int sm) const {
    return assemble(ptx, "sm_" + std::to_string(sm));
  }
  /// Assembles PTX text for an architecture: `sm_90a`. Errors: what the assembler printed.
  std::map<std::string, machine_code> assemble(const std::string& ptx, const std::string& arch) const {
    const auto source = scratch_ / "kernel.ptx";
    std::ofstream(source) << ptx;
    return inspect((bin_ / "ptxas").string() + " -O3 -v -arch " + arch + " -o " + cubin() + " " + source.string());
  }

  /// What nvdisasm prints of the text that was assembled last; nothing where there is no nvdisasm, in TG_NVDISASM or in the
  /// PATH.
  std::optional<std::string> disassemble() const {
    const char* named = std::getenv("TG_NVDISASM");
    const std::string text = run(std::string(named ? named : "nvdisasm") + " -c " + cubin());
    if (text.find(".text.") == text.npos) return std::nullopt;
    return text;
  }

  /// The PTX text that nvcc makes of CUDA C++ for sm_`sm`. Errors: what the compiler printed.
  std::string to_ptx(const std::string& source, int sm) const { return to_ptx(source, "sm_" + std::to_string(sm)); }
  /// The PTX text that nvcc makes for an architecture: `sm_90a`. Errors: what the compiler printed.
  std::string to_ptx(const std::string& source, const std::string& arch) const {
    const auto target = scratch_ / "compiled.ptx";
    std::filesystem::remove(target);
    const std::string command =
        (bin_ / "nvcc").string() + " -O3 -std=c++17 -ptx -arch " + arch + " -o " + target.string() + " " + source;
    const std::string log = run(command);
    std::ifstream file(target);
    if (!file) throw std::runtime_error(command + "\n" + log);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const std::filesystem::path& bin() const { return bin_; }

 private:
  explicit toolkit(std::filesystem::path bin)
      : bin_(std::move(bin)),
        scratch_(std::filesystem::temp_directory_path() / ("tg-bench-" + std::to_string(std::random_device{}()))) {
    std::filesystem::create_directories(scratch_);
  }

  std::string cubin() const { return (scratch_ / "kernel.cubin").string(); }

  static std::string run(const std::string& command) {
    std::string out;
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>&1").c_str(), "r"), pclose);
    char buffer[4096];
    while (pipe && std::fgets(buffer, sizeof buffer, pipe.get())) out += buffer;
    return out;
  }

  std::map<std::string, machine_code> inspect(const std::string& command) const {
    std::filesystem::remove(cubin());
    const std::string log = run(command);
    if (!std::filesystem::exists(cubin())) throw std::runtime_error(command + "\n" + log);
    std::map<std::string, machine_code> out;
    static const std::regex entry("Compiling entry function '([^']+)'");
    static const std::regex spills("(\\d+) bytes spill stores, (\\d+) bytes spill loads");
    static const std::regex registers("Used (\\d+) registers");
    std::istringstream lines(log);
    machine_code* current = nullptr;
    std::smatch found;
    for (std::string line; std::getline(lines, line);) {
      if (std::regex_search(line, found, entry)) current = &out[found[1]];
      if (current && std::regex_search(line, found, spills)) current->spill_bytes = std::stoi(found[1]) + std::stoi(found[2]);
      if (current && std::regex_search(line, found, registers)) current->registers = std::stoi(found[1]);
    }
    static const std::regex section("\\.text\\.(\\S+)\\s+PROGBITS\\s+\\S+\\s+\\S+\\s+(\\S+)");
    std::istringstream sections(run("readelf -SW " + cubin()));
    for (std::string line; std::getline(sections, line);)
      if (std::regex_search(line, found, section)) out[found[1]].code_bytes = std::stoi(found[2], nullptr, 16);
    return out;
  }

  std::filesystem::path bin_;
  std::filesystem::path scratch_;
};

}  // namespace bench
