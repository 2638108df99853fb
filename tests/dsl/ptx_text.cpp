// The text of kernels that together use every word of the language, before all judges of tests/ptx/text_judge.hpp.
#include <doctest/doctest.h>

#include <tg/dsl.hpp>
#include <tg/dsl/kernel/lower.hpp>

#include "../ptx/text_judge.hpp"

namespace {

using tg::literals::operator""_c;

using s8 = signed char;
using u8 = unsigned char;
using s16 = short;
using u16 = unsigned short;
using s32 = int;
using u32 = unsigned;
using s64 = long long;
using u64 = unsigned long long;
using f32 = float;
using f64 = double;

template <class... T> struct list {};
using words = list<s32, u32, s64, u64>;
using numbers = list<s32, u32, s64, u64, f32, f64>;
using scalars = list<bool, s8, u8, s16, u16, s32, u32, s64, u64, f32, f64>;

template <class... T, class F> void for_each(list<T...>, F f) { (f(std::type_identity<T>{}), ...); }

template <class K> void check(const K& kernel) {
  const auto lowered = tg::lower(kernel);
  INFO(lowered.ptx);
  for (const auto& complaint : tg::ptx::test::text_complaints(lowered.module, lowered.ptx)) FAIL_CHECK(complaint);
}

template <class From, class... To> void check_casts(list<To...>) {
  check(tg::kernel<"casts">(tg::block<32>, [](auto block, tg::in<From> x, tg::out<To>... y) {
    const auto i = block.global_index();
    const auto from = tg::let(x(i));
    ((y(i) = tg::cast<To>(from)), ...);
  }));
}

template <class T> void check_words() {
  check(tg::kernel<"words">(tg::block<64>, [](auto block, tg::in<T> x, tg::inout<T> y, tg::scalar<T> s) {
    const auto i = block.global_index();
    const auto a = tg::let(x(i)), b = tg::let(y(i));
    y(i) = ((a + b) * s - a / b % s) ^ ((a & b) | ~s);
    y(i) = (a << 3) + (b >> 2) + (a / 10) + (b % 12) + tg::mul_high(a, b) + tg::reverse_bits(a);
    y(i) = tg::cast<T>(tg::popcount(a) + tg::leading_zeros(b));
    y(i) = tg::clamp(tg::min(a, b), tg::max(a, s), a * b + s) << tg::cast<u32>(b);
    if constexpr (std::is_signed_v<T>) y(i) = tg::abs(a) - -b;
    tg::if_((a < b && b <= s) || !(a == s || a > b) || a != s, [&] { y(i) = tg::select(a >= b, a, s); });
  }));
}

template <class T> void check_floats() {
  check(tg::kernel<"arithmetic">(tg::block<64>, [](auto block, tg::in<T> x, tg::inout<T> y, tg::scalar<T> s) {
    const auto i = block.global_index();
    const auto a = tg::let(x(i)), b = tg::let(y(i));
    y(i) = (a + b) * s - a / b - -s;
    y(i) = tg::clamp(tg::min(a, b), tg::max(a, s), tg::fma(a, b, s));
    y(i) = tg::rounded_mul(tg::rounded_add(a, b), tg::rounded_sub(a, s));
    y(i) = tg::floor(a) + tg::ceil(a) + tg::round_even(b) + tg::trunc(b) + tg::abs(a) + tg::copysign(a, b);
    y(i) = tg::sqrt(a) + tg::rsqrt(a) + tg::rcp(b);
    tg::if_((a < b && b <= s) || !(a == s || a > b) || a != s, [&] { y(i) = tg::select(a >= b, a, s); });
  }));
  check(tg::kernel<"functions">(tg::block<64>, [](auto block, tg::in<T> x, tg::out<T> y) {
    const auto i = block.global_index();
    const auto a = tg::let(x(i));
    y(i) = tg::exp(a) + tg::exp2(a) + tg::log(a) + tg::log2(a) + tg::log10(a) + tg::tanh(a);
  }));
  check(tg::kernel<"turns">(tg::block<64>, [](auto block, tg::in<T> x, tg::out<T> y) {
    const auto i = block.global_index();
    const auto [s, c] = tg::sincos(tg::let(x(i)));
    y(i) = s + c + tg::sin(s) + tg::cos(c);
  }));
}

template <class T, class Target> void apply_atomics(const Target& target, const tg::scalar<T>& s) {
  tg::atomic_add(target(), s);
  tg::atomic_add(target(), tg::atomic_exchange(target(), s));
  if constexpr (tg::is_integer<T>) {
    const auto a = tg::atomic_min(target(), s) + tg::atomic_max(target(), s);
    const auto b = tg::atomic_and(target(), a) + tg::atomic_or(target(), s) + tg::atomic_xor(target(), s);
    tg::atomic_compare_exchange(target(), b, s);
    target() = tg::atomic_compare_exchange(target(), a, b);
  }
}

template <class T> void check_atomics() {
  check(tg::kernel<"atomics">(tg::block<64>, [](auto block, tg::inout<T> y, tg::scalar<T> s) {
    const auto tile = tg::shared<T>(tg::shape<64>);
    const auto t = block.thread.x;
    tile(t) = y(t);
    block.sync();
    apply_atomics([&] { return tile(t); }, s);
    apply_atomics([&] { return y(block.global_index()); }, s);
    block.sync();
    y(t) = tile(t);
  }));
}

template <class T> void check_warp() {
  check(tg::kernel<"warps">(tg::block<64>, [](auto block, tg::inout<T> y, tg::out<u32> votes) {
    const auto i = block.global_index();
    const auto warp = block.warp();
    const auto a = tg::let(y(i));
    const auto b = warp.shuffle(a, 3) + warp.shuffle_down(a, 1) + warp.shuffle_up(a, 2) + warp.shuffle_xor(a, warp.index);
    warp.sync();
    y(i) = warp.sum(a) + warp.max(b) - warp.min(b) * warp.inclusive_sum(a);
    const auto any = warp.any(a < b);
    votes(i) = warp.ballot(a > b) + tg::select(any && warp.all(a != b), warp.lane, 7u);
  }));
}

template <class T, int N> void check_vectors() {
  check(tg::kernel<"vectors">(tg::block<32>, [](auto block, tg::in<T> x, tg::inout<T> y, tg::in2<T, tg::multiple_of<N>> m) {
    const auto tile = tg::shared<T>(tg::shape<4, 32 * N>, tg::pitch<36 * N>);
    const auto t = block.thread.x;
    const auto at = t * tg::constant<N>{};
    tile.template vec<N>(1_c, at) = m.template vec<N>(block.index.y, at);
    block.sync();
    const auto both = tg::map([](auto a, auto b) { return tg::select(tg::cast<u32>(a) != 0u, a, b); },
                              tile.template vec<N>(1_c, at), x.template vec<N>(at));
    y.template vec<N>(at) = both;
  }));
}

}  // namespace

