// Declarations of variables and parameters, and their initial values.
#pragma once

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/ir/token_name.hpp>
#include <tg/ptx/ir/type.hpp>
#include <tg/ptx/parse/parse_expression.hpp>

namespace tg::ptx::detail {

/// An address in an initial value, whose name may be declared later.
struct pending_relocation {
  std::uint32_t variable = 0;    // of the module
  std::uint32_t relocation = 0;  // of the variable
  word name;
};

/// Reads `.align 4 .b8 name[16] = {…}`, from behind the state space.
class declarations {
 public:
  declarations(lexer& in, module& m) : in_(in), module_(m) {}

  struct typed {
    token type = token::none;
    std::uint32_t align = 0;
    std::uint32_t lanes = 1;  // .v2, .v4
    bool managed = false;
  };

  /// `.attribute(…)`, `.align N`, `.v4`, the type and `.ptr .global .align N`, in this order.
  typed type() {
    typed out;
    while (in_.peek().kind == word_kind::dotted && out.type == token::none) {
      const word w = in_.take();
      if (w.text == "align" && out.lanes == 1) {
        out.align = alignment();
      } else if ((w.text == "v2" || w.text == "v4") && out.lanes == 1) {
        out.lanes = static_cast<std::uint32_t>(w.text[1] - '0');
      } else if (w.text == "attribute") {
        attribute(out);
      } else if (w.text == "texref" || w.text == "surfref" || w.text == "samplerref") {
        in_.fail_at(w, texture_refused, "textures and surfaces are not supported", "read through global memory instead");
      } else {
        const token t = to_token(w.text);
        if (!is_declarable(t)) in_.fail_at(w, unknown_word, "'." + std::string(w.text) + "' is no type");
        out.type = t;
        pointer_attributes();
      }
    }
    if (out.type == token::none) in_.fail(syntax_error, "a type expected");
    if (out.lanes > 1 && (out.type == token::pred || static_cast<int>(out.lanes) * width_bits(out.type) > 128))
      in_.fail(wrong_declaration, "a vector of at most 128 bits, and not of predicates, expected");
    if (out.lanes > 1 && out.align == 0) out.align = out.lanes * static_cast<std::uint32_t>(width_bits(out.type) / 8);
    return out;
  }

  /// Name and extents of one variable of type `t`.
  variable declarator(const typed& t, token space) {
    variable out;
    out.space = space;
    out.type = t.type;
    out.align = t.align;
    out.managed = t.managed;
    out.name = in_.expect_name("a name");
    dimensions_.clear();
    std::uint64_t count = 1;
    bool is_array = false, is_unsized = false;
    while (in_.accept("[")) {
      is_array = true;
      std::uint64_t extent = 0;
      if (!in_.peek().is("]")) {
        const word w = in_.peek();
        const bool is_warp = w.kind == word_kind::name && w.text == "WARP_SZ";
        if (is_warp) in_.take();
        extent = is_warp ? 32 : in_.expect_integer("an extent", ~std::uint64_t{0});
      } else if (dimensions_.empty()) {
        is_unsized = true;
      } else {
        in_.fail(syntax_error, "an extent expected");
      }
      if (extent > most_elements || (extent != 0 && count > most_elements / extent))
        in_.fail(too_large, "an array of more than " + std::to_string(most_elements) + " elements");
      if (!is_unsized || !dimensions_.empty()) count *= extent;
      dimensions_.push_back(extent);
      in_.expect("]");
    }
    if (is_array) out.count = is_unsized ? -1 : static_cast<std::int64_t>(count);
    if (t.lanes > 1) {
      dimensions_.push_back(t.lanes);
      out.count = out.count < 0 ? -1 : static_cast<std::int64_t>(count) * t.lanes;
    }
    if (out.count == 0 && is_array) out.count = -1;  // `[0]` is what some write for `[]`
    return out;
  }

  /// Adds a `.global` or `.const` variable of a function to the module; `name_nested` gives it a name of its own.
  std::uint32_t add_nested(variable v) {
    nested_.push_back(static_cast<std::uint32_t>(module_.variables.size()));
    module_.variables.push_back(std::move(v));
    return nested_.back();
  }

