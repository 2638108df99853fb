// The CUDA driver: its functions, its errors, and how it is opened.
#pragma once

#include <tg/driver/call.hpp>
#include <tg/driver/libcuda.hpp>
