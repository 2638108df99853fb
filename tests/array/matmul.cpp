#include <tg/array/matmul.hpp>

#include <string>

#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/kernel/to_ptx.hpp>
#include <tg/dsl/kernel/trace.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/emulator.hpp>

#include <bench/ampere.hpp>

#include "../random_seed.hpp"
#include "matrices.hpp"

using arrays::host;
using arrays::on_host;

namespace {

template <class T> void check_layouts(const tg::device& gpu) {
  using S = tg::detail::sum_of_products<T>;
  std::mt19937 random(random_seed());
  const std::int64_t sizes[] = {1, 3, 16, 31, 64, 127, 128, 129, 136, 200, 257};
  const auto any_size = [&] { return sizes[random() % 11]; };
  for (int turn = 0; turn < 14; ++turn) {
    const std::int64_t rows = any_size(), depth = turn == 0 ? 0 : any_size(), columns = any_size();
    const host a = arrays::random_numbers<T>({rows, depth}, random), b = arrays::random_numbers<T>({depth, columns}, random);
    const arrays::layout how_a = arrays::all_layouts[random() % 5], how_b = arrays::all_layouts[random() % 5];
    const arrays::on_device<T, 2> da(gpu, a, how_a), db(gpu, b, how_b);
    arrays::on_device<S, 2> dc(gpu, host({rows, columns}, 7.0), arrays::all_layouts[random() % 5]);
    CAPTURE(rows);
    CAPTURE(depth);
    CAPTURE(columns);
    CAPTURE(static_cast<int>(how_a));
    CAPTURE(static_cast<int>(how_b));
    dc.view = tg::matmul(da.view, db.view);
    CHECK(arrays::excess_of_products(dc.read(), arrays::matmul(a, b), a, b) <= 1);
  }
}

/// An array of these numbers.
template <class T, int Rank> tg::array<T, Rank> to_device(const tg::device& gpu, const host& x) {
  return {gpu, arrays::to_shape<Rank>(x.shape), x.numbers};
}

}  // namespace

TEST_CASE("products of random shapes in any layout") {
  tg::device gpu;
  check_layouts<float>(gpu);
  check_layouts<tg::bf16>(gpu);
  check_layouts<tg::f16>(gpu);
  check_layouts<signed char>(gpu);
  check_layouts<tg::f8e4m3>(gpu);
  check_layouts<tg::f8e5m2>(gpu);
}

TEST_CASE("arrays that lie well are copied, along and across the depth, and the result may lie transposed") {
  for (const int capability : {80, 90}) {
    const tg::device gpu = capability == 80 ? bench::ampere() : tg::device();
    CAPTURE(capability);
    std::mt19937 random(random_seed());
    const host a = arrays::random_numbers<tg::bf16>({200, 136}, random),
               b = arrays::random_numbers<tg::bf16>({136, 264}, random);
    const auto flipped = [](const host& x) {
      host out({x.shape[1], x.shape[0]});
      arrays::for_each_index(x.shape, [&](const auto& i, std::size_t n) {
        out.numbers[static_cast<std::size_t>(i[1] * x.shape[0] + i[0])] = x.numbers[n];
      });
      return out;
    };
    const auto da = to_device<tg::bf16, 2>(gpu, a), at = to_device<tg::bf16, 2>(gpu, flipped(a));
    const auto db = to_device<tg::bf16, 2>(gpu, b), bt = to_device<tg::bf16, 2>(gpu, flipped(b));
    tg::array<float, 2> c(gpu, {200, 264}), ct(gpu, {264, 200});
    const host wanted = arrays::matmul(a, b);
    const auto check = [&](const auto& left, const auto& right) {
      c = 7.0f;
      c = tg::matmul(left, right);
      CHECK(arrays::excess_of_products(on_host(c), wanted, a, b) <= 1);
      CHECK(arrays::plan_of(c.view(), tg::matmul(left, right)).own.left != tg::detail::product_layout::computed);
      ct.view().transpose() = tg::matmul(left, right);
      CHECK(flipped(on_host(ct)).numbers == on_host(c).numbers);
    };
    check(da, db);
    check(at.transpose(), db);
    check(da, bt.transpose());
    check(at.transpose(), bt.transpose());
    check(tg::transpose(at), tg::transpose(bt));
    // Many matrices in one launch, of which tensor copies have no map.
    const arrays::host many = arrays::random_numbers<tg::bf16>({3, 130, 72}, random);
    const auto dmany = to_device<tg::bf16, 3>(gpu, many);
    const arrays::host one = arrays::random_numbers<tg::bf16>({72, 200}, random);
    const auto done = to_device<tg::bf16, 2>(gpu, one);
    CHECK(arrays::excess_of_products(on_host(tg::eval(tg::matmul(dmany, done))), arrays::matmul(many, one), many, one) <= 1);
    const auto kernel = tg::kernel_of(tg::into(c) = tg::matmul(da, db));
    CHECK((tg::to_ptx(kernel).find("wgmma.mma_async") != std::string::npos) == (capability == 90));
    CHECK((tg::to_ptx(kernel).find("cp.async.bulk.tensor") != std::string::npos) == (capability == 90));
    for (int turn = 0; turn < 3; ++turn) {  // the plan is kept, with its maps
      c = 7.0f;
      c = tg::matmul(da, db);
      CHECK(arrays::excess_of_products(on_host(c), wanted, a, b) <= 1);
    }
  }
}

