// What the emulator can say is wrong: TG400 to TG499.
#pragma once

#include <array>

#include <tg/base/code.hpp>

namespace tg::emulator {

inline constexpr code not_supported{400};
inline constexpr code unresolved_name{401};
inline constexpr code out_of_bounds{402};
inline constexpr code misaligned{403};
inline constexpr code outside_shared{404};
inline constexpr code outside_local{405};
inline constexpr code outside_parameters{406};
inline constexpr code use_after_free{407};
inline constexpr code null_access{408};
inline constexpr code constant_write{409};
inline constexpr code divergent_barrier{420};
inline constexpr code deadlock{421};
inline constexpr code barrier_counts_differ{422};
inline constexpr code bad_barrier{423};
inline constexpr code not_a_member{424};
inline constexpr code watchdog{425};
inline constexpr code trapped{430};
inline constexpr code bad_block{431};
inline constexpr code empty_grid{432};
inline constexpr code missing_parameters{433};
inline constexpr code wrong_block{434};
inline constexpr code out_of_memory{440};
inline constexpr code bad_release{441};
inline constexpr code bad_range{442};
inline constexpr code not_written{480};

inline constexpr auto codes = std::to_array<code_info>({
    {400, "the emulator does not run an instruction", "textures, matrix instructions or recursion in the PTX",
     "use another form of it, or run the kernel on a GPU"},
    {401, "a variable or function is defined nowhere", "a device library was not linked in",
     "define it in the same module"},
    {402, "an access is outside every allocation", "an index is not compared with the number of elements",
     "guard the access, or make the buffer larger"},
    {403, "an access is misaligned", "a vector access at an odd element, or a byte offset",
     "align the address to the whole access, or use a narrower one"},
    {404, "an access is outside the block's shared memory", "an index is too large, or dynamic shared memory too small",
     "check the index, or ask for more at launch"},
    {405, "an access is outside the thread's local memory", "an index into a local array is too large",
     "check the index against the size of the array"},
    {406, "an access is outside the kernel's parameters", "an index into a parameter is too large",
     "check the index against the size of the parameter"},
    {407, "an access after the buffer was released", "a buffer ended before the last kernel that uses it",
     "keep the buffer alive"},
    {408, "an access through a null pointer", "a pointer parameter was given no buffer", "pass a buffer"},
    {409, "a write to constant memory or to a parameter", "a generic pointer leads there", "write to a buffer"},
    {420, "lanes of a warp are at different barriers", "a barrier in a divergent branch", "move the barrier out of it"},
    {421, "deadlock: no thread can run", "some threads skip a barrier, or a member mask names lanes that never come",
     "let every thread reach it"},
    {422, "a barrier is reached with different counts", "its uses disagree on how many threads take part",
     "give all of them the same count"},
    {423, "a barrier's number or count is not legal", "a number past 15, or a count that is no multiple of 32",
     "use barriers 0 to 15 and whole warps"},
    {424, "a lane is not in its own member mask", "the mask was computed for other lanes",
     "name every lane that runs it"},
    {425, "a kernel does not end", "a loop without end, or blocks that wait for blocks that cannot run",
     "find the loop, or raise options::watchdog_instructions"},
    {430, "a trap stopped the kernel", "an assertion of the kernel failed", "see the kernel's source"},
    {431, "a block of no or too many threads", "more than 1024 threads per block", "use 1 to 1024"},
    {432, "an empty grid", "an extent of zero", "launch at least one block"},
    {433, "too few bytes of parameters", "an argument is missing", "pass every parameter"},
    {434, "a block shape that the kernel excludes", "it has .reqntid or .maxntid",
     "launch it with the shape it was written for"},
    {440, "the emulated device is out of memory", "buffers are alive that nobody needs",
     "release buffers, or give the device more memory"},
    {441, "a release of what is not allocated", "a buffer was released twice", "release each allocation once"},
    {442, "a copy outside an allocation", "a wrong address or size", "check the address and the size of the copy"},
    {480, "a file that the environment asks for cannot be written", "a folder that is not there or not writable",
     "name one that can be written, or unset the variable"},
});

}  // namespace tg::emulator
