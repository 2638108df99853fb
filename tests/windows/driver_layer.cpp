// The driver layer as a program for Windows: what opens nvcuda.dll and calls it.
#include <cstdio>

#include <tg/driver.hpp>
#include <tg/driver/call.inl>
#include <tg/driver/call_trace.inl>

int main() {
  const tg::driver::library& driver = tg::driver::libcuda();
  std::printf("%s: version %d, %d devices, %zu functions missing%s%s\n", driver.path.c_str(), driver.version, driver.devices,
              driver.missing.size(), driver.is_available() ? "" : "; ", driver.reason.c_str());
  if (!driver.is_available()) return 0;
  try {
    int devices = 0;
    tg::driver::call(driver.api, driver.api.cuDeviceGetCount, &devices);
    std::printf("%d devices\n", devices);
  } catch (const tg::error& e) { std::puts(e.what()); }
}
