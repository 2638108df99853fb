// libFuzzer: bytes become a kernel, which the emulator and the host must compute alike.
#include <cstdio>
#include <cstdlib>

#include "compare.hpp"
#include "generate.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  const fuzz::program p = fuzz::generator({bytes, count})();
  const std::string text = fuzz::printer()(p);
  tg::emulator::options how;
  how.threads = 1;
  how.seed = p.seed % 3;
  how.patterns = p.seed / 3 % 4 != 0;
  if (p.seed / 12 % 4 == 0) how.check = tg::emulator::check::checkers::all();
  if (const std::string complaint = fuzz::complaint_about(p, text, how); !complaint.empty()) {
    std::printf("%s\n%s\n", text.c_str(), complaint.c_str());
    std::abort();
  }
  return 0;
}
