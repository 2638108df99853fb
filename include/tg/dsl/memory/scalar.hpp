// Numbers that a kernel is launched with.
#pragma once

#include <tg/dsl/memory/view.hpp>

namespace tg {

/// A scalar parameter: `tg::scalar<unsigned> n`, or `tg::scalar<unsigned, tg::multiple_of<16>> n` with a contract that
/// the analysis relies on and the launch checks, or `tg::scalar<unsigned, tg::at_most<1024>> n` with one that it checks.
template <scalar_type T, class Contract = multiple_of<1>>
class scalar : public detail::fixed_number, public detail::unknown_to_host<T> {
 public:
  using element_type = T;
  using device_type = T;
  using form = std::conditional_t<is_integer<T>, index::single<index::uniform<detail::promised<Contract>, std::is_signed_v<T>>>,
                                  index::data>;
  static constexpr int rank = 0;
  static constexpr long long multiple_of = detail::promised<Contract>;
  static constexpr long long most = detail::promised_most<Contract>;
  static_assert(sizeof(Contract) != 0);
  static_assert(is_integer<T> || (multiple_of == 1 && most == 0),
                "TG126: tg::multiple_of and tg::at_most are contracts on integers");

  TG_ALWAYS_INLINE explicit scalar(const ptx::operand& loaded) : loaded_(loaded) {}
  scalar(const scalar&) = default;

  // Errors: TG127.
  void operator=(const scalar&) { (void)sizeof(diagnosis::fixed_value<sizeof(T) == 0, scalar>); }
  template <class X> void operator=(const X&) const { (void)sizeof(diagnosis::fixed_value<sizeof(X) == 0, scalar>); }

  TG_ALWAYS_INLINE value<T, form> get() const { return {loaded_}; }
  operator value<T>() const { return get(); }

 private:
  ptx::operand loaded_;
};

}  // namespace tg
