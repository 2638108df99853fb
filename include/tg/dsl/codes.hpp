// What the language and its analysis can say is wrong: TG100 to TG299.
#pragma once

#include <array>

#include <tg/base/code.hpp>

namespace tg {

/// Misuse of the language, found by the C++ compiler, or while a kernel is recorded (119, 121, 122).
inline constexpr auto language_codes = std::to_array<code_info>({
    {101, "the operands have different types", "f32 beside u32, or signed beside unsigned", "write tg::cast<T>(x)"},
    {102, "a C++ number has another type than the device value beside it", "2.0 or 2 beside float",
     "write 2.0f beside float, 2.0 beside double, 2 or 2_c beside integers"},
    {103, "a stored value has another type than its destination", "a double stored to float, a comparison stored to float",
     "write tg::cast<T>(x)"},
    {104, "a condition is not a bool", "a number where C++ would compare with 0", "write x != 0"},
    {105, "a read-only view is written", "the parameter is tg::in", "declare it tg::out or tg::inout"},
    {106, "a write-only view is read", "the parameter is tg::out", "declare it tg::inout"},
    {109, "an index is not a 32 or 64 bit integer", "a float or a byte as an index, or 64 bits for a row or column",
     "write tg::cast<unsigned>(x)"},
    {110, "the operation is not defined for the type", "arithmetic on bytes, % or & on floats, sqrt of an integer",
     "write tg::cast<T>(x) first"},
    {111, "there is no vector access of that width", "3 elements, or more than 16 bytes", "use 2 or 4 elements of 16 bytes at most"},
    {112, "the lambda is no kernel", "a pointer, a reference or auto as a parameter",
     "take (auto block, tg::in, tg::out, tg::inout, tg::in2, tg::out2, tg::inout2, tg::scalar ...) by value"},
    {113, "the block has an impossible shape", "more than 1024 threads, or more than 64 in z", "use a smaller block"},
    {114, "C++ control flow on a device value", "if, while, && or ?: on a value that is known only while the kernel runs",
     "write tg::if_, tg::while_ or tg::select"},
    {116, "the number of indices is not the rank", "one index for a matrix, or two for a vector", "write one index per dimension"},
    {117, "a warp collective in a block of partial warps", "the number of threads is not a multiple of 32",
     "make it a multiple of 32"},
    {118, "the hardware has no such atomic for the type", "the minimum of floats, anything on bytes",
     "use another type, or atomic_compare_exchange"},
    {119, "an index is outside the registers or the vector", "a constant past the end, or an index known only while the kernel runs",
     "use constants inside the extents"},
    {120, "tg::cast to what is not a number", "a struct or a pointer as the target", "cast to bool, an integer, float or double"},
    {121, "a device value is used outside a kernel", "a value, variable or tile outlives the lambda, or is made without one",
     "use them only inside the lambda given to tg::kernel"},
    {122, "a C++ number does not fit the device type it meets", "a negative number beside unsigned, a large one beside a byte",
     "use a number of that type, or cast the device value"},
    {123, "the layout does not fit the tile", "a pitch below the row length, a swizzle with a period the tile is no multiple of",
     "use a larger pitch, a smaller swizzle, or a tile of another shape"},
    {124, "a tile is larger than static shared memory", "more than 48 KB", "use a smaller tile"},
    {125, "tg::unroll with a negative count", "a computed count that went below 0", "use a count of 0 or more"},
    {126, "a contract that cannot be kept", "tg::aligned of no power of two, tg::multiple_of 0 or on a float",
     "promise a power of two, or a positive divisor of an integer"},
    {130, "a launch has another number of arguments than the kernel", "one is left out, or a scalar is passed that is a constant",
     "pass one argument per parameter"},
    {131, "an argument of a launch has the wrong type", "a buffer of other elements, a buffer for a matrix, a double for a float",
     "pass what the message says is expected"},
    {132, "a stream's state does not allow this", "work on an idle or submitted stream, waiting for one that takes work",
     "begin() or capture() an idle stream, submit() a recording one, wait() for a submitted one"},
    {133, "a stream changes its state without being handed on", "stream.submit() instead of std::move(stream).submit()",
     "write std::move(stream) and use what comes back"},
});

/// Findings about memory accesses, by the C++ compiler, or while a kernel is recorded where C++ integers take part.
inline constexpr auto analysis_codes = std::to_array<code_info>({
    {201, "bank conflict in shared memory", "a column of a tile whose rows are a multiple of 32 words apart",
     "give the tile tg::pitch or tg::swizzle, as the message says"},
    {202, "uncoalesced access to global memory", "neighbouring lanes touch elements that are far apart",
     "let neighbouring lanes (thread.x) touch neighbouring elements, or go through shared memory"},
    {203, "a vector access is not provably aligned", "an index that is no multiple of the width, rows of any length",
     "multiply the index by the width, promise tg::multiple_of on the leading dimension or tg::aligned on the view"},
    {204, "the lanes of an index are not known", "it comes from memory or a variable, or divides by a number known at run time",
     "write tg::gather(index) to read, tg::scatter(index) to write"},
    {205, "only TG201 and TG202 can be excused", "tg::allow of another code", "mend the access"},
    {206, "an excuse without a reason", "tg::allow with an empty text", "say why the access may be slow"},
});

}  // namespace tg
