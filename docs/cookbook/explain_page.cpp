// A report about a kernel
//
// `tg::explain` puts everything into one report: the C++ lines with what each costs, the PTX beside them, a picture of every
// access, registers, occupancy, roofline, and what was proved. As text for a terminal, or as one HTML file without network.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <tg/explain.hpp>
#include <tg/tg.hpp>

inline constexpr auto saxpy = tg::kernel<"saxpy">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) = a * x(i) + y(i); });
    });

int main() {
  const auto report = tg::explain(saxpy, "H100", 1000);  // a launch of 1000 blocks on an H100
  const std::string text = tg::to_text(report), page = tg::to_html(report);

  const auto path = std::filesystem::temp_directory_path() / "saxpy.html";
  std::ofstream(path) << page;
  std::printf("%s\n", text.substr(0, text.find('\n')).c_str());
  std::printf("a page of %zu KB\n", std::filesystem::file_size(path) / 1024);
  const bool is_right = page.find("</html>") != page.npos && text.find("saxpy") != text.npos;
  std::filesystem::remove(path);
  return is_right ? 0 : 1;
}
