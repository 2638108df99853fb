// What a compile error says: a type whose arguments are the facts, checked by a static_assert that names the code.
#pragma once

#include <cstddef>

namespace tg::diagnosis {

// Facts that appear as template arguments in compiler output.
/// In a compile error: the types that it is about.
template <class...> struct types {};
/// In a compile error: the number of the argument.
template <int> struct argument {};
/// In a compile error: the type that is expected.
template <class> struct expected {};
/// In a compile error: the type that is given.
template <class> struct given {};
/// In a compile error: how many are expected.
template <long long> struct expected_count {};
/// In a compile error: how many are given.
template <long long> struct given_count {};
/// In a compile error: bytes.
template <long long> struct bytes {};
/// In a compile error: elements.
template <long long> struct elements {};
/// In a compile error: sectors of 32 bytes that the worst warp moves.
template <long long> struct sectors {};
/// In a compile error: sectors that its distinct bytes fill.
template <long long> struct ideal_sectors {};
/// In a compile error: lanes that meet in one bank: wavefronts of the request.
template <long long> struct ways {};
/// In a compile error: words between the starts of two rows of the tile.
template <long long> struct pitch_words {};
/// In a compile error: a pitch in elements with which there is no conflict.
template <long long> struct try_pitch {};
/// In a compile error: a swizzle with which there is no conflict.
template <int B, int M, int S> struct try_swizzle {};
/// In a compile error: bytes that each lane moves.
template <long long> struct access_bytes {};
/// In a compile error: of what the address is provably a multiple.
template <long long> struct proved_alignment_bytes {};
/// In a compile error: bytes of the struct.
template <long long> struct struct_bytes {};

/// Nothing is wrong.
struct none {};

/// Whether diagnosis D finds nothing wrong. Written `is_ok<sizeof(D), D>`: the size makes the compiler complete D, and so
/// complain, at the place that asks; what depends on it is then left out, so that one mistake is one error.
template <std::size_t, class D> inline constexpr bool is_ok = true;
template <std::size_t Size, template <bool, class> class D, class Facts>
inline constexpr bool is_ok<Size, D<false, Facts>> = false;

// Each is instantiated with `false` and the facts where something does not fit.
template <bool Ok, class Facts = void> struct same_types {
  static_assert(Ok, "TG101: the operands have different types; write tg::cast<T>(x)");
};
template <bool Ok, class Facts = void> struct literal_fits {
  static_assert(Ok, "TG102: this C++ number is of another type than the device value; write 2.0f beside float, 2.0 beside "
                    "double, tg::f16(2) beside f16, 2 or 2_c beside integers");
};
template <bool Ok, class Facts = void> struct assignable {
  static_assert(Ok, "TG103: the stored value has another type than its destination; write tg::cast<T>(x)");
};
template <bool Ok, class Facts = void> struct condition {
  static_assert(Ok, "TG104: a condition must be a bool value; compare first, e.g. x != 0");
};
template <bool Ok, class Facts = void> struct writable {
  static_assert(Ok, "TG105: a tg::in view is read-only; declare the parameter tg::out or tg::inout to write");
};
template <bool Ok, class Facts = void> struct readable {
  static_assert(Ok, "TG106: a tg::out view is write-only; declare the parameter tg::inout to read");
};
template <bool Ok, class Facts = void> struct integer_index {
  static_assert(Ok, "TG109: an index must be a 32 or 64 bit integer; write tg::cast<unsigned>(x)");
};
template <bool Ok, class Facts = void> struct operation {
  static_assert(
      Ok, "TG110: this operation is not defined for the type: roots, tg::fma, tg::exp and their like are of floats; bits, "
          "remainders and shifts of integers, by an amount of 32 bits; 8 and 16 bit integers and bool take part in "
          "arithmetic after tg::cast<unsigned>(x), tf32, 8-bit floats and quotients of halves after tg::cast<float>(x)");
};
template <bool Ok, class Facts = void> struct type_of_variable {
  static_assert(Ok, "TG127: a variable without a first number names its type: tg::var<float> s;");
};
template <bool Ok, class Facts = void> struct vector_width {
  static_assert(Ok, "TG111: a vector access holds 2, 4, 8 or 16 elements and 16 bytes at most");
};
template <bool Ok, class Facts = void> struct view_options {
  static_assert(Ok, "TG190: a view has rank 1 to 4 and takes tg::aligned, tg::extents of as many dimensions, tg::at_least, "
                    "tg::covered, and tg::multiple_of once or for each stride");
};
template <bool Ok, class Facts = void> struct parameter_type {
  static_assert(Ok, "TG112: a kernel takes (auto block, parameters by value...), each tg::in, tg::out, tg::inout, "
                    "in2 to inout4, or tg::scalar");
};
template <bool Ok, class Facts = void> struct block_shape {
  static_assert(Ok, "TG113: a block has 1 to 1024 threads, at most 1024 in x and y and 64 in z");
};
template <bool Ok, class Facts = void> struct host_condition {
  static_assert(Ok,
                "TG114: a device value is not known while C++ runs; write tg::if_(c, [&]{...}), tg::while_, tg::switch_, "
                "tg::select(c, a, b) in place of c ? a : b, tg::max(a, b) in place of std::max, tg::var<float> s in place of "
                "float s, a C++ constant in place of n in f<n>(x)");
};
template <bool Ok, class Facts = void> struct rank {
  static_assert(Ok, "TG116: the number of indices differs from the rank of the view or tile");
};
template <bool Ok, class Facts = void> struct whole_warps {
  static_assert(Ok, "TG117: warp collectives need blocks of whole warps: make the number of threads a multiple of 32");
};
template <bool Ok, class Facts = void> struct atomic_operation {
  static_assert(Ok, "TG118: the hardware has no such atomic for this type; write a loop of tg::atomic_compare_exchange, which "
                    "takes floats and halves; give bytes and 16-bit integers 32 bits");
};
template <bool Ok, class Facts = void> struct register_index {
  static_assert(Ok, "TG119: this index is outside the array of registers or the vector, or is not a constant");
};
template <bool Ok, class Facts = void> struct convertible {
  static_assert(Ok, "TG120: tg::cast converts between bool, integers, float, double, f16 and bf16; tf32 and 8-bit floats "
                    "only from and to float and other narrow floats, a pair only to a pair");
};
template <bool Ok, class Facts = void> struct layout {
  static_assert(Ok, "TG123: the layout does not fit the shape: a pitch is at least the row length, a swizzle's bits lie "
                    "inside the tile and the tile is a multiple of its period");
};
template <bool Ok, class Facts = void> struct shared_bytes {
  static_assert(Ok, "TG124: a block has at most 227 KB of shared memory");
};

template <bool Ok, class Facts = void> struct fixed_value {
  static_assert(Ok, "TG127: a device value is fixed once it is computed; what changes is a variable: tg::var<float> s = x(i); "
                    "s = -s; s += 1.0f;");
};
template <bool Ok, class Facts = void> struct made_value {
  static_assert(
      Ok, "TG127: a device value is made by computing it; what is assigned later is a variable: tg::var<float> v = 0.0f;");
};
template <bool Ok, class Facts = void> struct fixed_handle {
  static_assert(Ok,
                "TG127: a view or tile cannot be assigned: it would change while the kernel is recorded, not while it runs");
};
template <bool Ok, class Facts = void> struct body_result {
  static_assert(Ok,
                "TG129: a body of tg::if_, else_, tg::for_ or tg::while_ returns nothing; a return leaves the body, not the "
                "kernel: write what else happens as a body of its own");
};
template <bool Ok, class Facts = void> struct uncopied {
  static_assert(
      Ok, "TG134: a tg::var, tg::regs or tile is not copied by accident, nor changed where it is const, as in a capture by "
          "[=] or where a lambda returns it; capture it with [&], pass it by reference, write tg::let(x) for the value that it "
          "has now, or x.copy() for other registers with the same contents");
};
template <bool Ok, class Facts = void> struct range_bounds {
  static_assert(Ok, "TG135: a range with a negative bound counts signed; write tg::cast<int>(n) for its other bound");
};
template <bool Ok, class Facts = void> struct loop_body {
  static_assert(Ok, "TG135: a loop of a kernel is tg::for_(tg::range(n), [&](auto k) { ... }), whose body takes the counter");
};
template <bool Ok> struct loop_range {
  static_assert(Ok, "TG135: a loop takes a range and a body: tg::for_(tg::range(first, end), [&](auto i) { ... })");
};
template <bool Ok, class Facts = void> struct range_step { static_assert(Ok, "TG135: a range with a step of 0 never ends"); };
template <bool Ok, class Facts = void> struct unnamed_element {
  static_assert(
      Ok, "TG136: a named element is the number that was read; write y(i) = v or y(i) += v to store, or tg::var<float> e = "
          "y(i); to compute with it");
};

template <bool Ok, class Facts = void> struct element_type {
  static_assert(
      Ok, "TG192: an element is a number of the language (f16, bf16 and 8-bit floats: include tg/dsl/vector/narrow_float.hpp "
          "first) or a struct: include tg/dsl/structs/struct_element.hpp, and write BOOST_HANA_ADAPT_STRUCT(particle, x, y) "
          "with all its fields outside of namespaces");
};
template <bool Ok, class Facts = void> struct field_of_struct {
  static_assert(Ok, "TG196: this member is of another struct than the element");
};

template <bool Ok, class Facts = void> struct call_brackets {
  static_assert(Ok,
                "TG181: an element is written with parentheses, x(i), m(row, column), r(0_c): in C++20 brackets cannot carry "
                "the line of the statement");
};
template <bool Ok, class Facts = void> struct vector_arithmetic {
  static_assert(Ok, "TG185: a vector takes part in no arithmetic; compute with its elements, v(0_c), or with all of them: "
                    "tg::map([](auto a, auto b) { return a * b; }, u, v)");
};
template <bool Ok, class Facts = void> struct standard_function {
  static_assert(
      Ok,
      "TG114: what a device holds is not known while C++ runs; write tg::max(x, 0.0f), tg::clamp(x, 0.0f, 1.0f), tg::exp(x), "
      "... in place of std::max, std::clamp, std::exp, ...");
};
template <bool Ok, class Facts = void> struct loop_condition {
  static_assert(Ok, "TG184: the condition of tg::while_ is a lambda, so that it can be computed again: tg::while_([&] { return "
                    "i < n; }, [&] { ... })");
};

// Findings of the analysis: each names its facts, and the check that refuses it its code.
/// In a compile error: a bank conflict, its ways, the pitch and what to try. TG201.
template <class Ways, class... PitchAndFixes> struct shared_bank_conflict {};
/// In a compile error: a global access of too many sectors. TG202.
template <class Sectors, class Ideal> struct uncoalesced_access {};
/// In a compile error: a vector that is not provably aligned. TG203.
template <class Access, class Alignment> struct misaligned_vector {};
/// In a compile error: an index that depends on data. TG204.
template <class Index> struct data_dependent_index {};

template <bool Ok, class Finding> struct shared_access {
  static_assert(Ok, "TG201: shared memory bank conflict; give the tile tg::pitch or tg::swizzle as the finding says, or "
                    "excuse it with tg::allow<tg::TG201>(\"reason\")");
};
template <bool Ok, class Finding> struct shared_struct_access {
  static_assert(Ok,
                "TG201: shared memory bank conflict between structs; let neighbouring lanes touch neighbouring structs, pad "
                "the struct to an odd number of 16-byte pieces, keep a tile for each field, or excuse it with "
                "tg::allow<tg::TG201>(\"reason\")");
};
template <bool Ok, class Finding> struct global_access {
  static_assert(Ok, "TG202: uncoalesced global access; let neighbouring lanes (thread.x) touch neighbouring elements, go "
                    "through shared memory, or excuse it with tg::allow<tg::TG202>(\"reason\")");
};
template <bool Ok, class Finding> struct aligned_access {
  static_assert(Ok, "TG203: the vector access is not provably aligned; multiply the index by the vector width, promise "
                    "tg::multiple_of on the leading dimension or tg::aligned on the view");
};
template <bool Ok, class Finding> struct known_index {
  static_assert(Ok,
                "TG204: the lanes of this index are not known: what data_dependent_index names comes from memory, a float or "
                "a comparison; where all lanes of a warp hold one number, say tg::assume_warp_uniform of it, else "
                "write tg::gather(index) to read or tg::scatter(index) to write");
};
template <bool Ok, class Facts = void> struct cluster_without_producer {
  static_assert(Ok,
                "TG154: in a block with tg::producer only pipelines meet the other blocks of the cluster: the producer does "
                "not come to block.cluster().sync(); leave out tg::producer");
};

}  // namespace tg::diagnosis
