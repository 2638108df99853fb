// What people get wrong with arrays that only shows while the program runs, each with the error that tells them.
#include <tg/array.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include <tg/array/dlpack.hpp>
#include <tg/array/dropout.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/tg.hpp>

#include "../misuse.hpp"

namespace {

/// The emulator behind another table of functions, as a program would see another driver.
const tg::driver::table other_driver = tg::emulator::driver_table();

/// Two devices of the emulator, while it lives.
struct two_devices {
  two_devices() { tg::emulator::show_devices(2); }
  ~two_devices() { tg::emulator::show_devices(1); }
};

std::vector<misuse> rows(tg::device& gpu) {
  return {
      {"rows of 5 elements beside rows of 7", 700,
       "TG700: an array of shape (4, 7) stands beside one of shape (4, 5); extents are equal, from the last one on, or 1",
       [&] {
         const tg::array<float, 2> x(gpu, {4, 5}), z(gpu, {4, 7});
         const tg::array<float, 2> y = x * z;
       }},
      {"a reduced array that does not fit its result", 700,
       "TG700: an array of shape (3, 5), reduced, does not fit the result, of shape (3,); extents are equal, from the last one on, "
       "or 1",
       [&] {
         const tg::array<float, 2> x(gpu, {3, 5});
         tg::array<float, 1> y(gpu, {3});
         y = tg::sum<1>(x) + tg::sum<0>(x);
       }},
      {"rows of 7 elements and columns of 9 that are added up", 706,
       "TG706: tg::sum over rows of 9 elements beside a reduction over rows of 7; name one of them with tg::eval",
       [&] {
         const tg::array<float, 2> x(gpu, {4, 7}), w(gpu, {9, 4});
         tg::array<float, 1> y(gpu, {4});
         y = tg::sum<1>(x) + tg::sum<0>(w);
       }},
      {"elements that move up by one place", 701,
       "TG701: the result, of shape (9,), shares memory with an array of shape (9,) that the expression reads at "
       "other indices; write tg::eval(expression), or assign to another array",
       [&] {
         tg::array<float, 1> x(gpu, std::vector<float>(10));
         x(tg::range(1, 10)) = x(tg::range(0, 9)) + 0.0f;
       }},
      {"arrays behind two drivers", 702,
       "TG702: arrays of 'tg emulator' and 'tg emulator' of another driver in one expression; copy one: tg::array(gpu, "
       "x.shape(), x.to_host())",
       [&] {
         const tg::array<float, 1> x(gpu, {8}), far(tg::device(tg::runtime::machine{&other_driver}), {8});
         const tg::array<float, 1> y = x + far;
       }},
      {"arrays of two devices of one driver", 702, "arrays of 'tg emulator' and 'tg emulator (device 1)' in one expression",
       [] {
         const two_devices shown;
         tg::device first("emulator"), second("emulator:1");
         const tg::array<float, 1> x(first, {8}), far(second, {8});
         const tg::array<float, 1> y = x + far;
       }},
      {"an index past the end", 703,
       "TG703: index 4 of dimension 0, which has 4 elements; an index is 0 to extent - 1; a range ends at the extent "
       "at most, and steps upward",
       [&] {
         tg::array<float, 2> x(gpu, {4, 5});
         x(4, 0) = 1.0f;
       }},
      {"an array that was moved from", 704, "TG704: an array has no memory: it was never assigned, or was moved from",
       [&] {
         tg::array<float, 1> x(gpu, std::vector<float>(8));
         const tg::array<float, 1> taken = std::move(x);
         const tg::array<float, 1> y = x + taken;
       }},
      {"12 elements for 3 rows of 5", 705, "TG705: 12 elements for an array of shape (3, 5), which has 15; give one for each",
       [&] { tg::array<float, 2>(gpu, {3, 5}, std::vector<float>(12)); }},
      {"a probability of dropout above 1", 705,
       "TG705: tg::dropout with a probability of 1.500000; a probability is 0 to 1: 0.1f drops one element of ten",
       [&] {
         const tg::array<float, 1> x(gpu, std::vector<float>(8));
         const tg::array<float, 1> y = tg::dropout(x, 1.5f, 1);
       }},
      {"the largest of no elements", 706, "TG706: tg::max of no elements; guard the empty case",
       [&] {
         const tg::array<float, 2> none(gpu, {4, 0});
         const tg::array<float, 1> y = tg::max<1>(none);
       }},
      {"numbers along an axis of 2^31 elements", 707, "TG707: tg::index_of along 2147483648 elements; cut the array",
       [&] {
         const tg::array<float, 1> one(gpu, {1});
         const auto many = one.broadcast(tg::array_shape{std::int64_t{1} << 31});
         const tg::array<int, 0> y = tg::max(tg::index_of<0>(many));
       }},
      {"a tensor of another rank", 708,
       "TG708: a tensor of rank 2 as an array of rank 1; name its rank: tg::from_dlpack<T, Rank>(gpu, tensor)",
       [&] { tg::from_dlpack<float, 1>(gpu, tg::to_dlpack(tg::array<float, 2>(gpu, {2, 3}))); }},
  };
}

}  // namespace

TEST_CASE("what is done wrong with arrays is a clear error, and the device goes on") {
  tg::device gpu("emulator");
  check_misuses(rows(gpu), [&] {
    const tg::array<float, 1> x(gpu, std::vector<float>{1, 2, 3});
    return tg::array<float, 1>(x * 2.0f).to_host() == std::vector<float>{2, 4, 6};
  });
}
