// libFuzzer: any text is parsed, or refused with a tg::error; what was parsed is printed and read back equal.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>
#include <tg/ptx/verify/verify.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), count);
  tg::ptx::module m;
  try {
    m = tg::ptx::parse(text);
    tg::ptx::verify(m);
  } catch (const tg::error&) { return 0; }
  const std::string printed = tg::ptx::print(m);
  try {
    if (tg::ptx::parse(printed) == m) return 0;
  } catch (const tg::error& e) { std::printf("%s\n", e.what()); }
  std::printf("%s\nis read back as something else\n", printed.c_str());
  std::abort();
}
