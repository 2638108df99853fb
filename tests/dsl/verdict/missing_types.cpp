#include <tg/dsl/verdict/missing_types.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <tg/dsl/matrix/fragment.hpp>

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

/// What is wrong with a class template of missing_types.hpp: its header is not there or has no specialization of it.
std::string type_complaint(const std::string& name, const std::string& header) {
  return text_of("include/" + header).find(name + "<") == std::string::npos ? header + " does not define " + name : "";
}

}  // namespace

TEST_CASE("a missing type is defined in the header that its error names") {
  std::istringstream lines(text_of("include/tg/dsl/verdict/missing_types.hpp"));
  std::string name;
  int types = 0;
  for (std::string line; std::getline(lines, line);) {
    for (const std::string kind : {"> class ", "> struct "})
      if (const std::size_t at = line.find(kind); at != line.npos)
        name = line.substr(at + kind.size(), line.find(' ', at + kind.size()) - at - kind.size());
    const std::size_t open = line.find("TG139: include ");
    if (open == line.npos) continue;
    const std::string header = line.substr(open + 15, line.find(',', open) - open - 15);
    CHECK_MESSAGE(type_complaint(name, header).empty(), type_complaint(name, header));
    ++types;
  }
  CHECK(types == 6);
  CHECK(type_complaint("struct_var", "tg/dsl/matrix/mma.hpp") == "tg/dsl/matrix/mma.hpp does not define struct_var");
}

TEST_CASE("a header that is included defines its type, and other arguments still name the header") {
  static_assert(tg::accumulator<16, 8, float>::elements == 4);
  static_assert(tg::a_fragment<16, 16, tg::f16>::registers == 4);
}
