// Reads the PTX texts in folders, prints them, and reads them again: read_back FOLDER...
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>

int main(int count, char** folders) {
  int texts = 0, complaints = 0;
  for (int k = 1; k < count; ++k)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folders[k])) {
      if (entry.path().extension() != ".ptx") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
      ++texts;
      try {
        const tg::ptx::module m = tg::ptx::parse(text);
        const std::string printed = tg::ptx::print(m);
        if (tg::ptx::parse(printed) == m && tg::ptx::print(tg::ptx::parse(printed)) == printed) continue;
        std::printf("%s is read back as another module\n", entry.path().c_str());
      } catch (const std::exception& e) { std::printf("%s: %s\n", entry.path().c_str(), e.what()); }
      ++complaints;
    }
  std::printf("%d texts read back: %d complaints\n", texts, complaints);
  return texts == 0 || complaints != 0;
}
