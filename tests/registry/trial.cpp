#include <registry/trial.hpp>

#include <doctest/doctest.h>

#include <registry/on_device.hpp>

#include <kernels/q8_1.hpp>
#include <kernels/saxpy.hpp>

using namespace registry;

TEST_CASE("an element that is as far off as it may be counts as 1, NaN and a missed exact number as infinite") {
  excess own;
  own.add(1.5, 1, 0.5);
  CHECK(own.worst() == 1);
  own.add(2, 2, 0);
  CHECK(own.worst() == 1);
  own.add(1, 2, 0);
  CHECK(std::isinf(own.worst()));
  excess other;
  other.add(NAN, 1, 1);
  CHECK(std::isinf(other.worst()));
}

TEST_CASE("a trial finds a wrong element, a poisoned one and one that is overwritten") {
  tg::device gpu;
  const auto try_with = [&](double wanted, unsigned n, unsigned elements, bool is_written) {
    device_trial trial(gpu, tg::kernels::saxpy, 1);
    const std::vector<float> x(elements, 1), y(elements, 2);
    const expectation after = relative(std::vector<double>(elements, wanted), 0x1p-23);
    trial.launch(tg::grid(1), trial.in(x), is_written ? trial.in_out(y, after) : trial.in(y), 3.0f, n);
    return std::pair(trial.worst() <= 1, trial.overwritten());
  };
  CHECK(try_with(5, 100, 100, true) == std::pair(true, std::size_t{0}));
  CHECK(try_with(6, 100, 100, true) == std::pair(false, std::size_t{0}));
  CHECK(try_with(5, 99, 100, true) == std::pair(false, std::size_t{0}));
  CHECK(try_with(5, 100, 100, false) == std::pair(true, std::size_t{100}));
}

TEST_CASE("rows of a matrix are apart, and what lies between them is guarded") {
  operand_maker make(1);
  const auto own = make.in(std::vector<float>(6, 1.0f), 2, 3, 4);
  CHECK(own.leading == 8);
  CHECK(std::isnan(own.before[3]));
  CHECK(own.before[8] == 1);
}

TEST_CASE("both numbers of a pair are compared") {
  tg::device gpu;
  const auto worst = [&](double low, double high) {
    device_trial trial(gpu, tg::kernels::quantize_q8_1, 1);
    const std::vector<float> x(32, 127.0f);  // a scale of 1 and a sum of 32 * 127
    trial.launch(tg::grid(1), trial.in(x), trial.out<std::int8_t>(exactly(std::vector<int>(32, 127))),
                 trial.out<tg::f16x2>(exactly(std::vector<double>{low, high})), 32u);
    return trial.worst();
  };
  CHECK(worst(1, 4064) == 0);
  CHECK(std::isinf(worst(2, 4064)));
  CHECK(std::isinf(worst(1, 4062)));
}

TEST_CASE("numbers by place") {
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  CHECK(numbers_of(x)(4) == 5);
  CHECK(numbers_of(x, 3)(1, 2) == 6);
}
