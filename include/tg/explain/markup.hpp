// Markup that is well-formed by construction: texts are escaped, and what is opened is closed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tg/base/dynamic_array.hpp>
#include <utility>

namespace tg::report {

/// `text` as it stands inside an element or an attribute.
inline std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' ? ' ' : c;
    }
  return out;
}

/// HTML or SVG on its way.
class markup {
 public:
  using attributes = std::initializer_list<std::pair<std::string_view, std::string>>;

  /// Closes its element when it goes.
  class scope {
   public:
    scope(markup& out, std::string_view tag) : out_(out), tag_(tag) {}
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() { out_.raw("</").raw(tag_).raw(">"); }

   private:
    markup& out_;
    std::string_view tag_;
  };

  /// Opens an element that is closed with the scope. Requires: `tag` is a literal.
  [[nodiscard]] scope in(std::string_view tag, attributes with = {}) {
    begin(tag, with).raw(">");
    return {*this, tag};
  }
  /// An element with a text.
  markup& element(std::string_view tag, attributes with, std::string_view text) {
    return begin(tag, with).raw(">").text(text).raw("</").raw(tag).raw(">");
  }
  /// An element without contents: `<rect x="1"/>`.
  markup& single(std::string_view tag, attributes with) { return begin(tag, with).raw("/>"); }
  markup& text(std::string_view text) { return raw(escaped(text)); }
  /// Text that is markup already.
  markup& raw(std::string_view text) {
    out_ += text;
    return *this;
  }

  const std::string& str() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  markup& begin(std::string_view tag, attributes with) {
    raw("<").raw(tag);
    for (const auto& [name, value] : with) raw(" ").raw(name).raw("=\"").text(value).raw("\"");
    return *this;
  }

  std::string out_;
};

}  // namespace tg::report
