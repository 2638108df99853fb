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
inline constexpr code outside_variable{410};
inline constexpr code unwritten_read{413};
inline constexpr code shared_race{416};
inline constexpr code global_race{417};
inline constexpr code narrow_scope{418};
inline constexpr code leaked{419};
inline constexpr code divergent_barrier{420};
inline constexpr code deadlock{421};
inline constexpr code barrier_counts_differ{422};
inline constexpr code bad_barrier{423};
inline constexpr code not_a_member{424};
inline constexpr code watchdog{425};
inline constexpr code exited_before_barrier{426};
inline constexpr code barriers_differ{427};
inline constexpr code absent_lane{428};
inline constexpr code trapped{430};
inline constexpr code bad_block{431};
inline constexpr code empty_grid{432};
inline constexpr code missing_parameters{433};
inline constexpr code wrong_block{434};
inline constexpr code out_of_memory{440};
inline constexpr code bad_release{441};
inline constexpr code bad_range{442};
inline constexpr code bad_environment{443};
inline constexpr code mbarrier_missing{450};
inline constexpr code mbarrier_twice{451};
inline constexpr code mbarrier_overfull{452};
inline constexpr code mbarrier_range{453};
inline constexpr code mbarrier_overwritten{454};
inline constexpr code bad_bulk_copy{455};
inline constexpr code outside_cluster{456};
inline constexpr code unfinished_copy{457};
inline constexpr code bad_cluster{458};
inline constexpr code cluster_barrier{459};
inline constexpr code part_of_warp{460};
inline constexpr code outside_tile{461};
inline constexpr code bad_call{465};
inline constexpr code assertion_failed{466};
inline constexpr code stack_overflow{467};
inline constexpr code bad_free{468};
inline constexpr code bad_table_index{469};
inline constexpr code defined_twice{470};
inline constexpr code not_written{480};

inline constexpr auto codes = std::to_array<code_info>({
    {400, "the emulator does not run an instruction", "textures or surfaces in the PTX",
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
    {410, "an access leaves the variable it was aimed at",
     "an index past the end of one shared or local array, into its neighbour",
     "check the index against the size of the array"},
    {413, "a read of memory that nothing wrote",
     "a buffer that was filled in part, or a shared array before its first store", "write it first"},
    {416, "a race in shared memory", "a barrier is missing between a store and a load of another thread",
     "put a barrier between them"},
    {417, "a race in global memory",
     "blocks share data without fence and atomic flag, or mix plain accesses with atomics",
     "make both atomic, order them, or use two launches"},
    {418, "a scope of one block is used between blocks",
     "an atomic with .cta, such as atomicAdd_block, on data of the grid", "use the scope .gpu"},
    {419, "an allocation was never released", "a buffer outlives its context", "release it"},
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
    {426, "threads have exited before a barrier of their block", "a return above a __syncthreads",
     "guard the work and let every thread reach it"},
    {427, "threads of a block complete one barrier at different instructions",
     "a __syncthreads in each of two branches, or one that some threads skip", "let all threads run the same barrier"},
    {428, "a shuffle reads from a lane that does not run it",
     "a mask or a block smaller than the warp, or a divergent branch", "let the lane that is read take part"},
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
    {443, "a TG_EMULATOR_ variable has a value that means nothing", "a misspelt checker or a number that is none",
     "correct or unset it"},
    {450, "an mbarrier is used that nobody initialised", "mbarrier.init is missing, or others may run before it",
     "initialise it in one thread, then synchronise the block"},
    {451, "an mbarrier is initialised twice", "memory is used again, or every thread initialises it",
     "initialise it in one thread; run mbarrier.inval before its memory is used again"},
    {452, "more threads arrive at an mbarrier than a phase needs", "mbarrier.init was given another number of threads",
     "give it the number of arrivals of each phase"},
    {453, "an mbarrier's count is out of range", "more than 1048575 arrivals or bytes in a phase",
     "expect the bytes of one phase only"},
    {454, "an mbarrier was overwritten", "ordinary stores reach its 8 bytes", "keep other data away from it"},
    {455, "an asynchronous bulk copy cannot be done", "a size that is no multiple of 16, or what is no tensor map",
     "see the message for the rule that is broken"},
    {456, "an access to shared memory of a block that is not there",
     "a rank outside the cluster, or a block that ended", "end the kernel with a barrier of the cluster"},
    {457, "a block ends while its shared memory is still read", "bulk stores that nobody waits for",
     "wait for the last group with cp.async.bulk.wait_group.read"},
    {458, "a launch with clusters, or a cooperative one, that a device refuses",
     "a grid that is no multiple of the cluster, or too large", "change the extents of the grid or of the cluster"},
    {459, "the barrier of a cluster is used out of turn", "an arrive or a wait is missing",
     "pair each barrier.cluster.arrive with one barrier.cluster.wait"},
    {460, "a matrix instruction is run by part of a warp", "it is in a divergent branch, or lanes have exited",
     "let all lanes of the warp, or of the warp group, run it"},
    {461, "a matrix descriptor leads outside shared memory", "a wrong start, leading or stride offset",
     "check the descriptor's fields and the size of the tile"},
    {465, "a call of an address where no fitting function is",
     "a function pointer that was never set, or has another type", "look where the pointer was written"},
    {466, "an assertion of a kernel failed", "an assumption of the kernel does not hold", "see the text and the line"},
    {467, "a thread's stack overflowed", "recursion without end, or a large alloca",
     "end the recursion earlier, or raise options::stack_bytes"},
    {468, "a kernel freed what malloc did not return", "a block was freed twice", "free each block once"},
    {469, "a branch through a table has an index past its end", "the index was not compared with the table's size",
     "guard the branch"},
    {470, "two linked modules define one name", "a function or variable is visible in both",
     "make it visible in one of them only"},
    {480, "a file that the environment asks for cannot be written", "a folder that is not there or not writable",
     "name one that can be written, or unset the variable"},
});

}  // namespace tg::emulator
