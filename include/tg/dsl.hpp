// The language: everything a kernel is written with.
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/dsl/diagnosis.hpp>

#include <tg/base/constant.hpp>
#include <tg/dsl/approx.hpp>
#include <tg/dsl/atomic.hpp>
#include <tg/dsl/bit_cast.hpp>
#include <tg/dsl/bits.hpp>
#include <tg/dsl/block.hpp>
#include <tg/dsl/break_.hpp>
#include <tg/dsl/cast.hpp>
#include <tg/dsl/exp.hpp>
#include <tg/dsl/for_.hpp>
#include <tg/dsl/gather.hpp>
#include <tg/dsl/if_.hpp>
#include <tg/dsl/kernel.hpp>
#include <tg/dsl/lazy.hpp>
#include <tg/dsl/length.hpp>
#include <tg/dsl/let.hpp>
#include <tg/dsl/log.hpp>
#include <tg/dsl/math.hpp>
#include <tg/dsl/polynomial.hpp>
#include <tg/dsl/reciprocal.hpp>
#include <tg/dsl/regs.hpp>
#include <tg/dsl/return_.hpp>
#include <tg/dsl/rounded.hpp>
#include <tg/dsl/scalar.hpp>
#include <tg/dsl/shared.hpp>
#include <tg/dsl/sign.hpp>
#include <tg/dsl/switch_.hpp>
#include <tg/dsl/tanh.hpp>
#include <tg/dsl/to_ptx.hpp>
#include <tg/dsl/trigonometry.hpp>
#include <tg/dsl/unroll.hpp>
#include <tg/dsl/var.hpp>
#include <tg/dsl/vec.hpp>
#include <tg/dsl/view.hpp>
#include <tg/dsl/while_.hpp>
