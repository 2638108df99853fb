#include <tg/runtime/argument.hpp>

#include <array>
#include <cstring>
#include <random>
#include <vector>

#include <tg/dsl.hpp>
#include <tg/dsl/memory/subview.hpp>
#include <tg/dsl/vector/packed.hpp>

#include "../random_seed.hpp"
#include "hand_written.hpp"

using hand_written::error_of;
using tg::runtime::packed_arguments;

namespace {

template <class... P> using packed = packed_arguments<tg::parameter_list<P...>>;

template <class P, class A> constexpr bool takes = tg::runtime::detail::takes<P, A>();

template <class T> T at(const std::byte* from, std::size_t offset) {
  T out;
  std::memcpy(&out, from + offset, sizeof out);
  return out;
}

}  // namespace

TEST_CASE("parameters lie as PTX lays them out") {
  using all = packed<tg::in<float>, tg::scalar<unsigned>, tg::out<float>, tg::in2<float>, tg::scalar<bool>, tg::scalar<short>,
                     tg::scalar<double>>;
  CHECK(all::offsets[0] == 0);
  CHECK(all::offsets[1] == 8);
  CHECK(all::offsets[2] == 16);
  CHECK(all::offsets[3] == 24);  // leading dimension at 32
  CHECK(all::offsets[4] == 36);
  CHECK(all::offsets[5] == 38);
  CHECK(all::offsets[6] == 40);
  CHECK(all::bytes == 48);
  CHECK(packed<>::bytes == 0);
}

TEST_CASE("a parameter takes what fits it") {
  using tg::buffer, tg::part, tg::mdspan;
  CHECK(takes<tg::in<float>, buffer<float>>);
  CHECK(takes<tg::in<float>, const buffer<float>>);
  CHECK(takes<tg::in<float>, part<const float>>);
  CHECK(takes<tg::inout<float>, buffer<float>>);
  CHECK(takes<tg::out<float>, const part<float>>);
  CHECK(takes<tg::in2<float>, mdspan<const float, 2>>);
  CHECK(takes<tg::out2<float>, mdspan<float, 2>>);
  CHECK(takes<tg::scalar<float>, float>);
  CHECK(takes<tg::scalar<unsigned>, const long>);
  CHECK(takes<tg::scalar<bool>, bool>);

  CHECK(takes<tg::in<tg::f16>, buffer<tg::f16>>);
  CHECK(takes<tg::scalar<tg::bf16x2>, tg::bf16x2>);

  CHECK_FALSE(takes<tg::in<tg::f16>, buffer<std::uint16_t>>);
  CHECK_FALSE(takes<tg::in<tg::f16>, buffer<tg::bf16>>);
  CHECK_FALSE(takes<tg::scalar<tg::f16>, float>);
  CHECK_FALSE(takes<tg::in<float>, buffer<double>>);
  CHECK_FALSE(takes<tg::in<float>, mdspan<float, 2>>);
  CHECK_FALSE(takes<tg::in<float>, float*>);
  CHECK_FALSE(takes<tg::out<float>, const buffer<float>>);
  CHECK_FALSE(takes<tg::inout<float>, part<const float>>);
  CHECK_FALSE(takes<tg::in2<float>, buffer<float>>);
  CHECK_FALSE(takes<tg::out2<float>, mdspan<const float, 2>>);
  CHECK_FALSE(takes<tg::scalar<float>, double>);
  CHECK_FALSE(takes<tg::scalar<float>, int>);
  CHECK_FALSE(takes<tg::scalar<unsigned>, float>);
  CHECK_FALSE(takes<tg::scalar<unsigned>, bool>);
  CHECK_FALSE(takes<tg::scalar<bool>, int>);
  CHECK_FALSE(takes<tg::scalar<unsigned>, buffer<unsigned>>);
}

