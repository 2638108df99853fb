// What an operation makes of values that are evenly spaced over a block's threads.
#pragma once

#include <cstdint>

namespace tg::emulator {

/// What an operation makes of even values. One that is none of these keeps uniform values uniform, as all do.
enum class pattern_rule : std::uint8_t {
  none,
  linear,            // even if all sources are
  product,           // a * b (+ c): also one of a and b uniform
  shift,             // a << b: also b uniform
  widen_signed,      // also a not wrapping anywhere in the block
  widen_unsigned,    //
  wide_signed,       // a * b: one of both uniform, the other not wrapping
  wide_unsigned,     //
  less_signed,       // uniform where the extremes of both sources decide
  less_unsigned,     //
  less_64,           //
  at_most_signed,    //
  at_most_unsigned,  //
  at_most_64,        //
  equal,             // also where one thread at either end of the block differs from the others
  not_equal,         //
};

}  // namespace tg::emulator
