// Constant expressions of PTX, which may stand wherever a number may.
#pragma once

#include <tg/ptx/parse/parse_lexer.hpp>

namespace tg::ptx::detail {

/// A number in an operand or an initialiser.
struct constant {
  word_kind kind = word_kind::integer;  // integer, f32 or f64
  std::uint64_t bits = 0;
};

/// Reads `1 + (2 << 3)` by precedence climbing. `|` ends an expression where it would make a pair.
class expression {
 public:
  explicit expression(lexer& in) : in_(in) {}

  constant operator()() { return binary(0); }

  /// Whether a constant expression can begin at `w`.
  static bool begins(const word& w) {
    return w.kind == word_kind::integer || w.kind == word_kind::f32 || w.kind == word_kind::f64 || w.is("-") || w.is("+") ||
           w.is("~") || w.is("(") || (w.kind == word_kind::name && w.text == "WARP_SZ");
  }

 private:
  static constexpr int max_depth = 64;

  static int precedence(const word& w) {
    if (w.kind != word_kind::punctuation) return 0;
    const std::string_view t = w.text;
    if (t == "*" || t == "/" || t == "%") return 10;
    if (t == "+" || t == "-") return 9;
    if (t == "<<" || t == ">>") return 8;
    if (t == "<=" || t == ">=" || t == "<" || t == ">") return 7;
    if (t == "==" || t == "!=") return 6;
    if (t == "&") return 5;
    if (t == "^") return 4;
    if (t == "|") return 3;
    if (t == "&&") return 2;
    if (t == "||") return 1;
    return 0;
  }

  constant binary(int least) {
    constant left = unary();
    for (;;) {
      const word op = in_.peek();
      const int own = precedence(op);
      if (own == 0 || own <= least) break;
      in_.take();
      left = apply(op, left, binary(own));
    }
    if (least == 0 && in_.peek().is("?")) {
      in_.take();
      enter();
      const constant yes = binary(0);
      in_.expect(":");
      const constant no = binary(0);
      leave();
      return left.bits != 0 ? yes : no;
    }
    return left;
  }

  constant whole_number() {
    const word at = in_.peek();
    const constant out = unary();
    if (out.kind != word_kind::integer) in_.fail_at(at, bad_number, "a whole number expected");
    return out;
  }

  constant unary() {
    enter();
    const word w = in_.take();
    constant out;
    if (w.kind == word_kind::integer || w.kind == word_kind::f32 || w.kind == word_kind::f64) {
      out = {w.kind, w.value};
    } else if (w.kind == word_kind::name && w.text == "WARP_SZ") {
      out = {word_kind::integer, 32};
    } else if (w.is("(")) {
      if (in_.peek().is_dotted("s64") || in_.peek().is_dotted("u64")) {
        in_.take();
        in_.expect(")");
        out = unary();
      } else {
        out = binary(0);
        in_.expect(")");
      }
    } else if (w.is("-")) {
      out = unary();
      if (out.kind == word_kind::integer) out.bits = 0 - out.bits;
      else out.bits ^= std::uint64_t{1} << (out.kind == word_kind::f32 ? 31 : 63);
    } else if (w.is("+")) {
      out = unary();
    } else if (w.is("~")) {
      out = whole_number();
      out.bits = ~out.bits;
    } else if (w.is("!")) {
      out = whole_number();
      out.bits = out.bits == 0 ? 1 : 0;
    } else {
      in_.fail_at(w, syntax_error, "a number expected");
    }
    leave();
    return out;
  }

  constant apply(const word& op, constant left, constant right) const {
    if (left.kind != word_kind::integer || right.kind != word_kind::integer)
      in_.fail_at(op, bad_number, "arithmetic on floating-point constants", "write the value");
    const std::uint64_t a = left.bits, b = right.bits;
    const auto sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
    const auto is = [&](std::string_view t) { return op.text == t; };
    std::uint64_t out = 0;
    if (is("*")) out = a * b;
    else if (is("+")) out = a + b;
    else if (is("-")) out = a - b;
    else if (is("/") || is("%")) {
      if (b == 0) in_.fail_at(op, bad_number, "division by zero");
      if (sb == -1) out = is("/") ? 0 - a : 0;
      else out = static_cast<std::uint64_t>(is("/") ? sa / sb : sa % sb);
    } else if (is("<<")) out = b > 63 ? 0 : a << b;
    else if (is(">>")) out = static_cast<std::uint64_t>(sa >> (b > 63 ? 63 : b));
    else if (is("<=")) out = sa <= sb;
    else if (is(">=")) out = sa >= sb;
    else if (is("<")) out = sa < sb;
    else if (is(">")) out = sa > sb;
    else if (is("==")) out = a == b;
    else if (is("!=")) out = a != b;
    else if (is("&")) out = a & b;
    else if (is("^")) out = a ^ b;
    else if (is("|")) out = a | b;
    else if (is("&&")) out = a != 0 && b != 0;
    else if (is("||")) out = a != 0 || b != 0;
    return {word_kind::integer, out};
  }

  void enter() {
    if (++depth_ > max_depth) in_.fail(too_large, "an expression nested more than " + std::to_string(max_depth) + " deep");
  }
  void leave() { --depth_; }

  lexer& in_;
  int depth_ = 0;
};

}  // namespace tg::ptx::detail
