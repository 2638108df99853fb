// The device, buffers and launches.
#pragma once

#include <tg/runtime/device.hpp>