  /// Names the variables of functions apart from those of the module and from each other.
  void name_nested(const std::unordered_map<std::string_view, operand>& names) {
    std::unordered_set<std::string> used;
    for (const std::uint32_t id : nested_) {
      std::string& name = module_.variables[id].name;
      const std::string stem = name;
      for (int n = 0; names.contains(name) || used.contains(name);) name = stem + "_" + std::to_string(++n);
      used.insert(name);
    }
  }

  /// `= 5` and so on behind variable `id` of the module, if there is one.
  void maybe_initial(std::uint32_t id) {
    if (!in_.accept("=")) return;
    variable filled = module_.variables[id];
    filled.initial.clear();
    filled.relocations.clear();
    initial(filled, id);
    module_.variables[id] = std::move(filled);
  }

  /// Requires a size, which extern variables alone may lack.
  void require_size(const variable& v, const word& at) const {
    if (v.count < 0 && !v.external)
      in_.fail_at(at, wrong_declaration, "'" + v.name + "' has no size", "give its extent, or declare it .extern");
  }

  /// `= 5`, `= {1, {2, 3}}`, `= {sym+4, generic(sym)}` of a module variable at `index`.
  void initial(variable& v, std::uint32_t index) {
    if (v.type == token::f16 || v.type == token::f16x2)
      in_.fail(wrong_declaration, "a variable of halves has no initial value", "declare it .b16 and give the bits");
    variable_ = &v;
    index_ = index;
    width_ = static_cast<std::size_t>(std::max(8, width_bits(v.type)) / 8);
    if (dimensions_.empty()) {
      element(0);
      return;
    }
    const std::size_t end = group(0, 0);
    if (v.count < 0) v.count = static_cast<std::int64_t>((end + width_ - 1) / width_);
  }

  /// Dimensions of the variable that `declarator` read last; a vector counts as one dimension.
  std::size_t dimension_count() const { return dimensions_.size(); }

  /// Gives the addresses in initial values their targets.
  void resolve(const std::unordered_map<std::string_view, operand>& names) {
    for (const pending_relocation& p : pending_) {
      const auto at = names.find(p.name.text);
      if (at == names.end()) in_.fail_at(p.name, undeclared_name, "'" + std::string(p.name.text) + "' is not declared");
      operand& target = module_.variables[p.variable].relocations[p.relocation].target;
      target.kind = at->second.kind;
      target.id = at->second.id;
      if (target.is(operand_kind::variable) && module_.variables[target.id].space == token::shared)
        in_.fail_at(p.name, wrong_declaration, "the address of a .shared variable is no initial value",
                    "take the address in the kernel");
    }
  }

 private:
  /// Types that instructions alone have are no types of variables and registers.
  static bool is_declarable(token t) {
    return is_word(t) || is_float(t) || t == token::b8 || t == token::u8 || t == token::s8 || t == token::f16 ||
           t == token::f16x2 || t == token::b128;
  }

  static constexpr std::uint64_t most_elements = std::uint64_t{1} << 40;
  static constexpr std::size_t most_initial_bytes = std::size_t{1} << 28;
  static constexpr std::size_t most_dimensions = 16;

  std::uint32_t alignment() {
    const std::uint64_t n = in_.expect_integer("an alignment", 1u << 20);
    if (!std::has_single_bit(n)) in_.fail(bad_number, "an alignment is a power of two");
    return static_cast<std::uint32_t>(n);
  }

  void attribute(typed& out) {
    in_.expect("(");
    for (int depth = 1; depth > 0;) {
      const word w = in_.take();
      if (w.kind == word_kind::end) in_.fail(syntax_error, "')' expected");
      if (w.is("(")) ++depth;
      if (w.is(")")) --depth;
      if (w.is_dotted("managed")) out.managed = true;
    }
  }

  /// What `.ptr` says of a pointer parameter is a promise to ptxas that the IR does not hold.
  void pointer_attributes() {
    if (!in_.accept_dotted("ptr")) return;
    for (const std::string_view space : {"global", "shared", "const", "local", "generic"})
      if (in_.peek().is_dotted(space)) in_.take();
    if (in_.accept_dotted("align")) alignment();
  }

