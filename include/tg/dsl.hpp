// The language: everything a kernel is written with.
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/dsl/verdict/diagnosis.hpp>

#include <tg/base/constant.hpp>
#include <tg/dsl/block/block.hpp>
#include <tg/dsl/flow/break_.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/flow/lazy.hpp>
#include <tg/dsl/flow/return_.hpp>
#include <tg/dsl/flow/switch_.hpp>
#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/kernel/to_ptx.hpp>
#include <tg/dsl/math/approx.hpp>
#include <tg/dsl/math/exp.hpp>
#include <tg/dsl/math/log.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/math/polynomial.hpp>
#include <tg/dsl/math/reciprocal.hpp>
#include <tg/dsl/math/rounded.hpp>
#include <tg/dsl/math/sign.hpp>
#include <tg/dsl/math/tanh.hpp>
#include <tg/dsl/math/trigonometry.hpp>
#include <tg/dsl/memory/atomic.hpp>
#include <tg/dsl/memory/length.hpp>
#include <tg/dsl/memory/scalar.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/memory/view.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/value/bits.hpp>
#include <tg/dsl/value/cast.hpp>
#include <tg/dsl/value/gather.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/dsl/vector/regs.hpp>
#include <tg/dsl/vector/vec.hpp>
