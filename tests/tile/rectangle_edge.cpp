#include <tg/tile/rectangle_edge.hpp>

#include <string>

#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/operators.hpp>

#include "../dsl/recording.hpp"

namespace {

using tg::detail::rectangle_edge;
using tg::ptx::operand;

/// What is recorded for one access at (thread, 2 * thread) beside an edge at n rows and m columns.
template <class Prepare>
std::string recorded(rectangle_edge::of what, bool ends_there, Prepare prepare, bool is_argument = true) {
  return recording::of([&](auto block, recording::parameters p) {
           const auto row = tg::let(block.thread.x + 0u), column = tg::let(block.thread.x * 2u);
           const tg::value<unsigned> columns{is_argument ? p.n.get().operand : tg::let(p.n * 8u).operand};
           rectangle_edge edge(what, {tg::let(p.n + 3u).operand}, columns,
                               ends_there ? columns.operand : tg::let(p.n * 4u).operand);
           prepare(edge, column.operand);
           edge.enter(row.operand, column.operand, 1);
           p.u(p.n) = 1u;
           edge.leave();
         })
      .text;
}
std::string recorded(rectangle_edge::of what, bool ends_there) {
  return recorded(what, ends_there, [](rectangle_edge&, const operand&) {});
}
std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++n;
  return n;
}

/// 4 elements side by side in each of `rows` rows of a thread.
tg::distribution spread_of(int rows) {
  tg::distribution out{.rows = rows, .columns = 128, .register_bits = 2, .warp_bits = 0};
  out.bits[0] = {0, 1}, out.bits[1] = {0, 2};
  for (int down = 1; down < rows; down *= 2) out.bits[out.register_bits++] = {down, 0};
  for (int b = 0; b < 5; ++b) out.bits[out.register_bits + b] = {0, 4 << b};
  return out;
}

}  // namespace

TEST_CASE("an access is guarded by the row and the column that can be outside") {
  using of = rectangle_edge::of;
  CHECK(count(recorded(of::matrix, false), "setp.lt.u32") == 2);
  CHECK(count(recorded(of::matrix, true), "setp.lt.u32") == 1);  // no column is outside
  CHECK(count(recorded(of::row, false), "setp.lt.u32") == 1);
  CHECK(count(recorded(of::column, false), "setp.lt.u32") == 1);
  CHECK(count(recorded(of::matrix, false), "<if>") == 1);
}

TEST_CASE("without a matrix nothing is guarded") {
  const std::string text = recording::of([](auto, recording::parameters p) {
                             const rectangle_edge inside;
                             inside.enter({}, {}, 0);
                             p.u(p.n) = 1u;
                             inside.leave();
                           }).text;
  CHECK(count(text, "<if>") == 0);
  CHECK(count(text, "setp") == 0);
}

TEST_CASE("columns of threads with many rows are bits, of others they are compared one by one") {
  const auto with_rows = [](int rows, bool ends_there) {
    return recorded(rectangle_edge::of::matrix, ends_there,
                    [rows](rectangle_edge& edge, const operand& first) { edge.take_apart(spread_of(rows), first); });
  };
  CHECK(count(with_rows(8, false), "selp") == 1);
  CHECK(count(with_rows(8, false), "setp.ne") == 1);
  CHECK(count(with_rows(2, false), "selp") == 0);
  CHECK(count(with_rows(2, false), "setp.lt.u32") == 2);
  CHECK(count(with_rows(8, true), "selp") == 0);
  const std::string computed = recorded(
      rectangle_edge::of::matrix, false,
      [](rectangle_edge& edge, const operand& first) { edge.take_apart(spread_of(8), first); }, false);
  CHECK(count(computed, "selp") == 0);
  CHECK(count(computed, "setp.lt.u32") == 2);
}

TEST_CASE("vectors stay whole where the columns are a multiple of them, or none is cut") {
  bool wide = true, narrow = false, single = true, uncut = false;
  recording::of([&](auto block, recording::parameters p) {
    const auto columns = tg::let(p.n * 4u);
    const tg::value<unsigned> rows{tg::let(p.n).operand}, all{columns.operand}, any{tg::let(p.n + 1u).operand};
    rectangle_edge cut(rectangle_edge::of::matrix, rows, all, any.operand);
    wide = cut.keeps_vectors(8), single = cut.keeps_vectors(1), narrow = cut.keeps_vectors(4);
    uncut = rectangle_edge(rectangle_edge::of::matrix, rows, any, any.operand).keeps_vectors(8);
    p.u(block.thread.x) = 1u;
  });
  CHECK(!wide);
  CHECK(narrow);
  CHECK(!single);
  CHECK(uncut);
}
