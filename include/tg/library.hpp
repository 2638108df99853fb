// The whole library as one source file of a program: what files that are compiled with TG_COMPILED defined leave out, and the
// emulator. Included once per program, with nothing before it, or compiled by itself:
//   g++ -std=c++20 -O2 -I tg/include -c -x c++ tg/include/tg/library.hpp -o tg.o
#ifdef TG_LIBRARY_FUNCTION
#error "compile <tg/library.hpp> as a source file of its own: another header of tg was included before it"
#endif
#undef TG_COMPILED
#define TG_BUILDS_LIBRARY

#include <tg/emulator.hpp>
#include <tg/explain.hpp>
#include <tg/tg.hpp>

#include <tg/dsl/cost/cost.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/runtime/embed.hpp>
#include <tg/runtime/telemetry.hpp>

#undef TG_BUILDS_LIBRARY
