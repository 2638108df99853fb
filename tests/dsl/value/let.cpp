#include <tg/dsl/value/let.hpp>

#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"

TEST_CASE("a name costs nothing and keeps the lanes") {
  CHECK(recording::of([](auto block, recording::parameters) {
          auto i = tg::let(block.global_index());
          static_assert(std::is_same_v<typename decltype(i)::form, typename decltype(block.global_index())::form>);
        }).text == "");
}

TEST_CASE("a variable is read when it is named") {
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::var<unsigned> v = 3u;
          auto before = tg::let(v);
          v = p.n;
          v = before + 1;
          tg::if_(before < 3, [&] { (void)(p.a + p.a); });
        }).text == "mov.u32 mov.u32 add.u32 setp.lt.u32 mov.u32 <if> add.f32 <endif>");
}

TEST_CASE("a vector is named as it is") {
  CHECK(recording::of([](auto block, recording::parameters) {
          const auto tile = tg::shared<float>(tg::shape<128>);
          const auto read = tg::let(tile.template vec<4>(block.thread.x * tg::constant<4>{}));
          const auto again = tg::let(read);
          static_assert(std::is_same_v<decltype(read), const tg::vec<float, 4>> &&
                        std::is_same_v<decltype(again), decltype(read)>);
        }).text.find("ld.shared.v4.f32") != std::string::npos);
}
