// The enumerators of our headers beside those of cuda.h.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "toolkit.hpp"

namespace toolkit {

struct enumerator {
  std::string name;  // the driver's
  long long value;
};

/// Every enumerator of our header by the driver's name, which is the prefix named in the comment above it and its own
/// name in capitals.
inline std::vector<enumerator> enumerators_of(std::string_view text) {
  std::vector<enumerator> out;
  for (std::size_t at = 0; (at = text.find("\nenum ", at)) != text.npos;) {
    const auto comment = text.substr(0, at);
    auto prefix = comment.substr(comment.rfind("CU_"));
    prefix = prefix.substr(0, prefix.find('.'));
    const auto open = text.find('{', at);
    const auto close = text.find('}', at);
    std::string_view body = text.substr(open + 1, close - open - 1);
    while (!body.empty()) {
      const auto comma = std::min(body.find(','), body.size());
      const auto one = body.substr(0, comma);
      body.remove_prefix(std::min(comma + 1, body.size()));
      const auto equal = one.find('=');
      if (equal == one.npos) continue;
      std::string name;
      for (const char c : one.substr(0, equal))
        if (!std::isspace(static_cast<unsigned char>(c))) name += static_cast<char>(std::toupper(c));
      if (name.back() == '_') name.pop_back();
      out.push_back({std::string(prefix) + name, std::strtoll(std::string(one.substr(equal + 1)).c_str(), nullptr, 0)});
    }
    at = close;
  }
  return out;
}

inline std::vector<std::string> disagreements(const std::vector<enumerator>& ours, const std::string& cuda_h) {
  const auto theirs = numbers(cuda_h);
  std::vector<std::string> out;
  for (const auto& [name, value] : ours) {
    auto found = theirs.find(name);
    if (found == theirs.end()) found = theirs.find(name + "_AS_INT");
    if (found == theirs.end()) out.push_back(name + " is not in cuda.h");
    else if (found->second != value)
      out.push_back(name + " is " + std::to_string(value) + " here and " + std::to_string(found->second) + " in cuda.h");
  }
  return out;
}

}  // namespace toolkit