TEST_CASE("arguments are packed by value, address and row stride in bytes") {
  tg::device gpu("emulator");
  const tg::runtime::launch_site site{*gpu.context(), "k", {}};
  auto x = gpu.zeros<float>(64);
  auto y = gpu.zeros<float>(64);
  const auto m = tg::matrix(y, 4, 12, 16);
  const long n = 7;
  const packed<tg::in<float>, tg::scalar<unsigned char>, tg::out2<float>, tg::scalar<bool>, tg::scalar<float>> p(site, x, n, m,
                                                                                                                 true, 2.5f);
  const std::byte* bytes = p.buffer.data();
  CHECK(at<std::uint64_t>(bytes, 0) == x.native());
  CHECK(at<std::uint8_t>(bytes, 8) == 7);
  CHECK(at<std::uint64_t>(bytes, 16) == y.native());
  CHECK(at<std::uint32_t>(bytes, 24) == 64);
  CHECK(at<std::uint8_t>(bytes, 28) == 1);
  CHECK(at<float>(bytes, 32) == 2.5f);
}

TEST_CASE("arguments that break a promise are refused by number") {
  auto other_table = hand_written::emulator_table();
  tg::device gpu("emulator"), other(tg::runtime::machine{&other_table});
  const tg::runtime::launch_site site{*gpu.context(), "blur", {"main.cpp", 12}};
  auto x = gpu.zeros<float>(64), empty = gpu.zeros<float>(0), foreign = other.zeros<float>(64);

  const auto null = error_of([&] { packed<tg::scalar<int>, tg::in<float>>(site, 1, empty); });
  CHECK(null.number == 523);
  CHECK(null.says("launch of 'blur': argument 2 is an empty buffer"));
  CHECK(null.says("(main.cpp:12)"));

  CHECK(error_of([&] { packed<tg::in<float>>(site, foreign); }).number == 524);

  const auto odd_part = x.part(1, 4), even_part = x.part(4, 4);
  const auto odd = error_of([&] { packed<tg::in<float>>(site, odd_part); });
  CHECK(odd.number == 525);
  CHECK(odd.says("a multiple of 16 bytes"));
  CHECK(error_of([&] { packed<tg::in<float>>(site, even_part); }).number == 0);
  CHECK(error_of([&] { packed<tg::in<float, tg::aligned<4>>>(site, odd_part); }).number == 0);

  const auto contract = error_of([&] { packed<tg::scalar<unsigned, tg::multiple_of<16>>>(site, 24); });
  CHECK(contract.number == 526);
  CHECK(contract.says("argument 1 is 24, the kernel relies on a multiple of 16"));
  CHECK(error_of([&] { packed<tg::scalar<unsigned, tg::multiple_of<16>>>(site, 32); }).number == 0);
  CHECK(error_of([&] { packed<tg::scalar<unsigned, tg::at_most<16>>>(site, 17); }).says("room for 16"));
  CHECK(error_of([&] { packed<tg::scalar<int, tg::at_most<16>>>(site, 16); }).number == 0);
  CHECK(error_of([&] { packed<tg::scalar<int, tg::at_most<16>>>(site, -1); }).number == 0);
  const auto ragged = tg::matrix(x, 4, 4, 6), even = tg::matrix(x, 4, 4, 8);
  CHECK(error_of([&] { packed<tg::in2<float, tg::multiple_of<4>>>(site, ragged); }).says("leading dimension of 6"));
  CHECK(error_of([&] { packed<tg::in2<float, tg::multiple_of<4>>>(site, even); }).number == 0);

  const auto apart = tg::matrix(x, 1, 4, (std::size_t{1} << 29)), just = tg::matrix(x, 1, 4, (std::size_t{1} << 29) - 1);
  CHECK(error_of([&] { packed<tg::in2<float>>(site, apart); }).number == 572);
  CHECK(error_of([&] { packed<tg::in2<float>>(site, just); }).number == 0);

  const auto wide = error_of([&] { packed<tg::scalar<unsigned>>(site, std::size_t{1} << 32); });
  CHECK(wide.number == 527);
  CHECK(wide.says("4294967296, which does not fit 32 unsigned bits"));
  CHECK(error_of([&] { packed<tg::scalar<unsigned>>(site, -1); }).number == 527);
  CHECK(error_of([&] { packed<tg::scalar<signed char>>(site, 128); }).number == 527);
  CHECK(error_of([&] { packed<tg::scalar<signed char>>(site, -128); }).number == 0);
}