TEST_CASE("products as an Ampere GPU computes them") {
  const tg::device gpu = bench::ampere();
  check_layouts<tg::bf16>(gpu);
  check_layouts<signed char>(gpu);
}

TEST_CASE("what stands around a product is part of its kernel") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  for (const auto& [rows, depth, columns] : {std::array<std::int64_t, 3>{128, 64, 128},
                                             std::array<std::int64_t, 3>{150, 48, 132}, std::array<std::int64_t, 3>{7, 5, 3}}) {
    const host a = arrays::random_numbers<tg::bf16>({rows, depth}, random);
    const host b = arrays::random_numbers<tg::bf16>({depth, columns}, random);
    const host bias = arrays::random_numbers<float>({columns}, random),
               rest = arrays::random_numbers<float>({rows, columns}, random);
    const auto da = to_device<tg::bf16, 2>(gpu, a), db = to_device<tg::bf16, 2>(gpu, b);
    const auto dbias = to_device<float, 1>(gpu, bias);
    const auto drest = to_device<float, 2>(gpu, rest);
    const host product = arrays::matmul(a, b);
    const host sum = arrays::map([](double x, double y) { return x + y; }, product, bias);
    const host positive = arrays::map([](double x) { return std::max(x, 0.0) * 2; }, sum);
    const std::int64_t shown = rows;
    CAPTURE(shown);

    // bias, activation, residual, in place, and a result of half the size
    tg::array<float, 2> c = drest;
    tg::array<tg::bf16, 2> half(gpu, c.shape());
    const auto h = tg::matmul(da, db) + dbias;
    tg::assign(tg::into(c) = tg::max(h, 0.0f) * 2.0f + c, tg::into(half) = tg::cast<tg::bf16>(h));
    const host all = arrays::map([](double x, double y) { return x + y; }, positive, rest);
    CHECK(arrays::excess(on_host(c), all, 1e-4) <= 1);
    CHECK(arrays::excess(on_host(half), sum, 0x1p-8) <= 1);

    // an equal product is computed once; numbers of rows and columns
    c = tg::sigmoid(tg::matmul(da, db)) * tg::matmul(da, db) +
        tg::cast<float>(tg::index_of<0>(drest) * 2 - tg::index_of<1>(drest)) + drest;
    host swish = arrays::map([](double x) { return x / (1 + std::exp(-x)); }, product);
    arrays::for_each_index(swish.shape,
                           [&](const auto& i, std::size_t n) { swish.numbers[n] += static_cast<double>(i[0] * 2 - i[1]); });
    CHECK(arrays::excess(on_host(c), arrays::map([](double x, double y) { return x + y; }, swish, rest), 1e-4) <= 1);
    const auto own = tg::kernel_of(tg::into(c) = tg::sigmoid(tg::matmul(da, db)) * tg::matmul(da, db));
    const auto once = tg::kernel_of(tg::into(c) = tg::matmul(da, db));
    CHECK(tg::trace(own).accesses.size() == tg::trace(once).accesses.size());
    CHECK(own.floor_bytes() == once.floor_bytes());
  }
}

