// The directives that a PTX text begins with: .version, .target, .address_size.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/parse/parse_lexer.hpp>

namespace tg::ptx::detail {

class header_parser {
 public:
  header_parser(lexer& in, module& m) : in_(in), module_(m) {}

  void operator()() {
    if (!in_.accept_dotted("version")) in_.fail(syntax_error, "'.version' expected", "a PTX text begins with it");
    version();
    if (!in_.accept_dotted("target")) in_.fail(syntax_error, "'.target' expected");
    target();
    if (!in_.accept_dotted("address_size")) return;
    if (in_.expect_integer("an address size", 64) != 64)
      in_.fail(unsupported, "32-bit addresses are not supported", "compile with 64-bit addresses");
  }

 private:
  /// `7.8`, which the lexer reads as one number.
  void version() {
    const word w = in_.take();
    const std::size_t dot = w.text.find('.');
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto number = [&](std::string_view digits) {
      int out = 0;
      for (const char c : digits) {
        if (!digit(c)) in_.fail_at(w, syntax_error, "a version expected");
        out = 10 * out + (c - '0');
      }
      return out;
    };
    if (w.kind != word_kind::f64 || dot == 0 || dot > 2 || dot + 1 >= w.text.size() || w.text.size() > dot + 3)
      in_.fail_at(w, syntax_error, "a version expected");
    module_.version = {number(w.text.substr(0, dot)), number(w.text.substr(dot + 1))};
  }

  /// `sm_90a, debug`, or `compute_90`; what follows the architecture is not kept.
  void target() {
    architecture(in_.take());
    while (in_.accept(",")) {
      const word w = in_.take();
      if (is_architecture(w)) architecture(w);
      else if (w.text != "debug" && w.text != "texmode_unified" && w.text != "texmode_independent")
        in_.fail_at(w, syntax_error, "'" + std::string(w.text) + "' is no target");
    }
  }

  static bool is_architecture(const word& w) {
    return w.kind == word_kind::name && (w.text.starts_with("sm_") || w.text.starts_with("compute_"));
  }

  void architecture(const word& w) {
    if (!is_architecture(w)) in_.fail_at(w, syntax_error, "a target expected", "begin with the GPU, such as sm_80");
    const std::size_t begin = w.text.find('_') + 1;
    std::size_t end = begin;
    int sm = 0;
    for (; end < w.text.size() && w.text[end] >= '0' && w.text[end] <= '9' && end < begin + 4; ++end)
      sm = 10 * sm + (w.text[end] - '0');
    const std::string_view suffix = w.text.substr(end);
    if (end == begin || (suffix != "" && suffix != "a" && suffix != "f"))
      in_.fail_at(w, syntax_error, "'" + std::string(w.text) + "' is no target");
    module_.sm = sm;
    module_.target_suffix = suffix;
  }

  lexer& in_;
  module& module_;
};

}  // namespace tg::ptx::detail