TEST_CASE("a view that is read must not share memory with one that is written") {
  tg::device gpu("emulator");
  const tg::runtime::launch_site site{*gpu.context(), "blur", {}};
  auto x = gpu.zeros<float>(64);
  auto front = x.part(0, 32), back = x.part(32, 32), middle = x.part(16, 32);
  const auto in_place = error_of([&] { packed<tg::in<float>, tg::out<float>>(site, x, x); });
  CHECK(in_place.number == 531);
  CHECK(in_place.says("argument 1 is read as tg::in and shares memory with argument 2"));
  CHECK(error_of([&] { packed<tg::out<float>, tg::in<float>>(site, front, middle); }).number == 531);
  CHECK(error_of([&] { packed<tg::out<float>, tg::in<float>>(site, front, back); }).number == 0);
  CHECK(error_of([&] { packed<tg::in<float>, tg::in<float>>(site, x, x); }).number == 0);
  CHECK(error_of([&] { packed<tg::inout<float>, tg::out<float>>(site, x, x); }).number == 0);
  const auto left = tg::matrix(x, 8, 4, 8), right = tg::matrix(x.part(4, 60), 8, 4, 8), all = tg::matrix(x, 8, 8);
  CHECK(error_of([&] { packed<tg::in2<float>, tg::out2<float>>(site, left, right); }).number == 0);
  CHECK(error_of([&] { packed<tg::in2<float>, tg::out2<float>>(site, all, all); }).number == 531);
  CHECK(error_of([&] { packed<tg::in2<float>, tg::out2<float>>(site, left, left); }).number == 531);
}

TEST_CASE("matrices with gaps share memory where an element of both is the same") {
  tg::device gpu("emulator");
  const tg::runtime::launch_site site{*gpu.context(), "blur", {}};
  auto x = gpu.zeros<float>(100);
  std::mt19937 random(random_seed());
  struct rows {
    std::size_t first, count, columns, pitch;
    bool holds(std::size_t i) const { return i >= first && (i - first) / pitch < count && (i - first) % pitch < columns; }
  };
  const auto draw = [&](std::size_t pitch) {
    const std::size_t columns = 1 + random() % pitch, first = 4 * (random() % 10);  // views begin at 16 bytes
    return rows{first, 1 + random() % ((99 - first - columns) / pitch + 1), columns, pitch};
  };
  int shared = 0;
  for (int turn = 0; turn < 2000; ++turn) {
    const std::size_t pitch = 2 + random() % 9;
    const rows a = draw(pitch), b = draw(turn % 4 == 0 ? 1 : pitch);
    const auto view = [&](const rows& r) { return tg::matrix(x.part(r.first, 100 - r.first), r.count, r.columns, r.pitch); };
    bool meet = false;
    for (std::size_t i = 0; i < 100; ++i) meet = meet || (a.holds(i) && b.holds(i));
    shared += meet;
    INFO("a: ", a.first, " ", a.count, " ", a.columns, " ", a.pitch, " b: ", b.first, " ", b.count, " ", b.columns, " ",
         b.pitch);
    REQUIRE(error_of([&] { packed<tg::in2<float>, tg::out2<float>>(site, view(a), view(b)); }).number == (meet ? 531 : 0));
    REQUIRE(error_of([&] { packed<tg::out2<float>, tg::in2<float>>(site, view(a), view(b)); }).number == (meet ? 531 : 0));
  }
  CHECK((shared > 200 && shared < 1800));
}

