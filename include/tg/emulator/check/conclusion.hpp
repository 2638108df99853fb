// How a launch ends that was checked: what was found is handed over, and the first of it thrown.
#pragma once

#include <exception>

#include <tg/emulator/check/watch.hpp>

namespace tg::emulator::check {

/// An error that ended the launch comes first. Errors: those, or the first finding's.
inline void conclude(const options& how, const watch* watch, const std::exception_ptr& error_of_block) {
  dynamic_array<finding> found;
  if (error_of_block) try {
      std::rethrow_exception(error_of_block);
    } catch (const failure& f) { found.push_back(f.found()); } catch (const error& e) {
      found.emplace_back();
      found.back().code = e.code();
      found.back().what = e.what();
    }
  if (watch != nullptr) found.insert(found.end(), watch->found().begin(), watch->found().end());
  if (how.findings != nullptr) how.findings->insert(how.findings->end(), found.begin(), found.end());
  if (error_of_block) std::rethrow_exception(error_of_block);
  if (!found.empty()) throw failure(found.front());
}

}  // namespace tg::emulator::check
