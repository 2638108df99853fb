// How often a tile was assigned while its kernel is recorded. The tile and the trees that read it share one count.
#pragma once

#include <cstdint>

#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

/// A count that its copies share: the number of one that the recording keeps, so that trees are plain values, without code for
/// their copies and destructors.
class change_count {
 public:
  /// Belongs to a tile that does not change.
  change_count() = default;
  /// Begins at 0. Errors: TG121 outside of a kernel.
  static change_count start() {
    change_count out;
    out.number_ = tracer::current().new_changes();
    return out;
  }

  /// Whether the tile is one that changes.
  explicit operator bool() const { return number_ != 0; }
  /// Whether both belong to one tile that changes.
  bool is_shared_with(const change_count& other) const { return number_ != 0 && number_ == other.number_; }
  unsigned count() const { return number_ == 0 ? 0 : own().count; }
  /// The line of the last change.
  source_location where() const { return number_ == 0 ? source_location{} : own().where; }
  void add(source_location where) const {
    tracer::changes& changes = own();
    ++changes.count;
    changes.where = where;
  }

 private:
  tracer::changes& own() const { return tracer::current().changes_of(number_); }

  std::uint32_t number_ = 0;
};

}  // namespace tg::detail