TEST_CASE("operands are expressions") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const auto plus = [](double x, double y) { return x + y; };
  const host x = arrays::random_numbers<float>({37, 70}, random), w = arrays::random_numbers<float>({70, 45}, random);
  const host scale = arrays::random_numbers<float>({70}, random);
  const auto dx = to_device<float, 2>(gpu, x), dw = to_device<float, 2>(gpu, w);
  const auto dscale = to_device<float, 1>(gpu, scale);
  tg::array<float, 2> c(gpu, {37, 45});

  c = tg::matmul(tg::max(dx, 0.0f), dw * 2.0f) + 1.0f;
  const host relu = arrays::map([](double a) { return std::max(a, 0.0); }, x);
  const host twice = arrays::map([](double a) { return a * 2; }, w);
  CHECK(arrays::excess(on_host(c), arrays::map([](double a) { return a + 1; }, arrays::matmul(relu, twice)), 1e-4) <= 1);

  c = tg::matmul(dx + dscale, dw);  // a vector along the depth
  CHECK(arrays::excess(on_host(c), arrays::matmul(arrays::map(plus, x, scale), w), 1e-4) <= 1);
  c = tg::matmul(tg::where(tg::index_of<1>(dx) <= tg::index_of<0>(dx), dx, 0.0f), dw);  // a lower triangle
  host lower = x;
  arrays::for_each_index(x.shape, [&](const auto& i, std::size_t n) {
    if (i[1] > i[0]) lower.numbers[n] = 0;
  });
  CHECK(arrays::excess(on_host(c), arrays::matmul(lower, w), 1e-4) <= 1);

  // rows of a table, converted on the way
  const tg::array<int, 1> rows(gpu, std::vector<int>{3, 0, 36, 3, 12});
  tg::array<float, 2> taken(gpu, {5, 45});
  taken = tg::matmul(tg::cast<tg::bf16>(tg::take<0>(dx, rows)), tg::cast<tg::bf16>(dw));
  host half({5, 70}), half_w = w;
  arrays::for_each_index(half.shape, [&](const auto& i, std::size_t n) {
    const std::int64_t from[] = {3, 0, 36, 3, 12};
    half.numbers[n] = static_cast<float>(tg::bf16(static_cast<float>(arrays::at(x, {from[i[0]], i[1]}))));
  });
  for (double& each : half_w.numbers) each = static_cast<float>(tg::bf16(static_cast<float>(each)));
  CHECK(arrays::excess_of_products(on_host(taken), arrays::matmul(half, half_w), half, half_w) <= 1);
}

TEST_CASE("matrices in front of which other dimensions broadcast") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const host a = arrays::random_numbers<tg::f16>({3, 1, 40, 24}, random),
             b = arrays::random_numbers<tg::f16>({2, 24, 56}, random);
  const auto da = to_device<tg::f16, 4>(gpu, a);
  const auto db = to_device<tg::f16, 3>(gpu, b);
  const host wanted = arrays::matmul(a, b);
  tg::array<float, 4> c = tg::matmul(da, db);
  CHECK(arrays::excess_of_products(on_host(c), wanted, a, b) <= 1);
  const host scale = arrays::random_numbers<float>({3, 2, 1, 1}, random);
  const auto dscale = to_device<float, 4>(gpu, scale);
  c = tg::matmul(da, db) * dscale;
  CHECK(arrays::excess(on_host(c), arrays::map([](double x, double y) { return x * y; }, wanted, scale), 1e-4) <= 1);
  // heads stand behind rows in memory, as attention has them
  tg::array<float, 3> turned(gpu, {40, 2, 56});
  turned.view().permute<1, 0, 2>() = tg::matmul(da.view()(1, 0, tg::full_extent, tg::full_extent), db);
  const host now = on_host(turned);
  double worst = 0;
  arrays::for_each_index(now.shape, [&](const auto& i, std::size_t n) {
    worst = std::max(worst, std::abs(now.numbers[n] - arrays::at(wanted, {1, i[1], i[0], i[2]})));
  });
  CHECK(worst < 1e-3);
}

TEST_CASE("vectors") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const host a = arrays::random_numbers<tg::bf16>({37, 70}, random), x = arrays::random_numbers<tg::bf16>({70}, random);
  const host y = arrays::random_numbers<tg::bf16>({37}, random);
  const auto da = to_device<tg::bf16, 2>(gpu, a);
  const auto dx = to_device<tg::bf16, 1>(gpu, x), dy = to_device<tg::bf16, 1>(gpu, y);
  const auto as = [](host v, std::vector<std::int64_t> shape) { return host(std::move(shape), v.numbers); };
  CHECK(arrays::excess(on_host(tg::eval(tg::matmul(da, dx))), as(arrays::matmul(a, as(x, {70, 1})), {37}), 1e-4) <= 1);
  CHECK(arrays::excess(on_host(tg::eval(tg::matmul(dy, da))), as(arrays::matmul(as(y, {1, 37}), a), {70}), 1e-4) <= 1);
  CHECK(arrays::excess(on_host(tg::eval(tg::matmul(dx, dx))), as(arrays::matmul(as(x, {1, 70}), as(x, {70, 1})), {}), 1e-4) <=
        1);
}

