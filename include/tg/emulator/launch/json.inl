// Findings as JSON, made with nlohmann's library.
#pragma once

#include <tg/emulator/launch/json.hpp>

#include <nlohmann/json.hpp>

#include <tg/base/config.hpp>
#include <tg/emulator/launch/finding.hpp>

namespace tg::emulator::check {

namespace detail {

inline nlohmann::ordered_json object_of(const site& s) {
  nlohmann::ordered_json out{{"instruction", s.instruction}, {"ptx_line", s.ptx_line}, {"file", s.file}, {"line", s.line}};
  if (s.has_thread) out["thread"] = s.thread, out["block"] = s.block;
  return out;
}

}  // namespace detail

TG_LIBRARY_FUNCTION std::string to_json(const finding& f) {
  nlohmann::ordered_json out{{"checker", name(f.kind)},
                             {"code", "TG" + std::to_string(static_cast<int>(f.code))},
                             {"what", f.what},
                             {"detail", f.detail},
                             {"fix", f.fix},
                             {"kernel", f.kernel}};
  if (!f.at.instruction.empty()) out["at"] = detail::object_of(f.at);
  if (f.other) out["other"] = detail::object_of(*f.other);
  if (f.has_address) out["address"] = hex(f.address), out["bytes"] = f.bytes;
  out["count"] = f.count;
  return out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);  // text from PTX may not be UTF-8
}

TG_LIBRARY_FUNCTION std::string to_json(std::span<const finding> all) {
  std::string out = "[";
  for (const finding& f : all) out += (&f == all.data() ? "\n  " : ",\n  ") + to_json(f);
  return out + "\n]\n";
}

}  // namespace tg::emulator::check
