#include <tg/dsl/memory/atomic_access.hpp>

#include <tg/dsl/flow/while_.hpp>

#include "../recording.hpp"
#include "../word.hpp"

namespace {

using tg::literals::operator""_c;

template <tg::order Store, tg::order Load> std::string handed() {
  return tg::lower(tg::kernel<"handed">(tg::block<1>,
                                        [](auto block, tg::inout<double> data, tg::inout<unsigned> flag) {
                                          tg::if_(block.index.x == 0, [&] {
                                            data(0_c) = 42.0;
                                            tg::atomic_store<Store>(flag(0_c), 1u);
                                          }).else_([&] {
                                            tg::while_([&] { return tg::atomic_load<Load>(flag(0_c)) == 0u; }, [] {});
                                            data(1_c) = data(0_c);
                                          });
                                        }))
      .ptx;
}

}  // namespace

TEST_CASE("loads and stores that others may make carry their order") {
  const auto last = [](const std::string& text) { return text.substr(text.rfind(' ') + 1); };
  CHECK(last(recording::of([](auto, auto p) { (void)tg::atomic_load(p.u(0_c)); }).text) == "ld.relaxed.gpu.global.u32");
  CHECK(last(recording::of([](auto, auto p) {
               (void)tg::atomic_load<tg::order::acquire, tg::scope::system>(p.y(0_c));
             }).text) == "ld.acquire.sys.global.f32");
  CHECK(last(recording::of([](auto, auto p) { tg::atomic_store<tg::order::release, tg::scope::block>(p.u(0_c), 3u); }).text) ==
        "st.release.cta.global.u32");
  CHECK(last(recording::of([](auto block, auto) {
               const auto tile = tg::shared<unsigned>(tg::shape<32>);
               tg::atomic_store(tile(block.thread.x), 3u);
             }).text) == "st.relaxed.gpu.shared.u32");
}

TEST_CASE("release and acquire hand data over, relaxed accesses do not") {
  std::vector<double> data(2);
  std::vector<unsigned> flag(1);
  const std::string text = handed<tg::order::release, tg::order::acquire>();
  CHECK(accuracy::complaints_from_its_sm_on(text) == "");
  word::launch(text, 2, data, flag);
  CHECK(data[1] == 42);
  flag[0] = 0;
  word::check_is_objected([&] { word::launch(handed<tg::order::relaxed, tg::order::acquire>(), 2, data, flag); });
}
