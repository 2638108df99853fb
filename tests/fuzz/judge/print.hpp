// A random kernel as C++ that can be pasted into a test.
#pragma once

#include <bit>
#include <cstdio>
#include <map>
#include <string>

#include "tree.hpp"

namespace judge {

class printer {
 public:
  explicit printer(const kernel& k) : kernel_(k) {}

  std::string operator()() {
    const auto& s = shapes[static_cast<std::size_t>(kernel_.shape)];
    out_ = "const auto kernel = tg::kernel<\"found\">(tg::block<" + std::to_string(s[0]) + ", " + std::to_string(s[1]) + ", " +
           std::to_string(s[2]) + ">, [](auto block";
    for (std::size_t n = 0; n < kernel_.objects.size(); ++n) {
      const object& o = kernel_.objects[n];
      if (o.what == object::kind::tile) continue;
      out_ += std::string(", tg::") +
              (o.what == object::kind::in    ? "in<"
               : o.what == object::kind::out ? "out<"
                                             : "inout<") +
              name_of(o.of);
      if (o.at_least > 0) out_ += ", tg::at_least<" + std::to_string(o.at_least) + ">";
      out_ += "> b" + std::to_string(n);
    }
    for (std::size_t n = 0; n < kernel_.scalars.size(); ++n)
      out_ += std::string(", tg::scalar<") + name_of(kernel_.scalars[n]) + "> s" + std::to_string(n);
    out_ += ") {\n";
    for (std::size_t n = 0; n < kernel_.objects.size(); ++n)
      if (const object& o = kernel_.objects[n]; o.what == object::kind::tile)
        out_ += std::string("  auto t") + std::to_string(n) + " = tg::shared<" + name_of(o.of) + ">(tg::shape<" +
                std::to_string(o.elements) + ">);\n";
    print(kernel_.body, 1);
    return out_ + "});\n";
  }

 private:
  void line(int depth, const std::string& text) { out_ += std::string(static_cast<std::size_t>(2 * depth), ' ') + text + "\n"; }
  // The name of a declaration, or of one of the registers of an array.
  std::string v(int index) const {
    for (const auto& [first, count] : arrays_)
      if (index >= first && index < first + count)
        return "v" + std::to_string(first) + "(" + std::to_string(index - first) + ")";
    return "v" + std::to_string(index);
  }
  std::string place(int object, const expr& at, bool is_traced, bool is_write) const {
    const bool is_tile = kernel_.objects.at(static_cast<std::size_t>(object)).what == object::kind::tile;
    std::string index = text(at);
    if (!is_traced)
      index = (is_write ? "tg::scatter(" : "tg::gather(") +
              (at.what == op::literal ? "tg::var<unsigned>(" + index + ")" : index) + ")";
    return std::string(is_tile ? "t" : "b") + std::to_string(object) + "(" + index + ")";
  }

