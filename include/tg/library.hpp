// The functions that the headers of tg declare, the emulator's among them; those of arrays are in <tg/array_library.hpp>. One
// source file of a program includes this header, in front of others or behind them; best a file of its own, which is compiled
// once.
#pragma once

#include <tg/gpu_library.hpp>

#include <tg/emulator/counters/counters_json.inl>
#include <tg/emulator/decode/program.inl>
#include <tg/emulator/driver_table/driver_table.inl>
#include <tg/emulator/lanes/vector_unit.inl>
#include <tg/emulator/launch/json.inl>
#include <tg/emulator/run/run.inl>
#include <tg/explain/explain.inl>
#include <tg/explain/index.inl>
#include <tg/explain/to_html.inl>
#include <tg/explain/to_text.inl>
