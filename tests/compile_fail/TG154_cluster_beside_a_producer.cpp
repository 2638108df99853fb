// A barrier of the cluster in a block with a producer, which does not come to it.
// expect: TG154: in a block with tg::producer only pipelines meet the other blocks of the cluster
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"product">(tg::block<128> | tg::cluster<2> | tg::for_sm<90> | tg::producer,
                          [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> x, tg::out<float> y, tg::scalar<unsigned> k) {
                            auto sum = tg::zeros<float, 64, 64>(block);
#ifdef TG_WRONG
                            block.cluster().sync();
#else
      block.sync();
#endif
                            tg::add_products<2>(
                                block, sum, tg::steps(k, 64_c),
                                [&](auto at) { return tg::stage(tg::tile_at<64, 64>(tg::sized(x, 64u, k), 0_c, at)); },
                                [](auto part) { return tg::dot(part, tg::transposed(part)); });
                            y(block.thread.x) = tg::row_sum(sum)(0);
                          });