  void print(const std::vector<stmt>& body, int depth) {
    for (const stmt& s : body) print(s, depth);
  }
  void print(const stmt& s, int d) {
    const auto in = [&](std::size_t n) { return text(s.in[n]); };
    switch (s.what) {
      case stmt::kind::let: return line(d, "auto " + v(s.index) + " = tg::let(" + value(s.in[0]) + ");");
      case stmt::kind::var:
        return line(d, std::string("tg::var<") + name_of(s.in[0].of) + "> " + v(s.index) + " = " + in(0) + ";");
      case stmt::kind::array:
        line(d, std::string("tg::regs<") + name_of(s.in[0].of) + ", " + std::to_string(s.times) + "> v" +
                    std::to_string(s.index) + " = " + in(0) + ";");
        arrays_[s.index] = s.times;
        return;
      case stmt::kind::assign: return line(d, v(s.index) + " = " + in(0) + ";");
      case stmt::kind::add_assign: return line(d, v(s.index) + " += " + in(0) + ";");
      case stmt::kind::store:
        return line(d, place(s.index, s.in[0], s.is_traced, true) + " = " + in(1) + ";  // line " + std::to_string(s.line));
      case stmt::kind::perform: return line(d, in(0) + ";");
      case stmt::kind::branch:
        line(d, "tg::if_(" + in(0) + ", [&] {");
        print(s.body, d + 1);
        if (!s.otherwise.empty()) line(d, "}).else_([&] {"), print(s.otherwise, d + 1);
        return line(d, "});");
      case stmt::kind::chain:
        line(d, "tg::if_(" + in(0) + ", [&] {");
        print(s.body, d + 1);
        line(d, s.is_traced ? "}).else_if_([&] { return " + in(1) + "; }, [&] {" : "}).else_if_(" + in(1) + ", [&] {");
        print(s.otherwise, d + 1);
        return line(d, "});");
      case stmt::kind::match:
        line(d, "tg::switch_(" + in(0) + ").case_(" + (s.times == 2 ? "{0, 1}" : "0") + ", [&] {");
        print(s.body, d + 1);
        if (!s.otherwise.empty()) line(d, "}).default_([&] {"), print(s.otherwise, d + 1);
        return line(d, "});");
      case stmt::kind::leave: return line(d, "tg::break_();");
      case stmt::kind::go_on: return line(d, "tg::continue_();");
      case stmt::kind::finish: return line(d, "tg::return_();  // line " + std::to_string(s.line));
      case stmt::kind::count:
        line(d, "tg::for_(tg::range(" + in(0) + ", " + in(1) + ", " + in(2) + "), [&](auto " + v(s.index) + ") {");
        print(s.body, d + 1);
        return line(d, "});");
      case stmt::kind::repeat_while:
        line(d, "tg::while_([&] { return " + in(0) + "; }, [&] {");
        print(s.body, d + 1);
        return line(d, "});");
      case stmt::kind::unroll:
        line(d, "tg::unroll<" + std::to_string(s.times) + ">([&](auto " + v(s.index) + ") {");
        print(s.body, d + 1);
        return line(d, "});");
      case stmt::kind::sync: return line(d, "block.sync();  // line " + std::to_string(s.line));
      case stmt::kind::warp_sync: return line(d, "block.warp().sync();");
      case stmt::kind::named_sync:
      case stmt::kind::named_arrive:
        return line(d, "tg::barrier<" + std::to_string(s.index) + ">(block, " + std::to_string(s.times) + "_c)." +
                           (s.what == stmt::kind::named_sync ? "sync" : "arrive") + "();  // line " + std::to_string(s.line));
      case stmt::kind::copy_async:
        return line(d, "tg::async_copy(" + place(s.index, s.in[0], false, true) + ", " + place(s.other, s.in[1], false, false) +
                           ");  // line " + std::to_string(s.line));
      case stmt::kind::commit_wait: return line(d, "groups.commit().wait(" + std::to_string(s.times) + "_c);  // async_groups");
    }
  }

  static std::string text_of_number(type t, bits n) {
    char out[64];
    if (is_float(t)) {
      std::snprintf(out, sizeof out, "%.17g", to_double(t, n));
      std::string s = out;
      if (s.find_first_of(".en") == s.npos) s += ".0";
      return t == type::f32 ? s + "f" : s;
    }
    if (t == type::b) return n != 0 ? "true" : "false";
    const std::string digits = is_signed(t) ? std::to_string(to_signed(t, n)) : std::to_string(n & mask_of(t));
    if (t == type::s32) return n == 0x80000000u ? "(-2147483647 - 1)" : digits;
    if (t == type::s64) return n == bits{1} << 63 ? "(-9223372036854775807ll - 1)" : digits + "ll";
    if (t == type::u32) return digits + "u";
    if (t == type::u64) return digits + "ull";
    return std::string(name_of(t)) + "{" + digits + "}";
  }

  // Where a C++ number is no device value.
  std::string value(const expr& e) const {
    return e.what == op::literal ? std::string("tg::var<") + name_of(e.of) + ">(" + text(e) + ")" : text(e);
  }

