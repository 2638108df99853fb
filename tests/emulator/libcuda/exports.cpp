#include <tg/emulator/libcuda/exports.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "../../driver/toolkit.hpp"
#include "standard_error.hpp"

using tg::driver::address_query;
using tg::emulator::libcuda::exported;
using tg::emulator::libcuda::exports;
using tg::emulator::libcuda::find_export;
namespace entry = tg::emulator::entry;

namespace {

std::string name_of(std::string_view base, int version, bool per_thread) {
  address_query what;
  const exported* found = find_export(base, version, per_thread, what);
  return found ? found->name : "none, " + std::to_string(static_cast<int>(what));
}

/// Every function that the toolkit declares, with its versions.
std::set<std::string> declared_in(const std::string& header) {
  std::set<std::string> out;
  const std::string text = toolkit::header(header).value_or("");
  for (std::size_t at = 0; (at = text.find("(CUDAAPI *PFN_", at)) != text.npos;) {
    at += std::string("(CUDAAPI *PFN_").size();
    out.insert(text.substr(at, text.find(')', at) - at));
  }
  return out;
}

}  // namespace

TEST_CASE("cuGetProcAddress gives the newest function that the version knows") {
  CHECK(name_of("cuMemAlloc", 3020, false) == "cuMemAlloc_v2");
  CHECK(name_of("cuMemAlloc", 2000, false) == "cuMemAlloc");
  CHECK(name_of("cuCtxCreate", 11000, false) == "cuCtxCreate_v2");
  CHECK(name_of("cuCtxCreate", 12040, false) == "cuCtxCreate_v3");
  CHECK(name_of("cuCtxCreate", 13000, false) == "cuCtxCreate_v4");
  CHECK(name_of("cuMemcpyHtoD", 12000, false) == "cuMemcpyHtoD_v2");
  CHECK(name_of("cuMemcpyHtoD", 12000, true) == "cuMemcpyHtoD_v2_ptds");
  CHECK(name_of("cuMemcpyHtoD", 6000, true) == "cuMemcpyHtoD_v2");
  CHECK(name_of("cuLaunchKernel", 13000, true) == "cuLaunchKernel_ptsz");
  CHECK(name_of("cuLaunchKernelEx", 11000, false) == "none, 2");
  CHECK(name_of("cuLunchKernel", 13000, false) == "none, 1");
}

TEST_CASE("tensor maps of im2col are made, those of sm_100 are refused") {
  address_query what;
  CHECK_FALSE(find_export("cuTensorMapEncodeIm2col", 13000, false, what)->is_refused);
  CHECK(find_export("cuTensorMapEncodeIm2colWide", 13000, false, what)->is_refused);
}

TEST_CASE("both generations of cuGetProcAddress answer, before cuInit too") {
  void* function = nullptr;
  address_query what{};
  CHECK(entry::cuGetProcAddress_v2("cuInit", &function, 12000, 0, &what) == entry::result::success);
  CHECK(function == reinterpret_cast<void*>(&entry::cuInit));
  CHECK(what == address_query::success);
  CHECK(entry::cuGetProcAddress_v2("cuInit", &function, 1000, 0, &what) == entry::result::not_found);
  CHECK(what == address_query::version_not_sufficient);
  CHECK(function == nullptr);
  CHECK(entry::cuGetProcAddress("cuMemFree", &function, 12000, 0) == entry::result::success);
  CHECK(function == reinterpret_cast<void*>(&entry::cuMemFree));
  CHECK(entry::cuGetProcAddress("cuMemFree", nullptr, 12000, 0) == entry::result::invalid_value);
}

TEST_CASE("every function of the toolkit is there in each version") {
  std::set<std::string> names;
  for (const exported& e : exports()) {
    const std::string name = e.name;
    std::string pfn = std::string(e.base) + "_v" + std::to_string(e.since);
    for (const auto suffix : {"_ptsz", "_ptds"})
      if (name.ends_with(suffix)) pfn += suffix;
    names.insert(pfn);
  }
  bool is_there = false;
  for (const auto header : {"cudaTypedefs.h", "cudaGLTypedefs.h", "cudaEGLTypedefs.h", "cudaVDPAUTypedefs.h"})
    for (const std::string& pfn : declared_in(header)) {
      is_there = true;
      if (!pfn.starts_with("cuWGL")) CHECK_MESSAGE(names.contains(pfn), pfn);
    }
  if (!is_there) MESSAGE("skipped: no CUDA toolkit");
}

TEST_CASE("a program of the runtime API is told why it ends, once") {
  const standard_error heard;
  for (int i = 0; i < 2; ++i) {
    const void* table = &table;
    CHECK(entry::cuGetExportTable(&table, nullptr) == entry::result::not_supported);
    CHECK(table == nullptr);
  }
  const std::string said = heard.text();
  CHECK(said.find("tg emulator: cuGetExportTable is not supported: what launches kernels through the CUDA runtime API") == 0);
  CHECK(said.find('\n') == said.size() - 1);
}

TEST_CASE("the launches of CUDA 3 are there, textures for them are not") {
  address_query what;
  for (const auto name : {"cuFuncSetBlockShape", "cuFuncSetSharedSize", "cuParamSetSize", "cuParamSeti", "cuParamSetf",
                          "cuParamSetv", "cuLaunch", "cuLaunchGrid", "cuLaunchGridAsync"})
    CHECK_FALSE(find_export(name, 13000, false, what)->is_refused);
  CHECK(find_export("cuParamSetTexRef", 13000, false, what)->is_refused);
}
