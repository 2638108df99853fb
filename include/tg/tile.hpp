// Tiles: kernels as expressions over rectangles of matrices.
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/dsl/verdict/diagnosis.hpp>
#include <tg/tile/diagnosis.hpp>
#include <tg/tile/team.hpp>

#include <tg/dsl.hpp>
#include <tg/tile/add_segments.hpp>
#include <tg/tile/dot.hpp>
#include <tg/tile/for_each.hpp>
#include <tg/tile/functions.hpp>
#include <tg/tile/memory_tile.hpp>
#include <tg/tile/pipeline.hpp>
#include <tg/tile/producer.hpp>
#include <tg/tile/reduce.hpp>
#include <tg/tile/refused.hpp>
#include <tg/tile/register_tile.hpp>
#include <tg/tile/rows_by.hpp>
#include <tg/tile/scan.hpp>
#include <tg/tile/shared_rectangle.hpp>
#include <tg/tile/spread_like.hpp>
#include <tg/tile/steps.hpp>
#include <tg/tile/tile_at.hpp>
#include <tg/tile/to_shared.hpp>
#include <tg/tile/transposed_tile.hpp>
#include <tg/tile/unpacked.hpp>
#include <tg/tree/activation.hpp>
#include <tg/tree/operators.hpp>