  /// Elements in one dimension below `offset` bytes; returns the end of what was written.
  std::size_t group(std::size_t dimension, std::size_t offset) {
    if (dimension >= most_dimensions) in_.fail(too_large, "too many nested braces");
    std::uint64_t stride = width_;
    for (std::size_t d = dimension + 1; d < dimensions_.size(); ++d) stride *= dimensions_[d];
    in_.expect("{");
    std::size_t at = offset, end = offset;
    const std::size_t limit = dimensions_[dimension] == 0 ? most_initial_bytes : offset + stride * dimensions_[dimension];
    while (!in_.peek().is("}")) {
      if (at >= limit) in_.fail(bad_number, "more values than elements");
      if (at + stride > most_initial_bytes) in_.fail(too_large, "an initial value of more than 256 MiB");
      if (dimension + 1 < dimensions_.size()) {
        end = group(dimension + 1, at);
      } else {
        element(at);
        end = at + width_;
      }
      at += stride;
      if (!in_.accept(",")) break;
      if (in_.peek().is("}")) in_.fail(syntax_error, "a value expected");
    }
    in_.expect("}");
    return std::max(end, at);
  }

  void element(std::size_t offset) {
    const word w = in_.peek();
    if (w.kind == word_kind::name && w.text != "WARP_SZ") return address(offset);
    const constant c = expression{in_}();
    if (c.kind == word_kind::integer && in_.peek().is("(")) return masked_address(offset, c.bits);
    std::uint64_t bits = c.bits;
    if ((c.kind == word_kind::integer) == is_float(variable_->type))
      in_.fail_at(w, bad_number, is_float(variable_->type) ? "a floating-point number expected" : "a whole number expected");
    if (c.kind == word_kind::f64 && variable_->type == token::f32)
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    else if (c.kind == word_kind::f32 && variable_->type == token::f64)
      bits = std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
    store(offset, bits);
  }

  void store(std::size_t offset, std::uint64_t bits) {
    dynamic_array<std::byte>& bytes = variable_->initial;
    if (bytes.size() < offset + width_) bytes.resize(offset + width_);
    for (std::size_t i = 0; i < width_ && i < 8; ++i) bytes[offset + i] = static_cast<std::byte>(bits >> (8 * i) & 255);
  }

  struct named_address {
    word name;
    variable::relocation relocation;
  };

  /// `name`, `name+4` or `generic(name)+4`.
  named_address read_address(std::size_t offset) {
    named_address out;
    out.relocation.offset = static_cast<std::int64_t>(offset);
    out.name = in_.take();
    if (out.name.text == "generic" && in_.accept("(")) {
      out.relocation.generic = true;
      out.name = in_.take();
      in_.expect(")");
    }
    if (out.name.kind != word_kind::name) in_.fail_at(out.name, syntax_error, "a name expected");
    if (in_.peek().is("+") || in_.peek().is("-"))
      out.relocation.target.value = static_cast<std::int64_t>(expression{in_}().bits);
    return out;
  }

  void add(const named_address& a) {
    pending_.push_back({index_, static_cast<std::uint32_t>(variable_->relocations.size()), a.name});
    variable_->relocations.push_back(a.relocation);
  }

  void address(std::size_t offset) {
    if (width_ != 8) in_.fail(unsupported, "an address in an element of " + std::to_string(width_) + " bytes", "use .u64");
    store(offset, 0);
    add(read_address(offset));
  }

  /// `0xFF00(name)`: one byte of an address in an array of bytes; the eight of them stand one behind the other.
  void masked_address(std::size_t offset, std::uint64_t mask) {
    const word at = in_.take();
    if (width_ != 1) in_.fail_at(at, unsupported, "a masked address in an element of more than a byte");
    store(offset, 0);
    const named_address a = read_address(offset);
    in_.expect(")");
    const dynamic_array<variable::relocation>& all = variable_->relocations;
    const std::size_t byte = mask == 0 ? 0 : static_cast<std::size_t>(std::countr_zero(mask)) / 8;
    if (mask == 0xff) add(a);
    else if (all.empty() || mask != std::uint64_t{0xff} << (8 * byte) ||
             static_cast<std::size_t>(all.back().offset) + byte != offset)
      in_.fail_at(at, unsupported, "bytes of an address out of their order");
  }

  lexer& in_;
  module& module_;
  dynamic_array<std::uint64_t> dimensions_;
  dynamic_array<pending_relocation> pending_;
  dynamic_array<std::uint32_t> nested_;  // variables of functions
  variable* variable_ = nullptr;
  std::uint32_t index_ = 0;
  std::size_t width_ = 1;
};

}  // namespace tg::ptx::detail
