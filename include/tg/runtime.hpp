// Devices, memory, launches, streams, events, graphs, modules and packages.
#pragma once

#include <tg/runtime/capture.hpp>
#include <tg/runtime/device.hpp>
#include <tg/runtime/event.hpp>
#include <tg/runtime/executable_graph.hpp>
#include <tg/runtime/function.hpp>
#include <tg/runtime/graph.hpp>
#include <tg/runtime/managed.hpp>
#include <tg/runtime/mdspan.hpp>
#include <tg/runtime/module.hpp>
#include <tg/runtime/nvtx.hpp>
#include <tg/runtime/package.hpp>
#include <tg/runtime/peer.hpp>
#include <tg/runtime/pinned.hpp>
#include <tg/runtime/pool.hpp>
#include <tg/runtime/prepared.hpp>
#include <tg/runtime/stream.hpp>
#include <tg/runtime/variants.hpp>
