// What the runtime can say is wrong: TG520 to TG589.
#pragma once

#include <array>

#include <tg/base/code_info.hpp>

namespace tg::runtime {

inline constexpr code device_wish{520};
inline constexpr code grid_size{521};
inline constexpr code block_size{522};
inline constexpr code empty_buffer{523};
inline constexpr code foreign_buffer{524};
inline constexpr code misaligned_base{525};
inline constexpr code broken_contract{526};
inline constexpr code scalar_range{527};
inline constexpr code copy_range{528};
inline constexpr code size_overflow{529};
inline constexpr code matrix_shape{530};
inline constexpr code aliased_views{531};
inline constexpr code object_gone{532};
inline constexpr code capture_forbidden{533};
inline constexpr code capture_not_joined{534};
inline constexpr code foreign_node{535};
inline constexpr code graph_changed{536};
inline constexpr code event_without_time{537};
inline constexpr code stream_priority{538};
inline constexpr code no_peer{539};
inline constexpr code host_memory_refused{540};
inline constexpr code not_supported{541};
inline constexpr code variable_size{542};
inline constexpr code function_limit{543};
inline constexpr code pageable_capture{544};
inline constexpr code host_call_forbidden{545};
inline constexpr code object_of_reset{546};
inline constexpr code process_forked{547};
inline constexpr code load_option{550};
inline constexpr code ptx_text{551};
inline constexpr code package_file{552};
inline constexpr code package_damaged{553};
inline constexpr code package_signature{554};

inline constexpr code pool_exhausted{565};
inline constexpr code short_view{566};
inline constexpr code shared_size{567};
inline constexpr code not_resident{568};
inline constexpr code cluster_shape{569};
inline constexpr code launch_feature{570};
inline constexpr code launch_option_range{571};
inline constexpr code row_stride{572};
inline constexpr code block_reach{573};
inline constexpr code no_emulator{574};
inline constexpr code map_address{575};
inline constexpr code map_stride{576};
inline constexpr code map_extent{577};
inline constexpr code overlap_without_wait{578};

inline constexpr auto codes = std::to_array<code_info>({
    {520, "the device asked for is not understood", "TG_DEVICE is misspelt", "write emulator, gpu or gpu:1"},
    {521, "the grid is empty or too large", "a size of zero, a negative size, or y and z swapped with x",
     "launch at least one element; put the longest extent into x"},
    {522, "the kernel cannot run with this block", "too many threads or registers for the device", "use a smaller block"},
    {523, "a view got an empty buffer", "a buffer of no elements, or one that was moved from",
     "give it a buffer with elements"},
    {524, "a buffer, an event or a graph belongs to another device", "two devices are in use",
     "use those of the device that does the work"},
    {525, "a buffer does not begin where its view promises", "a part of a buffer begins at an odd element",
     "begin at a multiple, or declare the view with tg::aligned<...>"},
    {526, "an argument breaks a contract of its parameter", "the size is not padded, or larger than tg::at_most says",
     "pad it, or launch a kernel without the contract"},
    {527, "a number does not fit the kernel's parameter", "a size beyond 32 bits, or a negative number",
     "check the number, or give the kernel a wider parameter"},
    {528, "a copy reaches past the end of a buffer", "first + count is larger than the size", "copy fewer elements"},
    {529, "a buffer is larger than any memory", "a size that was computed from a negative number", "check the size"},
    {530, "a matrix does not fit its buffer", "rows and columns swapped, or a leading dimension below the columns",
     "check rows * leading dimension against the buffer's size"},
    {531, "a tg::in view shares elements with a view that is written", "a kernel is used in place",
     "declare one tg::inout parameter for both"},
    {532, "an object is used after it was moved from", "a stream, event, graph or module was handed on with std::move",
     "use the object that it was moved to"},
    {533, "a call would break a capture", "a copy, a launch without a stream or a synchronisation while a stream is captured",
     "do it before the capture or after, or capture a non-blocking stream"},
    {534, "a captured stream was not joined", "a stream that was forked inside a capture", "join it before the capture ends"},
    {535, "a node is of another graph", "nodes of two graphs were mixed, or the graph was instantiated before the node",
     "use nodes of the graph that was instantiated"},
    {536, "a graph cannot replace the one that was instantiated", "another number, order or kind of nodes",
     "instantiate it anew"},
    {537, "an event has no time", "it was not recorded, or was made without timing", "record both events, made with timing"},
    {538, "the device has no streams of this priority", "a priority of another device, or one above 0",
     "use one of the range in the message"},
    {539, "two devices cannot reach each other's memory", "no link between them, or an emulator beside a GPU",
     "copy through the host"},
    {540, "host memory cannot be registered", "it is empty or registered already", "register each range once"},
    {541, "the device lacks a feature", "managed memory or peers on a device without", "ask limits() first"},
    {542, "a variable of a module has another size", "the type differs from what the PTX declares", "compare the declarations"},
    {543, "a function cannot be set up this way", "more dynamic shared memory than a block can have",
     "ask limits() for the most"},
    {544, "a capture would keep plain host memory", "a vector is copied on a captured stream and read again at each replay",
     "use tg::pinned memory that outlives the graph"},
    {545, "the driver is called in a function that the driver calls", "a launch or a copy inside of stream.call(function)",
     "set a flag or wake a thread there, and call tg from that thread"},
    {546, "an object was made before its device was reset",
     "a buffer, a stream or a copy of the device is kept over tg::device::reset", "make buffers, streams and devices anew"},
    {547, "the process was forked after the driver was started", "fork without exec, as Python's multiprocessing does on Linux",
     "fork before the first tg::device, or start another program; in Python: the start method 'spawn'"},
    {550, "a load option is out of range", "a level above 4, or a target of another architecture", "see tg::load_options"},
    {551, "a text is no PTX", "an empty file, or characters beyond ASCII in a name or comment", "PTX is ASCII text"},
    {552, "a kernel file cannot be read or written", "the path is misspelt, or the folder belongs to somebody else",
     "check the path"},
    {553, "a kernel file is damaged", "it is truncated, or another program wrote it", "export the kernel again"},
    {554, "a kernel file has another kernel", "the kernel's name, block or parameters changed after it was exported",
     "export it again, or correct the declaration"},
    {565, "a pool has no memory left", "what is in use fills the device, or the pool's limit",
     "free what is not needed, or work in parts"},
    {566, "a view is shorter than its kernel promises to find", "the buffer has fewer elements than the launch covers",
     "make the buffer larger, or cover fewer elements"},
    {567, "a block has not that much shared memory", "a tile too large for the device", "use smaller tiles, or fewer of them"},
    {568, "the blocks of a cooperative launch cannot all run at once", "a grid made for elements instead of for the device",
     "launch at most as many blocks as the message says, and loop over the elements"},
    {569, "the clusters do not fit", "the grid is no multiple of the cluster, or the cluster has too many blocks",
     "round the grid up to whole clusters"},
    {570, "the device cannot launch this way", "clusters or dependent launches before sm_90",
     "launch without the option on this device"},
    {571, "an option of a launch is out of range", "a priority or a carve-out that the device does not know",
     "use a value of the range in the message"},
    {572, "rows of a matrix are too far apart", "a row of 2 GiB or more",
     "take a view of one more dimension: the strides outside of the rows have 64 bits"},
    {573, "the grid has more blocks than the kernel's 32-bit arithmetic tells apart",
     "tg::cover of more than 2^32 elements with block.global_index()",
     "compute with block.global_index64(), or launch in parts"},
    {574, "there is no GPU, and the program has no emulator", "no source file includes <tg/library.hpp>",
     "include it in one source file, or link tg::tg with CMake"},
    {575, "an array begins where no tensor map can", "a part of a buffer that begins at an odd element",
     "begin at a multiple of 16 bytes"},
    {576, "rows of an array are apart as no tensor map has them", "a leading dimension that is no multiple of 16 bytes",
     "pad the rows to a multiple of 16 bytes"},
    {577, "an array is too large or too small for a tensor map", "no element along a dimension, or more than 2^32",
     "give each dimension 1 to 2^32 elements"},
    {578, "a launch cannot overlap the one before it", "the kernel never waits for it, or the launch becomes a node of a graph",
     "call tg::wait_for_prior_grids() in the kernel before it reads, or launch without .overlapping()"},
});

}  // namespace tg::runtime
