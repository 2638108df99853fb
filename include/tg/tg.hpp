// All of tg.
#pragma once

#include <tg/dsl.hpp>
#include <tg/runtime.hpp>
