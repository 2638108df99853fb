// The buffers and tiles of a recorded kernel, and their elements.
#pragma once

#include <any>
#include <memory>
#include <vector>

#include <tg/dsl.hpp>

#include "device.hpp"

namespace judge {

template <class T, tg::mode M> using view = tg::view<T, M, 1>;
template <class Element> inline constexpr bool is_written = false;
template <class T, tg::mode M> inline constexpr bool is_written<tg::element<T, M>> = M != tg::mode::read;
template <class T, int N> using tile = tg::tile<T, tg::shape_t<N>, void*>;

/// The buffers and tiles of one kernel while it is recorded.
class elements {
 public:
  /// Makes the parameters that are buffers.
  elements(const kernel& k, tg::detail::tracer& t) : kernel_(k) {
    for (std::size_t n = 0; n < k.objects.size(); ++n) {
      objects_.emplace_back();
      if (k.objects[n].what == object::kind::tile) continue;
      with_type(k.objects[n].of, [&]<class T>() {
        switch (k.objects[n].what) {
          case object::kind::in: objects_[n] = tg::detail::parameter<view<T, tg::mode::read>>::make(t, buffers_); break;
          case object::kind::out: objects_[n] = tg::detail::parameter<view<T, tg::mode::write>>::make(t, buffers_); break;
          default: objects_[n] = tg::detail::parameter<view<T, tg::mode::read_write>>::make(t, buffers_); break;
        }
      });
      ++buffers_;
    }
  }

  int buffers() const { return buffers_; }

  /// Declares the tiles.
  void declare_tiles() {
    for (std::size_t n = 0; n < kernel_.objects.size(); ++n)
      if (kernel_.objects[n].what == object::kind::tile)
        with_tile(n, [&]<class Tile>() { objects_[n] = std::make_shared<const Tile>(at(1)); });
  }

  /// Calls `f(element)` with the element of an object at an index. Errors: malformed.
  template <class F> void with_element(int object, const device& i, bool is_traced, int line, F&& f) const {
    const auto n = static_cast<std::size_t>(object);
    if (n >= kernel_.objects.size()) throw malformed("an object that is not there");
    const auto with_index = [&](const auto& owner) {
      using owner_type = std::remove_cvref_t<decltype(owner)>;
      constexpr bool is_tile = requires { owner_type::size_bytes; };
      switch (i.of) {
        case type::u32:
          if (is_traced) {
            const tg::value<unsigned, tg::index::traced> traced{i.operand};
            if constexpr (is_tile) return f(owner(traced, tg::allow<tg::TG201>("random"), at(line)));
            else return f(owner(traced, tg::allow<tg::TG202>("random"), at(line)));
          }
          return f(owner(tg::gather(as<unsigned>(i)), {}, at(line)));
        case type::s32: return f(owner(tg::gather(as<int>(i)), {}, at(line)));
        case type::u64:
          if constexpr (!is_tile) return f(owner(tg::gather(as<unsigned long long>(i)), {}, at(line)));
          break;
        case type::s64:
          if constexpr (!is_tile) return f(owner(tg::gather(as<long long>(i)), {}, at(line)));
          break;
        default: break;
      }
      throw malformed("no such index");
    };
    const judge::object& o = kernel_.objects[n];
    if (o.what == judge::object::kind::tile)
      return with_tile(n, [&]<class Tile>() { with_index(*std::any_cast<const std::shared_ptr<const Tile>&>(objects_[n])); });
    with_type(o.of, [&]<class T>() {
      switch (o.what) {
        case judge::object::kind::in: return with_index(std::any_cast<const view<T, tg::mode::read>&>(objects_[n]));
        case judge::object::kind::out: return with_index(std::any_cast<const view<T, tg::mode::write>&>(objects_[n]));
        default: return with_index(std::any_cast<const view<T, tg::mode::read_write>&>(objects_[n]));
      }
    });
  }

 private:
  template <class F> void with_tile(std::size_t n, F&& f) const {
    const object& o = kernel_.objects[n];
    const auto sized = [&]<class T>() {
      if (o.elements == 48) return f.template operator()<tile<T, 48>>();
      if (o.elements == 128) return f.template operator()<tile<T, 128>>();
      if (o.elements == 300) return f.template operator()<tile<T, 300>>();
      throw malformed("no tile of that size");
    };
    switch (o.of) {
      case type::u8: return sized.template operator()<std::uint8_t>();
      case type::u32: return sized.template operator()<unsigned>();
      case type::f32: return sized.template operator()<float>();
      case type::u64: return sized.template operator()<unsigned long long>();
      default: throw malformed("no tile of that type");
    }
  }

  const kernel& kernel_;
  int buffers_ = 0;
  std::vector<std::any> objects_;
};

}  // namespace judge
