// Two charts as SVG: registers over the program, and the roofline.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include <tg/explain/explanation.hpp>
#include <tg/explain/markup.hpp>
#include <tg/explain/number.hpp>

namespace tg::report {

namespace detail {

inline std::string at(double x) { return fixed_text(x, 1); }

/// A frame of 520 x 220 whose plot leaves room for the names of the axes.
class chart {
 public:
  static constexpr double left = 46, right = 496, top = 20, bottom = 184;

  chart(markup& out, const std::string& label)
      : out_(out),
        svg_(out.in("svg", {{"class", "chart"}, {"role", "img"}, {"aria-label", label}, {"viewBox", "0 0 520 220"}})) {}

  void text(double x, double y, const std::string& text, const char* anchor = "middle") {
    out_.element("text", {{"x", at(x)}, {"y", at(y)}, {"text-anchor", anchor}}, text);
  }
  void line(const char* kind, double x0, double y0, double x1, double y1) {
    out_.single("line", {{"class", kind}, {"x1", at(x0)}, {"y1", at(y0)}, {"x2", at(x1)}, {"y2", at(y1)}});
  }
  void path(const char* kind, const std::string& d) { out_.single("path", {{"class", kind}, {"d", d}}); }
  void dot(const char* kind, double x, double y, const std::string& title) {
    const auto own = out_.in("circle", {{"class", kind}, {"cx", at(x)}, {"cy", at(y)}, {"r", "6"}});
    out_.element("title", {}, title);
  }

 private:
  markup& out_;
  markup::scope svg_;
};

/// A logarithmic axis from one power of ten to another, laid on [from, to].
struct log_axis {
  int low = 0, high = 1;
  double from = 0, to = 1;
  double operator()(double value) const { return from + (std::log10(value) - low) / (high - low) * (to - from); }
};

}  // namespace detail

/// 32-bit registers that hold a value, from the first PTX instruction to the last.
inline void draw_pressure(markup& out, const explanation& e) {
  using detail::at;
  const std::uint32_t peak = e.registers.empty() ? 0 : e.registers[e.peak_instruction];
  const int expected = e.expected_registers;
  const double most = std::max({static_cast<double>(peak), static_cast<double>(expected), 8.0}) * 1.1;
  const double count = std::max<double>(1, static_cast<double>(e.registers.size()));
  detail::chart own(out, "registers over the program, " + std::to_string(peak) + " at most");
  const auto x = [&](double n) { return own.left + n / count * (own.right - own.left); };
  const auto y = [&](double r) { return own.bottom - r / most * (own.bottom - own.top); };
  const int step = most > 160 ? 64 : most > 80 ? 32 : most > 40 ? 16 : 8;
  for (int r = 0; r <= most; r += step) {
    own.line("grid", own.left, y(r), own.right, y(r));
    own.text(own.left - 6, y(r) + 4, std::to_string(r), "end");
  }
  std::string curve = "M" + at(own.left) + " " + at(own.bottom);
  for (std::size_t n = 0; n < e.registers.size(); ++n)
    if (n == 0 || e.registers[n] != e.registers[n - 1])
      curve += (n == 0 ? std::string("V") : "H" + at(x(static_cast<double>(n))) + "V") + at(y(e.registers[n]));
  own.path("area", curve + "H" + at(own.right) + "V" + at(own.bottom) + "Z");
  own.line("mark", own.left, y(expected), own.right, y(expected));
  own.text(own.right, y(expected) - 5, "ptxas, estimated: " + std::to_string(expected), "end");
  own.dot("here", x(e.peak_instruction + 0.5), y(peak),
          std::to_string(peak) + " registers at instruction " + std::to_string(e.peak_instruction));
  own.text((own.left + own.right) / 2, own.bottom + 26, "PTX instructions, 0 to " + std::to_string(e.registers.size()));
}

/// The roof over operations per byte, and where the kernel stands under it.
inline void draw_roofline(markup& out, const explanation& e) {
  using detail::at;
  const double intensity = e.cost.arithmetic_intensity(), ridge = e.roof.ridge();
  const auto power = [](double v) { return static_cast<int>(std::floor(std::log10(v))); };
  detail::chart own(out, "roofline of " + std::string(e.device.name));
  double lowest = ridge, highest = ridge;
  for (const double ops : {intensity, e.intensity()})
    if (ops > 0) lowest = std::min(lowest, ops), highest = std::max(highest, ops);
  detail::log_axis x{power(lowest / 3), power(highest * 3) + 1, own.left, own.right};
  const double least = std::pow(10, x.low) * e.roof.gb_per_s / 1000;
  detail::log_axis y{power(least), power(e.roof.tflops) + 1, own.bottom, own.top};
  const auto tick = [](int p) {
    return p < 0 ? rounded(std::pow(10, p)) : grouped(static_cast<std::uint64_t>(std::pow(10, p)));
  };
  for (int p = x.low; p <= x.high; ++p) {
    own.line("grid", x(std::pow(10, p)), own.top, x(std::pow(10, p)), own.bottom);
    own.text(x(std::pow(10, p)), own.bottom + 14, tick(p));
  }
  for (int p = y.low; p <= y.high; ++p) {
    own.line("grid", own.left, y(std::pow(10, p)), own.right, y(std::pow(10, p)));
    own.text(own.left - 6, y(std::pow(10, p)) + 4, tick(p), "end");
  }
  own.path("roof",
           "M" + at(own.left) + " " + at(y(least)) + "L" + at(x(ridge)) + " " + at(y(e.roof.tflops)) + "H" + at(own.right));
  own.text(own.right - 4, y(e.roof.tflops) - 6, rounded(e.roof.tflops) + " TFLOP/s, " + e.roof_name, "end");
  own.text(own.left + 4, own.top + 10, rounded(e.roof.gb_per_s) + " GB/s", "start");
  own.text((own.left + own.right) / 2, own.bottom + 30, "operations per byte of global memory");
  const auto stand = [&](const char* kind, double ops, const char* what) {
    if (ops <= std::pow(10, x.low) || ops >= std::pow(10, x.high)) return;
    const double reach = e.roof.attainable_tflops(ops);
    own.line("mark", x(ops), y(reach), x(ops), own.bottom);
    own.dot(kind, x(ops), y(reach),
            std::string(what) + ": " + rounded(ops) + " operations per byte, " + rounded(reach) + " TFLOP/s at most");
  };
  if (e.counted) stand("counted", e.intensity(), "counted");
  stand("here", intensity, "before it runs");
}

}  // namespace tg::report
