// The device, buffers and launches.
#pragma once

#include <tg/runtime/device.hpp>
#include <tg/runtime/package.hpp>
