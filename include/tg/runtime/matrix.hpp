// A buffer seen as rows and columns, as an argument of a launch.
#pragma once

#include <tg/runtime/buffer.hpp>

namespace tg {

/// Rows × columns in a buffer, where row r begins at element r * leading.
/// Requires: the buffer outlives the matrix.
/// Errors: TG530 when the rows do not fit into the buffer.
/// Example: gpu.launch(blur, tg::cover(width, height), tg::matrix(in, height, width), tg::matrix(out, height, width));
template <class T>
class matrix {
 public:
  matrix(part<T> elements, std::size_t rows, std::size_t columns, std::size_t leading)
      : elements_(elements), rows_(rows), columns_(columns), leading_(leading) {
    if (leading < columns || (rows > 0 && !fits())) [[unlikely]] fail();
  }
  matrix(part<T> elements, std::size_t rows, std::size_t columns) : matrix(elements, rows, columns, columns) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t leading() const { return leading_; }
  std::size_t size() const { return elements_.size(); }
  driver::device_address native() const { return elements_.native(); }
  runtime::context* context() const { return elements_.context(); }

 private:
  bool fits() const {
    return columns_ <= size() && (rows_ == 1 || leading_ == 0 || rows_ - 1 <= (size() - columns_) / leading_);
  }
  [[noreturn]] void fail() const {
    throw error(runtime::matrix_shape,
                "a matrix of " + std::to_string(rows_) + " rows and " + std::to_string(columns_) +
                    " columns with a leading dimension of " + std::to_string(leading_) + " in a buffer of " +
                    std::to_string(size()) + " elements",
                "the leading dimension is at least the columns, and rows * leading is at most the size");
  }

  part<T> elements_;
  std::size_t rows_;
  std::size_t columns_;
  std::size_t leading_;
};

template <class T, class... N>
matrix(part<T>, N...) -> matrix<T>;
template <class T, class... N>
matrix(buffer<T>&, N...) -> matrix<T>;
template <class T, class... N>
matrix(const buffer<T>&, N...) -> matrix<const T>;

}  // namespace tg