TEST_CASE("a product is proved as far as its arrays lie well, and nothing of it is unknown") {
  tg::device gpu;
  const tg::array<tg::bf16, 2> x(gpu, {512, 256}), w(gpu, {256, 384});
  const tg::array<float, 1> bias(gpu, {384});
  tg::array<tg::bf16, 2> y(gpu, {512, 384});
  const auto own = tg::kernel_of(tg::into(y) = tg::cast<tg::bf16>(tg::max(tg::matmul(x, w) + bias, 0.0f)));
  for (const tg::access& a : tg::trace(own).accesses) CHECK(a.verdict != tg::verdict::gather);
  const auto found = tg::analyze(own);
  CHECK(found.verdicts().size() > 0);
  CHECK(found.with(tg::answer::unknown).empty());
  CHECK(found.refuted().empty());
  const std::string text = tg::to_ptx(own);
  CHECK(text.find(".entry array_product") != text.npos);
  CHECK(text.find("wgmma.mma_async") != text.npos);
  CHECK(own.blocks() == 12);
  CHECK(own.floor_bytes() == 2 * (512 * 256 + 256 * 384 + 512 * 384) + 4 * 384);
}

TEST_CASE("products that do not fit") {
  tg::device gpu;
  tg::array<float, 2> a(gpu, {8, 5}), b(gpu, {4, 8}), c(gpu, {8, 8}), d(gpu, {8, 8}), e(gpu, {8, 8});
  const auto code_of = [](auto f) -> int {
    try {
      f();
    } catch (const tg::error& found) { return static_cast<int>(found.code()); }
    return 0;
  };
  CHECK(code_of([&] { c = tg::matmul(a, b); }) == 700);
  CHECK(code_of([&] { c = tg::matmul(c, b); }) == 700);
  CHECK(code_of([&] { a = tg::matmul(c, d); }) == 700);
  // Of two products the left operand is the same; there are no three.
  CHECK(code_of([&] { c = tg::matmul(d, d) + tg::matmul(e, d); }) == 706);
  CHECK(code_of([&] { c = tg::matmul(d * 2.0f, d) + tg::matmul(d * 3.0f, e); }) == 706);
  CHECK(code_of([&] { c = tg::matmul(d, c) + tg::matmul(d, d) + tg::matmul(d, e); }) == 701);
  tg::array<float, 2> f(gpu, {8, 8});
  CHECK(code_of([&] { f = tg::matmul(d, c) + tg::matmul(d, d) + tg::matmul(d, e); }) == 706);
  CHECK(code_of([&] { c = tg::matmul(c, d); }) == 701);
  CHECK(code_of([&] { tg::eval(tg::matmul(a, b)); }) == 700);
  try {
    c = tg::matmul(a, b);
  } catch (const tg::error& found) { CHECK(std::string(found.what()).find("5 and 4") != std::string::npos); }
  // A depth of 1 is not repeated, nor is a vector of one element.
  tg::array<float, 1> one(gpu, {1}), eight(gpu, {8});
  CHECK(code_of([&] { eight = tg::matmul(c, one); }) == 700);
  CHECK(code_of([&] { eight = tg::matmul(one * 2.0f, c); }) == 700);
  CHECK(code_of([&] { tg::eval(tg::matmul(one, eight)); }) == 700);
  tg::array<float, 2> thin(gpu, {8, 1});
  CHECK(code_of([&] { c = tg::matmul(thin, d); }) == 700);
}

TEST_CASE("numbers along a dimension of one element are zeros in an operand of a product, too") {
  tg::device gpu;
  const tg::array<float, 2> z(gpu, {3, 1}, {10, 20, 30}), x(gpu, {3, 4}, std::vector<float>(12, 0.5f)),
      one(gpu, {4, 1}, {1, 1, 1, 1});
  const auto number = tg::cast<float>(tg::index_of<1>(z) + tg::index_of<0>(z) * 10);
  const tg::array<float, 2> part = number, own = part + x;
  CHECK(tg::eval(tg::matmul(number + x, one)).to_host() == tg::eval(tg::matmul(own, one)).to_host());
  CHECK(tg::eval(tg::matmul(tg::transpose(one), tg::transpose(number + x))).to_host() ==
        tg::eval(tg::matmul(tg::transpose(one), tg::transpose(own))).to_host());
}
