#include <tg/dsl/index/evaluate.hpp>

#include <doctest/doctest.h>

using namespace tg::index;
namespace analysis = tg::analysis;
using tx = single<thread<'x', 32, 8, 1>>;
using ty = single<thread<'y', 32, 8, 1>>;
using u = single<uniform<4>>;
template <class A, class B, bool S = false> using over = node<A, B, quotient<A, B, S>>;
template <class A, class B> using shifted = node<A, B, shift_right<A, B, false>>;

static_assert(evaluate<tx>(3) == analysis::thread_coordinate({32, 8}, analysis::axis::x, 3));
static_assert(evaluate<plus<times<ty, number<32>>, tx>>(2).offset[5] == 69);
static_assert(evaluate<minus<tx, tx>>(0) == analysis::constant(0));
static_assert(block_of<plus<number<3>, times<ty, u>>> == analysis::block_extent{32, 8, 1});
static_assert(block_of<u> == analysis::block_extent{32, 1, 1}, "without a coordinate all lanes are alike");

// A difference of unknowns is some multiple of what divides both, and may be negative.
static_assert(evaluate<minus<u, u>>(0).divisor == 4 && evaluate<minus<u, u>>(0).maybe_negative);
static_assert(evaluate<minus<times<tx, u>, times<tx, u>>>(0).stride_count == 2);

// Below 0 an unsigned number is a large one, so that its quotient is not known; a signed one is what C++ says.
using below = minus<tx, number<5>>;
static_assert(!evaluate<over<below, number<2>>>(0).known && !evaluate<shifted<below, number<1>>>(0).known);
static_assert(evaluate<over<below, number<2>, true>>(0).offset[0] == -2 &&
              evaluate<over<below, number<2>, true>>(0).offset[4] == 0);
static_assert(!evaluate<node<below, number<9>, minimum<below, number<9>, false>>>(0).known);
static_assert(evaluate<node<below, number<9>, minimum<below, number<9>, true>>>(0).known);

// Lanes that do not fit 32 bits have wrapped; sums and masks of them are what is left, all else is not known.
using hashed = times<tx, number<2654435761>>;
static_assert(!evaluate<hashed>(0).known && !evaluate<shifted<hashed, number<24>>>(0).known &&
              !evaluate<over<hashed, number<3>>>(0).known);
static_assert(evaluate<node<hashed, number<31>, bit_and<hashed, number<31>>>>(0).offset[3] == (3 * 2654435761 & 31));
static_assert(evaluate<times<tx, number<100000000>>>(0).known);
static_assert(!evaluate<over<times<tx, number<100000000>>, number<3>, true>>(0).known,
              "beyond 2^31 a signed number is negative");

// Division by a number known at run time.
static_assert(!evaluate<over<tx, u>>(0).known && evaluate<over<u, u>>(0).known);

// A loop below a constant is a set of bits for a swizzle, a multiple of its step elsewhere.
using counter = single<steps<number<8>, 32>>;
static_assert(evaluate<counter>(0).divisor == 8 && evaluate<counter>(0).xor_bits == 0);
static_assert(evaluate_limited<counter>(0).xor_bits == 24 && evaluate_limited<single<steps<number<3>, 32>>>(0).xor_bits == 31);
static_assert(evaluate_limited<single<steps<number<8>>>>(0).divisor == 8);

TEST_CASE("values at run time are those of the compiler") {
  for (int warp = 0; warp < 8; ++warp) {
    const auto lanes = evaluate<plus<times<ty, number<32>>, tx>>(warp);
    for (int l = 0; l < 32; ++l) CHECK(lanes.offset[static_cast<std::size_t>(l)] == warp * 32 + l);
  }
}
