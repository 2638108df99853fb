#include <tg/driver/api.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <string_view>
#include <type_traits>

#include "toolkit.hpp"

using namespace tg::driver;

namespace {

/// What a parameter looks like to the calling convention: `p` for a pointer, else its bytes.
template <class T> constexpr char shape_of = std::is_pointer_v<T> ? 'p' : static_cast<char>('0' + sizeof(T));

template <class... P> std::string shapes_of(result (*)(P...)) { return std::string{shape_of<P>...}; }

char shape_of_text(std::string_view parameter) {
  const auto has = [&](std::string_view word) { return parameter.find(word) != parameter.npos; };
  if (has("*")) return 'p';
  for (const auto handle : {"CUcontext ", "CUmodule ", "CUfunction ", "CUstream ", "CUevent ", "CUgraph ", "CUgraphExec ",
                            "CUlinkState ", "CUgraphNode ", "CUmemoryPool ", "CUhostFn ", "CUoccupancyB2DSize "})
    if (has(handle)) return 'p';
  for (const auto wide : {"size_t ", "long long ", "CUdeviceptr_v2 ", "CUmemGenericAllocationHandle_v1 "})
    if (has(wide)) return '8';
  return has("unsigned char ") ? '1' : has("unsigned short ") ? '2' : '4';
}

/// The parameters of a declaration in cudaTypedefs.h: `(CUdeviceptr_v2 *dptr, size_t bytesize)`.
std::string shapes_of_text(std::string_view parameters) {
  std::string out;
  if (parameters == "void" || parameters.empty()) return out;
  while (true) {
    const auto comma = parameters.find(',');
    out += shape_of_text(parameters.substr(0, comma));
    if (comma == parameters.npos) return out;
    parameters.remove_prefix(comma + 1);
  }
}

/// Why the function differs from what the toolkit declares for that version; empty when it does not.
std::string disagreement(const symbol& s, const std::string& shapes, const std::string& typedefs) {
  const std::string name = "*PFN_" + std::string(s.name) + "_v" + std::to_string(s.since) + ")(";
  const auto at = typedefs.find(name);
  if (at == std::string::npos) return std::string(s.exported) + " did not come with " + std::to_string(s.since);
  const auto begin = at + name.size();
  const auto theirs = shapes_of_text(std::string_view(typedefs).substr(begin, typedefs.find(')', begin) - begin));
  return theirs == shapes ? "" : std::string(s.exported) + " takes " + shapes + " here and " + theirs + " there";
}

}  // namespace

TEST_CASE("the table starts empty and is walked in order, each function once") {
  table api;
  std::set<std::string> names;
  std::size_t i = 0;
  for_each_function(api, [&](const symbol& s, auto& pointer) {
    CHECK_FALSE(static_cast<bool>(pointer));
    CHECK(&s == &symbols[i]);
    CHECK(reinterpret_cast<char*>(&pointer) - reinterpret_cast<char*>(&api) == static_cast<long>(i++ * sizeof(void*)));
    CHECK(names.insert(s.name).second);
    CHECK(std::string_view(s.exported).starts_with(s.name));
  });
  CHECK(i == symbols.size());
}

TEST_CASE("every function has the symbol, version and parameters of the toolkit") {
  const auto typedefs = toolkit::header("cudaTypedefs.h");
  if (!typedefs) {
    MESSAGE("skipped: no CUDA toolkit");
    return;
  }
  table api;
  for_each_function(api, [&](const symbol& s, auto& pointer) {
    const auto text = disagreement(s, shapes_of(pointer), *typedefs);
    CHECK_MESSAGE(text.empty(), text);
  });
}

TEST_CASE("a wrong parameter or version is found") {
  const std::string typedefs = "typedef CUresult (CUDAAPI *PFN_cuMemAlloc_v3020)(CUdeviceptr_v2 *dptr, size_t bytesize);";
  const symbol alloc{"cuMemAlloc", "cuMemAlloc_v2", 3020, ""};
  CHECK(disagreement(alloc, "p8", typedefs).empty());
  CHECK(disagreement(alloc, "p4", typedefs) == "cuMemAlloc_v2 takes p4 here and p8 there");
  CHECK(disagreement({"cuMemAlloc", "cuMemAlloc_v2", 3030, ""}, "p8", typedefs) == "cuMemAlloc_v2 did not come with 3030");
  CHECK(shapes_of_text("CUfunction f, unsigned int x, unsigned char c, void **extra") == "p41p");
}