TEST_CASE("a view that is shorter than its contract is refused") {
  tg::device gpu("emulator");
  auto x = gpu.zeros<float>(60);
  const auto refused = [&]<class P>(std::type_identity<P>, const tg::placement& p, const auto& argument) {
    const tg::runtime::launch_site site{*gpu.context(), "blur", p.where, &p, {32, 1, 1}};
    return error_of([&] { packed<P>(site, argument); });
  };
  const std::type_identity<tg::in<float, tg::covered>> line;
  CHECK(refused(line, tg::cover(60), x).number == 0);
  const auto shorter = refused(line, tg::cover(61), x);
  CHECK(shorter.number == 566);  // TG566
  CHECK(shorter.says("launch of 'blur': argument 1 has 60 elements, the kernel relies on 61"));
  CHECK(shorter.says("(argument.cpp:"));
  CHECK(refused(line, tg::grid(1), x).number == 0);
  CHECK(refused(line, tg::grid(2), x).says("relies on 64"));
  CHECK(refused(line, tg::cover(10, 6), x).number == 0);
  CHECK(refused(line, tg::cover(std::int64_t{1} << 62, std::int64_t{1} << 62), x).says("relies on 18446744073709551615"));

  const std::type_identity<tg::out2<float, tg::multiple_of<1>, tg::covered>> picture;
  const auto m = tg::matrix(x, 6, 10);
  CHECK(refused(picture, tg::cover(10, 6), m).number == 0);
  CHECK(refused(picture, tg::cover(11, 6), m).says("has 10 columns, the kernel relies on 11"));
  CHECK(refused(picture, tg::cover(10, 7), m).says("has 6 rows, the kernel relies on 7"));

  CHECK(refused(std::type_identity<tg::in<float, tg::at_least<60>>>{}, tg::cover(1000), x).number == 0);
  CHECK(refused(std::type_identity<tg::in<float, tg::at_least<61>>>{}, tg::cover(1), x).number == 566);
}

namespace {

// out(z, y, x) = the sum of the six neighbours on a torus
constexpr auto torus =
    tg::kernel<"torus">(tg::block<32, 4>, [](auto block, tg::in3<float> in, tg::out3<float> out, tg::scalar<int> depth,
                                             tg::scalar<int> height, tg::scalar<int> width) {
      const auto x = tg::let(tg::cast<int>(block.global.x));
      const auto y = tg::let(tg::cast<int>(block.global.y));
      const auto z = tg::let(tg::cast<int>(block.index.z));
      tg::if_(x < width && y < height, [&] {
        const auto before = [](auto i, auto n) { return tg::select(i == 0, n - 1, i - 1); };
        const auto after = [](auto i, auto n) { return tg::select(i == n - 1, 0, i + 1); };
        const auto wrapped = [&](auto k, auto j, auto i) { return in(k, tg::gather(j), tg::gather(i)); };
        out(z, y, x) = wrapped(before(z, depth), y, x) + wrapped(after(z, depth), y, x) + wrapped(z, before(y, height), x) +
                       wrapped(z, after(y, height), x) + wrapped(z, y, before(x, width)) + wrapped(z, y, after(x, width));
      });
    });

constexpr auto mix = tg::kernel<"mix">(
    tg::block<32>, [](auto block, tg::inout4<double, tg::multiple_of<24>, tg::multiple_of<4>, tg::multiple_of<1>> a,
                      tg::in2<float, tg::extents<tg::dynamic, 3>> points,
                      tg::in4<float, tg::extents<tg::dynamic, 2, tg::dynamic, 32>> pictures, tg::scalar<std::uint64_t> last) {
      using namespace tg::literals;
      const auto i = block.thread.x;
      auto tile = tg::shared<double>(tg::shape<2, 2, 3, 32>, tg::pitch<33>);
      auto line = tg::row(tg::row(tg::row(tile, 1_c), 1), 2_c);
      line(i) = tg::cast<double>(points(last, 1_c, tg::allow<tg::TG202>("one point for all lanes")));
      block.sync();
      tg::if_(i < 4u, [&] {
        a(last, 1_c, 2, i) += tile(1_c, 1_c, 2_c, i) + tg::cast<double>(pictures(last, 1_c, block.index.x + 2u, i));
      });
    });

}  // namespace

