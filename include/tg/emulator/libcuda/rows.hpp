// Every exported function, one row each. Included once per use.
#include <tg/emulator/libcuda/device_rows.hpp>
#include <tg/emulator/libcuda/graph_rows.hpp>
#include <tg/emulator/libcuda/memory_rows.hpp>
#include <tg/emulator/libcuda/stream_rows.hpp>
#include <tg/emulator/libcuda/texture_rows.hpp>
