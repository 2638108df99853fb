// The hardware model: what one warp request costs, computed from what is known about its index.
#pragma once

#include <tg/analysis/advice.hpp>
#include <tg/analysis/alignment.hpp>
#include <tg/analysis/arithmetic.hpp>
#include <tg/analysis/bitwise.hpp>
#include <tg/analysis/canonical.hpp>
#include <tg/analysis/choice.hpp>
#include <tg/analysis/division.hpp>
#include <tg/analysis/global.hpp>
#include <tg/analysis/lane_value.hpp>
#include <tg/analysis/request.hpp>
#include <tg/analysis/shared.hpp>
#include <tg/analysis/warp.hpp>
