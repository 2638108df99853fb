// The sums of wgmma, spread over the registers of a warpgroup.
#pragma once

#include <tg/dsl/matrix/fragment.hpp>
#include <tg/dsl/wgmma/group_shape.hpp>

namespace tg {

/// The sums of an M x N product in registers that can be read and assigned while no product is under way:
/// `tg::group_accumulator<64, 128, float> sum = 0.0f;`. Without numbers, `tg::group_accumulator<64, 128, float> sum;`, the
/// first product overwrites. Warp w of the group holds rows 16 w to 16 w + 15 of each 64, as `accumulator<16, N, T>` does; sums
/// of f16 are pairs in an unsigned. Errors: TG153.
/// Source: PTX ISA 9.0, "Register fragments and shared memory matrix layouts" of wgmma.
template <int M, int N, mma_sum_type T>
class group_accumulator<M, N, T>
    : public regs<typename detail::sum_register<T>::type, M * N / 128 / (std::same_as<T, f16> ? 2 : 1)> {
  using base = regs<typename detail::sum_register<T>::type, M * N / 128 / (std::same_as<T, f16> ? 2 : 1)>;

 public:
  using sum_type = T;
  using register_type = typename detail::sum_register<T>::type;
  static constexpr int m = M;
  static constexpr int n = N;
  static_assert(M % 64 == 0 && M > 0 && N % 8 == 0 && N > 0 && N <= 256 && !std::same_as<T, double>,
                "TG153: tg::group_accumulator<M, N, T> has 64 rows or a multiple, 8 to 256 columns, sums of float, f16 or int");
  static constexpr int packed = std::same_as<T, f16> ? 2 : 1;
  static constexpr int elements = M * N / 128;
  static constexpr int registers = elements / packed;
  static constexpr int registers_of_product = N / 2 / packed;  // of 64 rows
  static constexpr fragment_layout layout = make_fragment_layout(16, N, 2);

  /// Registers without numbers.
  explicit group_accumulator(source_location where = source_location::current()) : base(where) {}
  /// All registers start as `x`.
  template <operand_like X>
  group_accumulator(const X& x, source_location where = source_location::current()) : base(x, where) {}
  /// The registers of `other`, handed on.
  group_accumulator(group_accumulator&& other) : base(other, detail::same_registers{}) {}
  group_accumulator(const group_accumulator&) = delete;
  group_accumulator& operator=(const group_accumulator&) = delete;
  /// Takes over the numbers; nothing happens where the registers are these, as behind a wait: `sum = products.wait();`.
  group_accumulator& operator=(group_accumulator&& other) {
    for (std::size_t r = 0; r < registers; ++r)
      if (!((*this)(r).target() == other(r).target())) (*this)(r) = other(r);
    return *this;
  }

  /// Row and column of an element of a thread, 0 to 127 in its warpgroup.
  static constexpr matrix_place place(int thread, int element) {
    const fragment_place at = layout.at(thread % 32, element % (N / 2));
    return {at.line + thread / 32 * 16 + element / (N / 2) * 64, at.step};
  }
  /// Where element `Element` of a thread is in the matrix, in the kernel: `thread` is `block.warpgroup().thread`.
  template <device_value Thread, long long Element> static auto place_of(const Thread& thread, constant<Element>) {
    static_assert(Element >= 0 && Element < elements, "place_of(thread, element) requires an element of the accumulator");
    const auto lane = thread % constant<32>{};
    const auto in_warp = detail::place_on_device<accumulator<16, N, T>, true, static_cast<int>(Element) % (N / 2)>(lane);
    const auto row = in_warp.row + thread / constant<32>{} * constant<16>{} + constant<Element / (N / 2) * 64>{};
    return device_place<decltype(row), decltype(in_warp.column)>{row, in_warp.column};
  }
};

/// Whether X is a `group_accumulator`.
template <class X> inline constexpr bool is_group_accumulator = false;
template <int M, int N, class T> inline constexpr bool is_group_accumulator<group_accumulator<M, N, T>> = true;

}  // namespace tg
