// The PTX intermediate representation: build, check, optimize, print, parse.
#pragma once

#include <tg/ptx/builder.hpp>
#include <tg/ptx/canonical.hpp>
#include <tg/ptx/codes.hpp>
#include <tg/ptx/effect.hpp>
#include <tg/ptx/forms.hpp>
#include <tg/ptx/liveness.hpp>
#include <tg/ptx/module.hpp>
#include <tg/ptx/optimize.hpp>
#include <tg/ptx/parse.hpp>
#include <tg/ptx/pressure.hpp>
#include <tg/ptx/print.hpp>
#include <tg/ptx/requirements.hpp>
#include <tg/ptx/type.hpp>
#include <tg/ptx/verify.hpp>
