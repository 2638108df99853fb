#include <kernels/select.hpp>

#include <algorithm>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

struct is_positive {
  template <class X> auto operator()(const X& x) const { return tg::cast<double>(x) > 0.0; }
};

constexpr unsigned sizes[] = {0, 1, 2, 31, 32, 33, 255, select_part - 1, select_part, select_part + 1, 2 * select_part, 20011};

/// Lines with runs of many lengths: from all equal to all different.
template <class T, class Check> void for_each_line(Check check) {
  inputs::generator random;
  for (const unsigned n : sizes)
    for (const unsigned different : {1u, 2u, 5u, 0x7fffffffu}) {
      INFO("seed ", random.seed, ", n ", n, ", values ", different);
      std::vector<T> x(n);
      for (T& v : x) v = static_cast<T>(static_cast<int>(random.engine() % different) - static_cast<int>(different / 2));
      if (random.engine() % 2 == 0) std::sort(x.begin(), x.end());
      check(x);
    }
}

/// The buffers of a launch: elements behind what is written keep their poison.
template <class T> struct line {
  tg::device gpu;
  tg::buffer<T> x, y;
  tg::buffer<unsigned> lengths, count;
  tg::buffer<std::uint64_t> scratch;
  unsigned n;

  explicit line(const std::vector<T>& own, std::size_t words)
      : x(gpu.upload(own.empty() ? std::vector<T>(1) : own)),
        y(gpu.upload(std::vector<T>(own.size() + 1, inputs::poison<T>()))),
        lengths(gpu.upload(std::vector<unsigned>(own.size() + 1, inputs::poison<unsigned>()))),
        count(gpu.upload(std::vector<unsigned>{inputs::poison<unsigned>()})),
        scratch(gpu.zeros<std::uint64_t>(words)),
        n(static_cast<unsigned>(own.size())) {}

  template <class K> void compact(const K& kernel, const std::vector<T>& wanted) {
    gpu.launch(kernel, tg::grid(select_blocks(n)), x, y, count, scratch, n);
    check(y.to_host(), wanted);
  }
  template <class E> void check(const std::vector<E>& all, const std::vector<E>& wanted) {
    CHECK(count.to_host().front() == wanted.size());
    CHECK(scratch.to_host() == std::vector<std::uint64_t>(scratch.size()));  // for the next launch
    CHECK(std::equal(wanted.begin(), wanted.end(), all.begin()));
    CHECK(std::all_of(all.begin() + static_cast<std::ptrdiff_t>(wanted.size()), all.end(), inputs::is_poison<E>));
  }
};

template <class T> void check_select() {
  for_each_line<T>([](const std::vector<T>& x) {
    std::vector<T> wanted;
    std::copy_if(x.begin(), x.end(), std::back_inserter(wanted), [](T v) { return v > 0; });
    line<T>(x, select_scratch(static_cast<unsigned>(x.size()))).compact(select_if<T, is_positive>, wanted);
  });
}

template <class T> void check_unique() {
  for_each_line<T>([](const std::vector<T>& x) {
    std::vector<T> wanted;
    std::unique_copy(x.begin(), x.end(), std::back_inserter(wanted));
    line<T>(x, select_scratch(static_cast<unsigned>(x.size()))).compact(unique<T>, wanted);
  });
}

template <class T> void check_runs() {
  for_each_line<T>([](const std::vector<T>& x) {
    std::vector<T> values;
    std::vector<unsigned> lengths;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i == 0 || x[i] != x[i - 1]) values.push_back(x[i]), lengths.push_back(0);
      ++lengths.back();
    }
    line<T> own(x, run_scratch(static_cast<unsigned>(x.size())));
    own.gpu.launch(run_lengths<T>, tg::grid(select_blocks(own.n)), own.x, own.y, own.lengths, own.count, own.scratch, own.n);
    own.check(own.y.to_host(), values);
    own.check(own.lengths.to_host(), lengths);
  });
}

}  // namespace

TEST_CASE("elements that a predicate picks, in their order") {
  check_select<int>();
  check_select<double>();
}

TEST_CASE("the first of each run of equals") {
  check_unique<int>();
  check_unique<float>();
}

TEST_CASE("runs and their lengths") {
  check_runs<unsigned>();
  check_runs<std::int64_t>();
}

TEST_CASE("NaN is kept by no comparison and begins a run each time") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  line<float> own({1, nan, nan, 2, 2}, select_scratch(5));
  own.compact(select_if<float, is_positive>, {1, 2, 2});
  line<float> other({1, nan, nan, 2, 2}, select_scratch(5));
  other.gpu.launch(unique<float>, tg::grid(1), other.x, other.y, other.count, other.scratch, 5u);
  CHECK(other.count.to_host().front() == 4);
}