  std::string text(const expr& e) const {
    // clang-format off
    static const std::map<op, const char*> words{
        {op::thread_x, "block.thread.x"}, {op::thread_y, "block.thread.y"}, {op::thread_z, "block.thread.z"}, {op::block_x, "block.index.x"},
        {op::block_y, "block.index.y"}, {op::block_z, "block.index.z"}, {op::grid_x, "block.grid.x"}, {op::grid_y, "block.grid.y"},
        {op::grid_z, "block.grid.z"}, {op::global_x, "block.global_index()"}, {op::thread_index, "block.thread_index()"},
        {op::lane, "block.warp().lane"}, {op::warp_index, "block.warp().index"}};
    static const std::map<op, const char*> between{
        {op::add, "+"}, {op::sub, "-"}, {op::mul, "*"}, {op::div, "/"}, {op::rem, "%"}, {op::bit_and, "&"}, {op::bit_or, "|"}, {op::bit_xor, "^"},
        {op::shl, "<<"}, {op::shr, ">>"}, {op::lt, "<"}, {op::le, "<="}, {op::gt, ">"}, {op::ge, ">="}, {op::eq, "=="}, {op::ne, "!="},
        {op::logic_and, "&&"}, {op::logic_or, "||"}};
    static const std::map<op, const char*> calls{
        {op::min, "tg::min"}, {op::max, "tg::max"}, {op::mul_high, "tg::mul_high"}, {op::popcount, "tg::popcount"}, {op::leading_zeros, "tg::leading_zeros"},
        {op::reverse_bits, "tg::reverse_bits"}, {op::extract_bits, "tg::extract_bits"}, {op::fma, "tg::fma"}, {op::absolute, "tg::abs"}, {op::sqrt, "tg::sqrt"},
        {op::floor, "tg::floor"}, {op::ceil, "tg::ceil"}, {op::round_even, "tg::round_even"}, {op::trunc, "tg::trunc"}, {op::select, "tg::select"},
        {op::shuffle_idx, "block.warp().shuffle"}, {op::shuffle_up, "block.warp().shuffle_up"}, {op::shuffle_down, "block.warp().shuffle_down"},
        {op::shuffle_xor, "block.warp().shuffle_xor"}, {op::vote_any, "block.warp().any"}, {op::vote_all, "block.warp().all"}, {op::ballot, "block.warp().ballot"},
        {op::block_count, "tg::block_count"}, {op::block_any, "tg::block_any"}, {op::block_all, "tg::block_all"}};
    // clang-format on
    if (e.what == op::literal && e.is_constant) {
      const std::int64_t n = to_signed(e.of, e.number);
      return n < 0 ? "tg::constant<" + std::to_string(n) + ">{}" : std::to_string(n) + "_c";
    }
    if (e.what == op::literal) return text_of_number(e.of, e.number);
    if (e.what == op::scalar) return "s" + std::to_string(e.index);
    if (e.what == op::name) return v(e.index);
    if (const auto w = words.find(e.what); w != words.end()) return w->second;
    if (e.what == op::logic_not) return "!(" + text(e.in[0]) + ")";
    if (e.what == op::negate) return "-(" + value(e.in[0]) + ")";
    if (e.what == op::bit_not) return "~(" + value(e.in[0]) + ")";
    if (const auto b = between.find(e.what); b != between.end()) {
      const bool both = e.in[0].what == op::literal && e.in[1].what == op::literal;
      return "(" + (both || (e.what >= op::shl && e.what <= op::shr) ? value(e.in[0]) : text(e.in[0])) + " " + b->second + " " +
             text(e.in[1]) + ")";
    }
    if (e.what == op::cast) return std::string("tg::cast<") + name_of(e.of) + ">(" + value(e.in[0]) + ")";
    if (e.what == op::load) return place(e.index, e.in[0], e.is_traced, false);
    if (is_atomic(e.what)) {
      static const std::map<op, const char*> atomics{{op::atomic_add, "tg::atomic_add"},
                                                     {op::atomic_max, "tg::atomic_max"},
                                                     {op::atomic_exchange, "tg::atomic_exchange"},
                                                     {op::store_relaxed, "tg::atomic_store"},
                                                     {op::store_release, "tg::atomic_store<tg::order::release>"},
                                                     {op::load_relaxed, "tg::atomic_load"},
                                                     {op::load_acquire, "tg::atomic_load<tg::order::acquire>"}};
      const bool loads = e.in.size() == 1;
      return std::string(atomics.at(e.what)) + "(" + place(e.index, e.in[0], false, !loads) +
             (loads ? "" : ", " + text(e.in[1])) + ")";
    }
    std::string out = std::string(calls.at(e.what)) + "(" + (is_block_wide(e.what) ? "block, " : "");
    for (std::size_t n = 0; n < e.in.size(); ++n) out += (n == 0 ? "" : ", ") + (n == 0 ? value(e.in[0]) : text(e.in[n]));
    return out + ")";
  }

  const kernel& kernel_;
  std::map<int, int> arrays_;  // first register, and how many
  std::string out_;
};

/// The kernel, and how it was launched.
inline std::string to_text(const kernel& k, const launch& l) {
  std::string out = printer(k)() + "// grid " + std::to_string(l.grid[0]) + " x " + std::to_string(l.grid[1]) + " x " +
                    std::to_string(l.grid[2]);
  for (std::size_t n = 0; n < l.scalars.size(); ++n)
    out += ", s" + std::to_string(n) + " = " + std::to_string(l.scalars[n] & mask_of(k.scalars[n]));
  for (const auto& [at, v] : l.elements)
    out += ", b" + std::to_string(at.first) + "(" + std::to_string(at.second) + ") = " + std::to_string(v);
  return out + ", data " + std::to_string(l.data) + "\n";
}

}  // namespace judge
