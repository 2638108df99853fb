// The language: everything a kernel is written with.
#pragma once

#include <tg/base/constant.hpp>
#include <tg/dsl/atomic.hpp>
#include <tg/dsl/block.hpp>
#include <tg/dsl/cast.hpp>
#include <tg/dsl/for_.hpp>
#include <tg/dsl/gather.hpp>
#include <tg/dsl/if_.hpp>
#include <tg/dsl/kernel.hpp>
#include <tg/dsl/let.hpp>
#include <tg/dsl/lower.hpp>
#include <tg/dsl/math.hpp>
#include <tg/dsl/regs.hpp>
#include <tg/dsl/scalar.hpp>
#include <tg/dsl/shared.hpp>
#include <tg/dsl/unroll.hpp>
#include <tg/dsl/var.hpp>
#include <tg/dsl/vec.hpp>
#include <tg/dsl/view.hpp>
#include <tg/dsl/while_.hpp>
