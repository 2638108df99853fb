// What the tiles of a product ask of the recorder, and the tiles of all elements that have products, compiled with the library.
// A program without the compiled library makes the tiles that it uses.
#pragma once

#include <tg/array/product_site.hpp>

#include <tg/array/products.hpp>
#include <tg/base/config.hpp>
#ifdef TG_BUILDS_LIBRARY
#include <tg/array/product_tiles.hpp>
#endif

namespace tg::detail {

TG_LIBRARY_FUNCTION ptx::operand element_of_product(const product_site& site, product_operand which, const ptx::operand& along,
                                                    const ptx::operand& depth) {
  return site.recorder->product_element(which, along, depth);
}

TG_LIBRARY_FUNCTION void finish_product(const product_site& site, const ptx::operand* sums) {
  site.recorder->take_product(site, sums);
}

#ifdef TG_BUILDS_LIBRARY
template void record_product<float>(const product_site&);
template void record_product<bf16>(const product_site&);
template void record_product<f16>(const product_site&);
template void record_product<f8e4m3>(const product_site&);
template void record_product<f8e5m2>(const product_site&);
template void record_product<signed char>(const product_site&);
#endif

}  // namespace tg::detail
