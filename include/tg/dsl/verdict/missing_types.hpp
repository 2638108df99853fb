// Class templates of the language whose headers may be forgotten. Each is declared here so that its name is known; its header
// defines it by a constrained specialization. Without that header an object of it fails with TG139, which names the header.
#pragma once

namespace tg {

namespace missing {

/// False, and known only when a template is instantiated.
template <class...> inline constexpr bool is_type_there = false;
template <auto...> inline constexpr bool is_number_there = false;

}  // namespace missing

/// Groups of asynchronous copies that are under way: tg/dsl/async/async_groups.hpp.
template <int Pending = 0, int Landed = 0> class async_groups {
  static_assert(missing::is_number_there<Pending, Landed>, "TG139: include tg/dsl/async/async_groups.hpp, or tg/tg.hpp");
};

/// A struct in registers that can be assigned: tg/dsl/structs/struct_var.hpp.
template <class T> class struct_var {
  static_assert(missing::is_type_there<T>, "TG139: include tg/dsl/structs/struct_var.hpp, and name a struct of numbers");

 public:
  template <class... A> explicit(false) struct_var(const A&...) {}
};

/// The left or the right operand of a product.
enum class mma_side { a, b };

/// An operand of a product in registers: tg/dsl/matrix/fragment.hpp.
template <mma_side Side, int Lines, int Depth, class T> struct fragment {
  static_assert(missing::is_type_there<T>,
                "TG139: include tg/dsl/matrix/fragment.hpp, or tg/tg.hpp, and name a type that mma multiplies");
};
/// The left operand of an M x K product.
template <int M, int K, class T> using a_fragment = fragment<mma_side::a, M, K, T>;
/// The right operand of a K x N product.
template <int K, int N, class T> using b_fragment = fragment<mma_side::b, N, K, T>;

/// The sums of a product in registers: tg/dsl/matrix/fragment.hpp.
template <int M, int N, class T> class accumulator {
  static_assert(missing::is_type_there<T>,
                "TG139: include tg/dsl/matrix/fragment.hpp, or tg/tg.hpp, and name a type that mma sums");

 public:
  template <class... A> explicit(false) accumulator(const A&...) {}
};

/// The sums of a product of a warpgroup in registers: tg/dsl/wgmma/group_accumulator.hpp.
template <int M, int N, class T> class group_accumulator {
  static_assert(missing::is_type_there<T>,
                "TG139: include tg/dsl/wgmma/wgmma.hpp, or tg/tg.hpp, and name a type that wgmma sums");

 public:
  template <class... A> explicit(false) group_accumulator(const A&...) {}
};

/// Which half of a sparse operand is kept: tg/dsl/matrix/mma_sparse.hpp.
template <int K, class T, int Selector = 0> struct sparse_metadata {
  static_assert(missing::is_type_there<T>,
                "TG139: include tg/dsl/matrix/mma_sparse.hpp, or tg/tg.hpp, and name a type that mma.sp multiplies");
  template <class... A> explicit(false) sparse_metadata(const A&...) {}
};

}  // namespace tg
