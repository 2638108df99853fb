// The emulator as a judge of PTX texts for forms.py: reads texts from standard input, each behind a line with its size in
// bytes, and answers each with a line: "ok", or why it is refused.
#include <iostream>
#include <string>

#include <tg/base/error.hpp>
#include <tg/emulator/decode/program.hpp>

namespace {

std::string verdict(const std::string& text) {
  try {
    tg::emulator::memory memory(std::size_t{1} << 30);
    (void)tg::emulator::program::load(text, memory);
    return "ok";
  } catch (const tg::error& e) {
    const std::string what = e.what();
    return what.substr(0, what.find('\n'));
  }
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::string text(std::stoul(line), '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
    std::cout << verdict(text) << std::endl;
  }
}
