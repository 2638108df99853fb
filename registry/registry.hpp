// All rows.
#pragma once

#include <registry/attention.hpp>
#include <registry/attention_decode.hpp>
#include <registry/attention_gradients.hpp>
#include <registry/compression.hpp>
#include <registry/convolutions.hpp>
#include <registry/dequantising.hpp>
#include <registry/elementwise.hpp>
#include <registry/factorisations.hpp>
#include <registry/grids.hpp>
#include <registry/histograms.hpp>
#include <registry/linear_algebra.hpp>
#include <registry/norms.hpp>
#include <registry/pictures.hpp>
#include <registry/points.hpp>
#include <registry/products.hpp>
#include <registry/quantised.hpp>
#include <registry/recurrences.hpp>
#include <registry/reductions.hpp>
#include <registry/rgb_pictures.hpp>
#include <registry/rows_of_matrices.hpp>
#include <registry/scans.hpp>
#include <registry/segments.hpp>
#include <registry/sorting.hpp>
#include <registry/sparse.hpp>
#include <registry/transformer.hpp>
#include <registry/transforms.hpp>

namespace registry {

/// Calls `ask(row)` for each kernel.
template <class Ask> void each(Ask ask) {
  each_attention(ask);
  each_attention_decode(ask);
  each_attention_gradient(ask);
  each_compression(ask);
  each_convolution(ask);
  each_dequantising(ask);
  each_elementwise(ask);
  each_factorisation(ask);
  each_of_grids(ask);
  each_histogram(ask);
  each_of_linear_algebra(ask);
  each_norm(ask);
  each_of_pictures(ask);
  each_of_points(ask);
  each_product(ask);
  each_quantised(ask);
  each_recurrence(ask);
  each_reduction(ask);
  each_of_rgb_pictures(ask);
  each_of_matrices(ask);
  each_scan(ask);
  each_segmented(ask);
  each_sort(ask);
  each_sparse(ask);
  each_of_transformer(ask);
  each_transform(ask);
}

}  // namespace registry
