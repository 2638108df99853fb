// std::vector<bool> has no elements with an address.
// expect: TG138
// expect: upload a range of unsigned char
#include <tg/runtime/device.hpp>

#include <vector>

#ifdef TG_WRONG
using flag = bool;
#else
using flag = unsigned char;
#endif

void run(tg::device& gpu) {
  const std::vector<flag> flags(32);
  gpu.upload(flags);
}
