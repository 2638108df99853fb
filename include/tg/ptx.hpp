// The PTX intermediate representation: build, check, optimize, print, parse.
#pragma once

#include <tg/ptx/codes.hpp>
#include <tg/ptx/forms/forms.hpp>
#include <tg/ptx/forms/requirements.hpp>
#include <tg/ptx/ir/builder.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/ir/type.hpp>
#include <tg/ptx/meaning/effect.hpp>
#include <tg/ptx/parse/canonical.hpp>
#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/passes/optimize.hpp>
#include <tg/ptx/print/print.hpp>
#include <tg/ptx/registers/liveness.hpp>
#include <tg/ptx/registers/pressure.hpp>
#include <tg/ptx/verify/verify.hpp>
