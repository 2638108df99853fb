// Runs a function of two numbers over many pairs, as accuracy.hpp does for one.
#pragma once

#include <algorithm>
#include <utility>

#include "accuracy.hpp"

namespace accuracy {

/// z(i) = f(x(i), x(i + n)), lowered.
template <class T, class F> tg::lowered_kernel lowered_of_two(F f) {
  return tg::lower(tg::kernel<"pairs">(tg::block<256>, [f](auto block, tg::in<T> x, tg::out<T> z, tg::scalar<unsigned> n) {
    const auto i = tg::let(block.global_index());
    tg::if_(i < n, [&] { z(i) = f(tg::let(x(i)), tg::let(x(i + n))); });
  }));
}

/// All pairs of special numbers, and pairs of samples in another order.
template <class T> std::pair<std::vector<T>, std::vector<T>> pairs(double low, double high) {
  using limits = std::numeric_limits<T>;
  std::vector<T> special;
  for (const T v :
       {T{0}, limits::denorm_min(), limits::min(), T(0.5), T{1}, T{2}, T{3}, T(2.5), T{4}, T{101}, T{1 << 20}, limits::max(),
        limits::infinity(), limits::quiet_NaN(), T(1 / limits::epsilon()), T(2 / limits::epsilon()), T(0.41421356)})
    for (const T w : {v, -v, std::nextafter(v, T{0}), std::nextafter(v, limits::infinity())}) special.push_back(w);
  std::pair<std::vector<T>, std::vector<T>> out;
  for (const T a : special)
    for (const T b : special) out.first.push_back(a), out.second.push_back(b);
  std::vector<T> x = samples<T>(low, high), y = x;
  std::mt19937_64 random(7);
  std::shuffle(y.begin(), y.end(), random);
  for (std::size_t k = 0; k < x.size(); k += sizeof(T) == 4 ? 4 : 1) out.first.push_back(x[k]), out.second.push_back(y[k]);
  return out;
}

template <class T> std::vector<T> run_of_two(const std::string& ptx, const std::pair<std::vector<T>, std::vector<T>>& in) {
  std::vector<T> all = in.first, out(in.first.size());
  all.insert(all.end(), in.second.begin(), in.second.end());
  run(ptx, all.data(), all.size() * sizeof(T), out.data(), out.size() * sizeof(T), out.size());
  return out;
}

struct finding_of_two { double ulps = 0, first = 0, second = 0; };

template <class T, class Oracle>
finding_of_two worst(const std::pair<std::vector<T>, std::vector<T>>& in, const std::vector<T>& z, Oracle oracle) {
  finding_of_two out;
  for (std::size_t i = 0; i < z.size(); ++i)
    if (const double u = ulps(z[i], oracle(static_cast<wider<T>>(in.first[i]), static_cast<wider<T>>(in.second[i])));
        u > out.ulps)
      out = {u, static_cast<double>(in.first[i]), static_cast<double>(in.second[i])};
  return out;
}

/// f is within `bound` ulp of the oracle over pairs of numbers, and assembles; with one wrong coefficient it is not, but for
/// `negligible` low words.
template <class T, class F, class Oracle>
void check_of_two(F f, Oracle oracle, double bound, double low, double high, int negligible = 0) {
  const auto kernel = lowered_of_two<T>(f);
  const auto in = pairs<T>(low, high);
  const finding_of_two found = worst(in, run_of_two<T>(kernel.ptx, in), oracle);
  INFO("at ", found.first, ", ", found.second);
  CHECK(found.ulps <= bound);
  CHECK(complaints_about(kernel.ptx) == "");

  std::pair<std::vector<T>, std::vector<T>> fewer;
  for (std::size_t i = 0; i < in.first.size(); i += 8) fewer.first.push_back(in.first[i]), fewer.second.push_back(in.second[i]);
  int unseen = 0;
  for (const std::string& defect : with_one_wrong_coefficient(kernel.module))
    unseen += worst(fewer, run_of_two<T>(defect, fewer), oracle).ulps <= bound;
  CHECK(unseen <= negligible);
}

}  // namespace accuracy
