// Structs on their way between memory and registers: in pieces as wide as their alignment permits.
//
//   float x, y, z, m      one piece of 16 bytes, four words: ld.v4.f32
//   float re, im          one piece of 8 bytes, two words: ld.v2.f32
//   byte r, g, b          three pieces of one byte
//   float a; byte b[4]    one piece of 8 bytes, two words: ld.v2.b32, and the bytes are taken out of the second
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/structs/struct_value.hpp>

namespace tg::detail {

/// Whether a leaf of T is exactly these bytes.
template <class T> constexpr bool is_one_leaf(int first, int bytes) {
  for (const struct_leaf& l : leaves_of<T>)
    if (l.offset_bytes == first && l.bytes == bytes) return true;
  return false;
}

/// The registers that a piece of a struct is moved in.
struct piece_words {
  int bytes = 0;  // of each
  int count = 0;
  bool is_plain = true;  // each is one number, all in registers of one type
  ptx::token reg = ptx::token::none, memory = ptx::token::none;
};

constexpr ptx::token bits_of_bytes(int bytes) {
  return bytes == 1 ? ptx::token::b8 : bytes == 2 ? ptx::token::b16 : bytes == 4 ? ptx::token::b32 : ptx::token::b64;
}

/// Notes in `to` what a leaf of a piece asks of its words.
template <class T> constexpr void add_plain(piece_words& to) {
  if (to.reg == ptx::token::none) {
    to.reg = raw_register<T>;
    to.memory = memory_type<T>;
  }
  if (to.reg != raw_register<T>) to.is_plain = false;
  if (to.memory != memory_type<T>) to.memory = bits_of_bytes(to.bytes);
}

/// `f.template operator()<F>(offset)` for each leaf of T, in order.
template <class T, class F> constexpr void each_leaf(int offset, const F& f) {
  if constexpr (scalar_type<T>) {
    f.template operator()<T>(offset);
  } else {
    [&]<class... Field>(type_list<Field...>) {
      std::size_t k = 0;
      (each_leaf<Field>(offset + field_offsets<T>[k++], f), ...);
    }(fields_of<T>{});
  }
}

template <class T, int AlignBytes, std::size_t Piece>
inline constexpr piece_words words_of = [] {
  constexpr analysis::struct_piece p = struct_pieces<T, AlignBytes>[Piece];
  const auto all_are = [&](int bytes) {
    for (int first = 0; first < p.bytes; first += bytes)
      if (!is_one_leaf<T>(p.offset_bytes + first, bytes)) return false;
    return true;
  };
  piece_words out;
  out.bytes = p.bytes < 4 ? p.bytes : p.bytes % 8 == 0 && all_are(8) ? 8 : 4;
  out.count = p.bytes / out.bytes;
  out.is_plain = all_are(out.bytes);
  if (out.is_plain)
    each_leaf<T>(0, [&]<class F>(int offset) {
      if (offset >= p.offset_bytes && offset < p.offset_bytes + p.bytes) add_plain<F>(out);
    });
  if (!out.is_plain) {
    out.reg = out.bytes == 8 ? ptx::token::b64 : ptx::token::b32;
    out.memory = bits_of_bytes(out.bytes);
  }
  return out;
}();

/// The words of a struct of T between memory and registers.
template <class T, int AlignBytes> class struct_words {
 public:
  static constexpr auto& pieces = struct_pieces<T, AlignBytes>;
  using place_type = struct_place<pieces.size()>;

  static struct_words load(const place_type& p) {
    require_layout<T>(tracer::current().where());
    struct_words out;
    each_piece([&]<std::size_t K>() { out.load_piece<K>(p); });
    return out;
  }
  void store(const place_type& p) const {
    each_piece([&]<std::size_t K>() { store_piece<K>(p); });
  }

  /// The F at `Offset`, in registers.
  template <class F, int Offset> typename device_form<F>::type read() const {
    if constexpr (scalar_type<F>) {
      return value<F>{read_number<F, Offset>()};
    } else {
      return [&]<class... Field, std::size_t... K>(type_list<Field...>, detail::index_sequence<K...>) {
        return typename device_form<F>::type{read<Field, Offset + field_offsets<F>[K]>()...};
      }(fields_of<F>{}, detail::make_index_sequence<fields_of<F>::size>{});
    }
  }

  template <class F, int Offset> void write(const typename device_form<F>::type& x) {
    if constexpr (scalar_type<F>) {
      write_number<F, Offset>(x.operand);
    } else {
      take_apart<F>(x, [&](const auto&... own) {
        [&]<class... Field, std::size_t... K>(type_list<Field...>, detail::index_sequence<K...>) {
          (write<Field, Offset + field_offsets<F>[K]>(own), ...);
        }(fields_of<F>{}, detail::make_index_sequence<fields_of<F>::size>{});
      });
    }
  }

 private:
  static constexpr int most_words = 16;
  using words = fixed_array<ptx::operand, most_words>;

  template <class F> static void each_piece(const F& f) {
    [&]<std::size_t... K>(detail::index_sequence<K...>) {
      (f.template operator()<K>(), ...);
    }(detail::make_index_sequence<pieces.size()>{});
  }

  template <std::size_t K> static place place_of(const place_type& p) {
    place out = p.at;
    out.address.value += pieces[K].offset_bytes;
    out.entry = p.entries[K];
    return out;
  }

  template <std::size_t K> void load_piece(const place_type& p) {
    constexpr const piece_words& w = words_of<T, AlignBytes, K>;
    const auto loaded = detail::load<w.count>(place_of<K>(p), w.reg, w.memory);
    for (std::size_t n = 0; n < loaded.size(); ++n) words_[K][n] = loaded[n];
  }
  template <std::size_t K> void store_piece(const place_type& p) const {
    constexpr const piece_words& w = words_of<T, AlignBytes, K>;
    fixed_array<ptx::operand, w.count> all;
    for (std::size_t n = 0; n < all.size(); ++n) {
      all[n] = words_[K][n];
      // No field is on it.
      if (all[n].is(ptx::operand_kind::none)) all[n] = tracer::current().copy(w.reg, w.reg, ptx::operand::integer(0));
    }
    detail::store<w.count>(place_of<K>(p), all, w.memory);
  }

  static constexpr std::size_t piece_of(int offset) {
    std::size_t k = 0;
    while (pieces[k].offset_bytes + pieces[k].bytes <= offset) ++k;
    return k;
  }

  template <class F, int Offset> ptx::operand read_number() const {
    constexpr std::size_t k = piece_of(Offset);
    constexpr const piece_words& w = words_of<T, AlignBytes, k>;
    constexpr int inside = Offset - pieces[k].offset_bytes;
    constexpr std::size_t n = inside / w.bytes;
    const ptx::operand word = words_[k][n];
    auto& t = tracer::current();
    if constexpr (w.is_plain) {
      return from_memory<F>(t, word);
    } else if constexpr (sizeof(F) == 8 && w.bytes == 4) {
      const fixed_array halves{word, words_[k][n + 1]};
      const ptx::operand own = t.new_register(register_type<F>);
      t.assign(ptx::token::b64, own, t.new_vector(halves.data(), 2));
      return own;
    } else if constexpr (sizeof(F) < 4) {
      return from_word<F>(word, inside % w.bytes / int{sizeof(F)});
    } else if constexpr (register_type<F> != w.reg) {
      return t.copy(register_type<F>, w.reg, word);
    } else {
      return word;
    }
  }

  template <class F, int Offset> void write_number(const ptx::operand& x) {
    constexpr std::size_t k = piece_of(Offset);
    constexpr const piece_words& w = words_of<T, AlignBytes, k>;
    constexpr int inside = Offset - pieces[k].offset_bytes;
    constexpr std::size_t n = inside / w.bytes;
    ptx::operand& word = words_[k][n];
    auto& t = tracer::current();
    if constexpr (w.is_plain) {
      word = to_memory<F>(t, x);
    } else if constexpr (sizeof(F) == 8 && w.bytes == 4) {
      const ptx::operand bits = register_type<F> == ptx::token::b64 ? x : t.copy(ptx::token::b64, ptx::token::b64, x);
      const fixed_array halves{t.new_register(ptx::token::b32), t.new_register(ptx::token::b32)};
      t.assign(ptx::token::b64, t.new_vector(halves.data(), 2), bits);
      word = halves[0];
      words_[k][n + 1] = halves[1];
    } else if constexpr (sizeof(F) < 4) {
      const ptx::operand own = to_word<F>(&x, 1);
      if (word.is(ptx::operand_kind::none)) {
        word =
            inside % w.bytes == 0 ? own : permute(own, ptx::operand::integer(0), selector_of(inside % w.bytes, sizeof(F), 4));
      } else {
        word = permute(word, own, selector_of(inside % w.bytes, sizeof(F), 0));
      }
    } else if constexpr (register_type<F> != w.reg) {
      word = t.copy(w.reg, w.reg, x);
    } else {
      word = x;
    }
  }

  // The bytes of a word in which `bytes` from `first` on are the lowest of the second operand, or, when the rest is byte
  // `rest` of it, of the first. PTX: the selector of prmt.
  static constexpr int selector_of(int first, int bytes, int rest) {
    int selector = 0;
    for (int k = 0; k < 4; ++k) {
      const bool is_new = k >= first && k < first + bytes;
      const int byte = rest != 0 ? (is_new ? k - first : rest) : (is_new ? 4 + k - first : k);
      selector |= byte << 4 * k;
    }
    return selector;
  }

  fixed_array<words, pieces.size()> words_{};
};

}  // namespace tg::detail
