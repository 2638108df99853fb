// What the floor of tiles can say is wrong: TG600 to TG699.
#pragma once

#include <array>

#include <tg/base/code_info.hpp>

namespace tg {

/// Misuse of tiles, found by the C++ compiler, or while a kernel is recorded (603, 611, 612).
inline constexpr auto tile_codes = std::to_array<code_info>({
    {601, "a team has other warps than its block", "tg::warps<2, 2> of a block of 256 threads, a block of 40 or 96 threads",
     "write as many warps as the block has: threads / 32, a power of two"},
    {602, "tiles of one expression have different extents", "64 x 64 beside 64 x 128, or assigned to a rectangle of 32 x 64",
     "cut both to the same extents, or use a tile of one row or one column"},
    {603, "an expression reads a tile that has changed since",
     "a tree kept in a variable while a tile or a rectangle of a view in it is assigned",
     "name the value with tg::eval where it is written"},
    {604, "tiles of one expression are spread over the threads differently", "sums of a product beside a tile that was loaded",
     "convert one with tg::spread_like(x, other)"},
    {605, "nothing says how a tile is spread over the threads",
     "a rectangle of a view by itself, a view without tg::sized, a tile in shared memory",
     "write tg::load(block, x), or cut a rectangle with tg::tile_at"},
    {606, "a tile has impossible extents", "100 rows, fewer than 16 rows for a warp, steps that are no constant",
     "use powers of two"},
    {607, "tg::dot cannot multiply these", "other depths, other types, 8 or 32 bits along the rows of b",
     "cut both to one depth, cast, or store b with its depth along the rows and write tg::transposed(b); of floats in steps of 32"},
    {608, "a product is summed where its sums do not lie",
     "into a tile of other extents, or one that was loaded; floats into sums of tensor cores",
     "sum into tg::zeros<T, rows, columns>(scope); floats into a scope of tg::warps<R, C, tg::cuda_cores>(block)"},
    {609, "a left operand in registers has rows that several warps share",
     "sums over tg::warps<2, 2>(block), cast and multiplied again",
     "use tg::warps<4, 1>(block), or read it from shared memory"},
    {610, "the body of a pipeline takes other arguments", "a tile too few or too many, also in one of two parts",
     "take the tiles of the stage, then the step, in each part of a body in two"},
    {611, "a block cannot have a producer, or it has nothing to fetch",
     "tg::producer without tg::for_sm<90>, or of a kernel without a pipeline that tensor copies fill; a first column computed "
     "with 32u, which hides from its type that it is a multiple of 16 bytes",
     "write tg::block<256> | tg::for_sm<90> | tg::producer, with a pipeline over views that are only read, and columns as "
     "at * 32_c; else leave it out"},
    {612, "a producer cannot compute what a pipeline wants", "rows that a shared tile or an exchange of a warp decides",
     "compute it from parameters, numbers of the block and views that are only read, or leave out tg::producer"},
});

}  // namespace tg
