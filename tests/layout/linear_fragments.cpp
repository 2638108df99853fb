#include <tg/layout/linear_fragments.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>
#include <utility>

#include <tg/emulator/matrix/fragment_layout.hpp>
#include <tg/emulator/matrix/rows.hpp>
#include <tg/ptx/forms/forms_matrix.hpp>

namespace {

using tg::thread_layout;

/// Entries of the emulator's table from which `l` differs, in the rows of one warp.
int count_wrong(const thread_layout& l, const tg::emulator::fragment_layout& table, int columns, int warp = 0) {
  int wrong = static_cast<std::size_t>(l.registers()) * 32 < table.size() ? 1 : 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const tg::tile_element at = l.at(static_cast<int>(i / 32), static_cast<int>(i % 32), warp);
    wrong += (at.row - 16 * warp) * columns + at.column != table[i];
  }
  return wrong;
}

/// The map with each of its bits flipped in turn differs everywhere that it should.
template <class Count> void check_flips(thread_layout l, Count count) {
  CHECK(count(l) == 0);
  for (int b = 0; b < l.map.inputs; ++b)
    for (int o = 0; o < l.map.outputs; ++o) {
      l.map.bases[b] ^= std::uint32_t{1} << o;
      CHECK(count(l) > 0);
      l.map.bases[b] ^= std::uint32_t{1} << o;
    }
}

/// What a row of the table of forms says: the shape behind the first ".m", and how many elements of A a register holds.
tg::emulator::matrix_shape shape_of(std::string_view tokens) {
  tg::emulator::matrix_shape s;
  std::size_t* to = nullptr;
  for (std::size_t i = tokens.find(".m8n8k") != tokens.npos ? tokens.find(".m8n8k") : tokens.find(".m16n8k");
       ++i < tokens.size();) {
    const char c = tokens[i];
    if (c == '.') break;
    if (c >= '0' && c <= '9') *to = *to * 10 + static_cast<std::size_t>(c - '0');
    else to = c == 'm' ? &s.m : c == 'n' ? &s.n : &s.k;
  }
  return s;
}
std::size_t packed_of(std::string_view tokens) {
  const auto has = [&](std::string_view type) { return tokens.find(type) != tokens.npos; };
  if (has(".b1.")) return 32;
  if (has("u4|s4")) return 8;
  if (has("u8|s8") || has("e4m3")) return 4;
  return has("tf32") || has("f64") ? 1 : 2;
}

}  // namespace

TEST_CASE("operands and sums of every form of mma.sync lie where the emulator's tables say") {
  int forms = 0;
  for (const auto& form : tg::ptx::forms::matrix) {
    const std::string_view tokens = form.tokens;
    if (form.op != tg::ptx::opcode::mma || tokens.find("m8n8k4.{LAYOUT}") != tokens.npos) continue;  // four products at once
    CAPTURE(tokens);
    ++forms;
    auto s = shape_of(tokens);
    const auto m = static_cast<int>(s.m), n = static_cast<int>(s.n), k = static_cast<int>(s.k);
    const std::size_t packed = packed_of(tokens);
    const bool is_sparse = tokens.find(".sp") == 0;
    const int k_of_a = is_sparse ? k / 2 : k;
    const auto p = static_cast<int>(packed);
    const auto a = tg::emulator::layout_of_a({s.m, s.n, static_cast<std::size_t>(k_of_a)}, packed);
    const auto b = tg::emulator::layout_of_b(s, packed), c = tg::emulator::layout_of_c(s);
    check_flips(tg::make_a_layout(m, k_of_a, p), [&](const thread_layout& l) { return count_wrong(l, a, k_of_a); });
    check_flips(tg::make_b_layout(k, n, p), [&](const thread_layout& l) { return count_wrong(l, b, n); });
    check_flips(tg::make_sum_layout(m, n), [&](const thread_layout& l) { return count_wrong(l, c, n); });
    CHECK(tg::make_a_layout(m, k_of_a, p).map.is_invertible());
    CHECK(tg::make_b_layout(k, n, p).map.is_invertible());
  }
  CHECK(forms > 40);
}

TEST_CASE("sums of wgmma and its A in registers lie where the emulator's tables say") {
  for (std::size_t n = 8; n <= 256; n += 8) {
    const auto table = tg::emulator::layout_of_c({16, n, 16});
    for (int warp = 0; warp < 4; ++warp)
      CHECK(count_wrong(tg::make_group_sum_layout(static_cast<int>(n)), table, static_cast<int>(n), warp) == 0);
  }
  for (const auto& [k, packed] : {std::pair{8, 1}, {16, 2}, {32, 4}, {256, 32}}) {
    const auto table = tg::emulator::layout_of_a({16, 8, static_cast<std::size_t>(k)}, static_cast<std::size_t>(packed));
    for (int warp = 0; warp < 4; ++warp) CHECK(count_wrong(tg::make_group_a_layout(k, packed), table, k, warp) == 0);
    CHECK(tg::make_group_a_layout(k, packed).map.is_invertible());
  }
}

TEST_CASE("ldmatrix and stmatrix move what the emulator moves") {
  // Each element of 16 bits is its own number.
  tg::emulator::matrix_rows rows;
  for (std::uint32_t i = 0; i < 4; ++i)
    for (std::uint32_t r = 0; r < 8; ++r)
      for (std::uint32_t w = 0; w < 4; ++w) {
        const std::uint32_t first = i * 64 + r * 8 + w * 2;
        rows[i][r][w] = first | (first + 1) << 16;
      }
  for (const int matrices : {1, 2, 4})
    for (const bool is_transposed : {false, true})
      check_flips(tg::make_matrix_rows_layout(matrices, is_transposed), [&](const thread_layout& l) {
        int wrong = 0;
        for (int r = 0; r < 2 * matrices; ++r)
          for (int lane = 0; lane < 32; ++lane) {
            const auto at = l.at(r, lane);
            const std::uint32_t pair = tg::emulator::pair_of_rows(rows, static_cast<std::size_t>(r / 2),
                                                                  static_cast<std::size_t>(lane), is_transposed);
            wrong += static_cast<std::uint32_t>(at.row * 8 + at.column) != (r % 2 == 0 ? pair & 0xffff : pair >> 16);
          }
        return wrong;
      });
}

TEST_CASE("the four products of m8n8k4 lie where the emulator's tables say") {
  namespace quad_pair = tg::emulator::quad_pair;
  const auto check = [](const thread_layout& own, const tg::emulator::fragment_layout& table, int columns) {
    check_flips(own, [&](const thread_layout& l) { return count_wrong(l, table, columns); });
  };
  for (const bool by_row : {false, true}) {
    check(tg::make_quad_pair_a_layout(by_row), quad_pair::a(by_row), 4);
    check(tg::make_quad_pair_b_layout(by_row), quad_pair::b(by_row), 8);
  }
  check(tg::make_quad_pair_sum_layout(true), quad_pair::c_f16(), 8);
  check(tg::make_quad_pair_sum_layout(false), quad_pair::c_f32(), 8);
}
