// How often a tile was assigned while its kernel is recorded. The tile and the trees that read it share one count.
#pragma once

#include <tg/base/source_location.hpp>

namespace tg::detail {

/// A count that its copies share. By hand, because <memory> would cost each kernel a quarter of its compile time.
class change_count {
 public:
  /// Belongs to a tile that does not change.
  change_count() = default;
  /// Begins at 0.
  static change_count start() {
    change_count out;
    out.cell_ = new cell;
    return out;
  }
  change_count(const change_count& other) : cell_(other.cell_) {
    if (cell_ != nullptr) ++cell_->users;
  }
  change_count& operator=(const change_count& other) {
    change_count copy = other;
    cell* const own = cell_;
    cell_ = copy.cell_;
    copy.cell_ = own;
    return *this;
  }
  ~change_count() { leave(cell_); }

  /// Whether the tile is one that changes.
  explicit operator bool() const { return cell_ != nullptr; }
  unsigned count() const { return cell_ == nullptr ? 0 : cell_->count; }
  /// The line of the last change.
  source_location where() const { return cell_ == nullptr ? source_location{} : cell_->where; }
  void add(source_location where) const {
    ++cell_->count;
    cell_->where = where;
  }

 private:
  struct cell {
    unsigned users = 1;
    unsigned count = 0;
    source_location where;
  };
  // Not inlined: g++ 12 takes copies that share a cell for uses after its end.
  [[gnu::noinline]] static void leave(cell* c) {
    if (c != nullptr && --c->users == 0) delete c;
  }
  cell* cell_ = nullptr;
};

}  // namespace tg::detail
