#include <tg/dsl/debug/printf.hpp>

#include <cstdio>

#include "../word.hpp"

namespace {

using tg::detail::conversions_of;
using tg::detail::fits_format;

static_assert(fits_format<int, unsigned, float>(conversions_of("%d%% %-08x, %+.3f")));
static_assert(fits_format<long long, unsigned long long, double>(conversions_of("%lld %llu %g")));
static_assert(fits_format<short, unsigned char, bool>(conversions_of("%d %u %d")));
static_assert(fits_format<>(conversions_of("100 %%")));
static_assert(!fits_format<int>(conversions_of("%u")));
static_assert(!fits_format<int>(conversions_of("%lld")));
static_assert(!fits_format<int>(conversions_of("%ld")));
static_assert(!fits_format<float>(conversions_of("%d")));
static_assert(!fits_format<int>(conversions_of("%d %d")));
static_assert(!fits_format<int, int>(conversions_of("%d")));
static_assert(!fits_format<int>(conversions_of("%s")));
static_assert(!fits_format<int, int>(conversions_of("%*d")));
static_assert(!fits_format<>(conversions_of("%")));

std::string wanted(const char* format, auto... x) {
  char out[200];
  std::snprintf(out, sizeof out, format, x...);
  return out;
}

}  // namespace

TEST_CASE("a kernel writes what the host would") {
  const auto kernel = tg::lower(
      tg::kernel<"writes">(tg::block<32>, [](auto block, tg::in<float> x, tg::in<long long> w, tg::in<signed char> c) {
        const auto i = block.thread.x;
        tg::if_(i < 3, [&] {
          tg::printf<"%u: %8.3f %lld|%d|%x %g %d%%\n">(i, x(i), w(i), c(i), 48879u, 0.5, i == 1);
          tg::printf<"next\n">();
        });
      }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  std::vector<float> x(32, 1.0f / 3);
  std::vector<long long> w(32, -1234567890123);
  std::vector<signed char> c(32, -7);
  const std::string printed = word::launch(kernel.ptx, 1, x, w, c);
  for (unsigned i = 0; i < 3; ++i)
    CHECK(printed.find(wanted("%u: %8.3f %lld|%d|%x %g %d%%\n", i, static_cast<double>(x[i]), w[i], c[i], 48879u, 0.5,
                              i == 1)) != printed.npos);
  CHECK(std::count(printed.begin(), printed.end(), '\n') == 6);
}
