#include <tg/dsl/wgmma/group_product.hpp>

#include "../recording.hpp"

#include <tg/dsl/kernel/to_ptx.hpp>
#include <tg/dsl/wgmma/wgmma.hpp>

namespace {

auto tile(int) { return tg::k_major(tg::shared<tg::f16>(tg::shape<4, 64, 8>)); }

}  // namespace

TEST_CASE("a group is a fence, its products and a commit; a fragment is fenced after it was copied") {
  const auto r = recording::of<tg::block_t<128>>([](auto block, recording::parameters p) {
    const auto b = tile(0);
    auto a = tg::a_fragment<16, 16, tg::f16>::unfilled();
    for (auto& part : a.parts.parts) part = p.u(block.thread.x).get().operand;
    tg::group_accumulator<64, 64, tg::f16> sum = 0u;
    p.y(block.thread.x) = tg::cast<float>(tg::wgmma(std::move(sum), [&](auto& products) {
                                            products.add(b, b);
                                            using namespace tg::literals;
                                            products.add(a, b.slice(16_c, 0_c));
                                          }).wait()(0));
  });
  const auto at = r.text.find("wgmma.fence");
  CHECK(at != std::string::npos);
  CHECK(r.text.find("mov.b32 mov.b32 mov.b32 mov.b32 wgmma.fence.sync.aligned", at) != std::string::npos);
  CHECK(r.text.find("wgmma.commit_group.sync.aligned wgmma.wait_group.sync.aligned") != std::string::npos);
}

TEST_CASE("a block that is not made of warpgroups has no products") {
  const auto part = [](auto, recording::parameters p) {
    tg::group_accumulator<64, 64, float> sum = 0.0f;
    p.y(0u) = tg::wgmma(std::move(sum), tile(0), tile(0)).wait()(0);
  };
  CHECK(recording::error_of<tg::block_t<192>>(part) == recording::at(153, __LINE__ - 2));
}

TEST_CASE("the sums are bits, integers that saturate, negated operands") {
  const auto text = [](auto products) {
    return tg::to_ptx(tg::kernel<"k">(tg::block<128>, [products](auto block, tg::out<int> y) {
      const auto bytes = tg::k_major(tg::shared<signed char>(tg::shape<2, 64, 16>));
      tg::group_accumulator<64, 64, int> sum = 0;
      y(block.thread.x) = tg::wgmma(std::move(sum), [&](auto& p) { products(p, bytes); }).wait()(0);
    }));
  };
  const auto has = [](const std::string& in, const char* what) { return in.find(what) != std::string::npos; };
  CHECK(has(text([](auto& p, const auto& a) { p.add_saturating(a, a); }), ".m64n64k32.s32.s8.s8.satfinite {"));
  CHECK(has(text([](auto& p, const auto& a) { p.add(a, a, false); }), ".m64n64k32.s32.s8.s8 {"));
}
