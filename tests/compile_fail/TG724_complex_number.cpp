// A complex number beside an array.
// expect: TG724
// expect: last axis has extent 2
#include <tg/array.hpp>

#include <complex>

void run(tg::array<float, 2>& y, const tg::array<float, 2>& x) {
#ifdef TG_WRONG
  y = x * std::complex<float>(1, 2);
#else
  y = x * std::complex<float>(1, 2).real();
#endif
}