TEST_CASE("casts between all scalar types") {
  tg::ptx::test::say_whether_ptxas_judges();
  for_each(scalars{}, []<class T>(std::type_identity<T>) { check_casts<T>(scalars{}); });
}

TEST_CASE("arithmetic, comparison and bits of every word") {
  for_each(words{}, []<class T>(std::type_identity<T>) { check_words<T>(); });
}

TEST_CASE("arithmetic and functions of floats") {
  for_each(list<f32, f64>{}, []<class T>(std::type_identity<T>) { check_floats<T>(); });
}

TEST_CASE("approximations and polynomials") {
  check(tg::kernel<"approximations">(tg::block<64>, [](auto block, tg::inout<float> y) {
    const auto i = block.global_index();
    const auto a = tg::let(y(i));
    y(i) = tg::approx::exp(a) + tg::approx::exp2(a) + tg::approx::log(a) + tg::approx::log2(a) + tg::approx::sin(a) +
           tg::approx::cos(a) + tg::approx::tanh(a) + tg::approx::sqrt(a) + tg::approx::rsqrt(a) + tg::approx::rcp(a) +
           tg::approx::div(a, 3.0f) + tg::approx::div_full(a, 7.0f);
  }));
}

TEST_CASE("bits of floats and funnels") {
  check(tg::kernel<"bits">(tg::block<64>, [](auto block, tg::inout<float> f, tg::inout<double> d, tg::inout<u64> w) {
    const auto i = block.global_index();
    const auto word = tg::bit_cast<u32>(f(i));
    f(i) = tg::bit_cast<float>(tg::funnel_shift_left(word, word ^ 1u, i) | tg::funnel_shift_right(word, i, 9u));
    w(i) = tg::bit_cast<u64>(d(i)) >> 3;
    d(i) = tg::bit_cast<double>(w(i));
  }));
}

TEST_CASE("atomics of every type, on tiles and views") {
  for_each(numbers{}, []<class T>(std::type_identity<T>) { check_atomics<T>(); });
}

TEST_CASE("shuffles, votes and warp reductions of every type") {
  for_each(numbers{}, []<class T>(std::type_identity<T>) { check_warp<T>(); });
}

TEST_CASE("vectors of every type") {
  for_each(list<s8, u8, s16, u16, s32, u32, f32>{}, []<class T>(std::type_identity<T>) { check_vectors<T, 4>(); });
  for_each(list<u16, u32, f32, s64, u64, f64>{}, []<class T>(std::type_identity<T>) { check_vectors<T, 2>(); });
}

TEST_CASE("control flow, registers and data as indices") {
  check(tg::kernel<"control">(
      tg::block<8, 4, 2>, [](auto block, tg::in<u32> at, tg::inout<float> y, tg::scalar<bool> on, tg::scalar<s32> rows) {
        const auto tile = tg::shared<float>(tg::shape<8, 8>, tg::swizzle<2, 0, 3>);
        const auto t = block.thread_index();
        tile(block.thread.z * 4 + block.thread.y, block.thread.x) = y(t);
        block.sync();
        tg::regs<float, 2, 2> sums = 0.0f;
        tg::unroll<2>([&](auto row) { tg::unroll<2>([&](auto column) { sums(row, column) += tile(row, column); }); });
        tg::var<u32> left = tg::let(at(t));
        tg::while_([&] { return left > 1u; },
                   [&] {
                     tg::if_(left % 2u == 0u, [&] { left >>= 1; }).else_([&] {
                       left = 3u * left + 1u;
                       tg::if_(on, [&] { sums(0, 1) += 1.0f; });
                     });
                   });
        tg::for_(tg::range(rows), [&](auto row) { sums(1, 0) += tg::cast<float>(row); });
        tg::for_(tg::range(rows, 0_c, -1_c),
                 [&](auto row) { tg::for_(tg::range(row), [&](auto column) { sums(1, 1) *= tg::cast<float>(column); }); });
        y(tg::scatter(left)) = sums(0, 0) + sums(0, 1) + sums(1, 0) + sums(1, 1) + y(tg::gather(left ^ 5u));
      }));
}
