// Structs that the tests of struct elements share: of every kind of piece.
#pragma once

#include <array>
#include <cstdint>

#include <tg/dsl/structs/struct_element.hpp>
#include <tg/dsl/vector/narrow_float.hpp>

namespace structs {

struct particle {
  float x, y, z, m;
  friend bool operator==(const particle&, const particle&) = default;
};
struct point {
  float x, y, z;
  friend bool operator==(const point&, const point&) = default;
};
struct rgb8 {
  std::uint8_t r, g, b;
  friend bool operator==(const rgb8&, const rgb8&) = default;
};
template <class T> struct complex {
  T re, im;
  friend bool operator==(const complex&, const complex&) = default;
};
template <class T> complex<T> operator*(const complex<T>& a, const complex<T>& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
// Every size of number, some bytes that no field is on, 24 bytes.
struct mixed {
  float a;
  std::uint8_t b;
  bool c;
  std::int16_t d;
  double e;
  tg::f16 f;
  tg::f16 g;
  std::int8_t h;
  friend bool operator==(const mixed&, const mixed&) = default;
};
struct nested {
  complex<float> c;
  std::array<float, 2> v;
  point p;
  std::int32_t k;
  friend bool operator==(const nested&, const nested&) = default;
};
// Two pieces of 16 bytes, in the second of which only the first half has a field.
struct alignas(16) wide {
  double a, b, c;
  friend bool operator==(const wide&, const wide&) = default;
};
struct pair64 {
  double a;
  std::uint64_t b;
  friend bool operator==(const pair64&, const pair64&) = default;
};
struct split64 {
  double a;
  float b;
  unsigned c;
  friend bool operator==(const split64&, const split64&) = default;
};

}  // namespace structs

BOOST_HANA_ADAPT_STRUCT(structs::particle, x, y, z, m);
BOOST_HANA_ADAPT_STRUCT(structs::point, x, y, z);
BOOST_HANA_ADAPT_STRUCT(structs::rgb8, r, g, b);
BOOST_HANA_ADAPT_STRUCT(structs::complex<float>, re, im);
BOOST_HANA_ADAPT_STRUCT(structs::mixed, a, b, c, d, e, f, g, h);
BOOST_HANA_ADAPT_STRUCT(structs::nested, c, v, p, k);
BOOST_HANA_ADAPT_STRUCT(structs::wide, a, b, c);
BOOST_HANA_ADAPT_STRUCT(structs::pair64, a, b);
BOOST_HANA_ADAPT_STRUCT(structs::split64, a, b, c);