TEST_CASE("views of three dimensions, whatever their strides") {
  tg::device gpu("emulator");
  for (const std::size_t width : {1u, 31u, 32u, 33u, 67u})
    for (const bool is_padded : {false, true}) {
      const std::size_t depth = 3, height = 5, leading = width + (is_padded ? 7 : 0),
                        plane = leading * height + (is_padded ? 11 : 0);
      std::vector<float> values(depth * plane);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * i % 1009);
      auto in = gpu.upload(values), out = gpu.zeros<float>(values.size());
      const std::array<std::size_t, 3> extents{depth, height, width};
      const std::array<std::size_t, 2> strides{plane, leading};
      gpu.launch(torus, tg::grid((width + 31) / 32, 2, depth), tg::mdspan(in, extents, strides),
                 tg::mdspan(out, extents, strides), depth, height, width);
      const std::vector<float> found = out.to_host();
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t z = i / plane, y = i % plane / leading, x = i % plane % leading;
        const auto at = [&](std::size_t k, std::size_t j, std::size_t n) {
          return values[k % depth * plane + j % height * leading + n % width];
        };
        const bool is_inside = y < height && x < width;
        const float expected = at(z + depth - 1, y, x) + at(z + 1, y, x) + at(z, y + height - 1, x) + at(z, y + 1, x) +
                               at(z, y, x + width - 1) + at(z, y, x + 1);
        wrong += found[i] != (is_inside ? expected : 0.0f);
      }
      INFO(width, " columns, ", is_padded);
      CHECK(wrong == 0);
    }
}

TEST_CASE("views and tiles of four dimensions, extents that the type knows") {
  tg::device gpu("emulator");
  std::vector<double> a(2 * 2 * 3 * 8, 1.0);
  auto on_device = gpu.upload(a);
  auto points = gpu.upload(std::vector<float>{1, 2, 3, 4, 5, 6}), pictures = gpu.zeros<float>(2 * 2 * 4 * 32);
  const auto of = [&](std::size_t s0, std::size_t s1, std::size_t s2) {
    return tg::mdspan(on_device, std::array<std::size_t, 4>{2, 2, 3, 4}, std::array<std::size_t, 3>{s0, s1, s2});
  };
  const auto launch = [&](auto first, auto second, auto third) {
    return error_of([&] { gpu.launch(mix, tg::grid(1), first, second, third, 1); });
  };
  CHECK(launch(of(48, 20, 5), tg::mdspan(points, 2, 3), tg::mdspan(pictures, 2, 2, 4, 32)).number == 0);
  const std::vector<double> found = on_device.to_host();
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == (i >= 48 + 20 + 10 && i < 48 + 20 + 14 ? 6.0 : 1.0));

  CHECK(launch(of(40, 20, 5), tg::mdspan(points, 2, 3), tg::mdspan(pictures, 2, 2, 4, 32))
            .says("has a stride of 40, the kernel relies on a multiple of 24"));
  CHECK(launch(of(48, 18, 5), tg::mdspan(points, 2, 3), tg::mdspan(pictures, 2, 2, 4, 32)).says("stride of 18"));
  CHECK(launch(of(48, 20, 5), tg::mdspan(points, 3, 2), tg::mdspan(pictures, 2, 2, 4, 32))
            .says("an extent of 2 in dimension 1, the kernel relies on 3"));
  CHECK(launch(of(48, 20, 5), tg::matrix(points, 1, 3, 6), tg::mdspan(pictures, 2, 2, 4, 32)).number == 526);
  CHECK(launch(of(48, 20, 5), tg::matrix(points.part(0, 6), 2, 3), tg::mdspan(pictures, 2, 2, 4, 32)).number == 0);
  const auto gaps = tg::mdspan(pictures, std::array<std::size_t, 4>{1, 2, 2, 32}, std::array<std::size_t, 3>{256, 72, 33});
  CHECK(launch(of(48, 20, 5), tg::mdspan(points, 2, 3), gaps).says("has gaps between its rows"));
}
