#include <tg/runtime/typestate.hpp>

#include <concepts>
#include <type_traits>

#include <tg/runtime/capture.hpp>

#include "hand_written.hpp"

// What must not compile is in tests/compile_fail/TG132_*.cpp and TG133_*.cpp.
TEST_CASE("each state leads to the states it may, and streams are moved and never copied") {
  using tg::captured_stream, tg::recording_stream, tg::stream, tg::submitted_stream;
  static_assert(std::same_as<decltype(std::declval<stream>().begin()), recording_stream>);
  static_assert(std::same_as<decltype(std::declval<stream>().capture()), captured_stream>);
  static_assert(std::same_as<decltype(std::declval<recording_stream>().submit()), submitted_stream>);
  static_assert(std::same_as<decltype(std::declval<submitted_stream>().wait()), stream>);
  static_assert(std::same_as<decltype(std::declval<submitted_stream>().begin()), recording_stream>);
  static_assert(std::same_as<decltype(std::declval<captured_stream>().end()), tg::captured_work>);
  static_assert(!std::is_copy_constructible_v<stream> && std::is_nothrow_move_constructible_v<stream>);
  static_assert(!std::is_copy_constructible_v<recording_stream> && std::is_move_constructible_v<recording_stream>);
  static_assert(!std::is_copy_constructible_v<submitted_stream> && !std::is_copy_constructible_v<captured_stream>);
  static_assert(!std::is_copy_constructible_v<tg::event> && !std::is_copy_constructible_v<tg::executable_graph>);
  CHECK(tg::stream_state::idle != tg::stream_state::recording);
}
