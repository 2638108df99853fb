// Includes nothing of tg: the precompiled header brings it.
#include <cstdio>

std::vector<float> twice(const std::vector<float>& numbers);

int main() {
  for (const float number : twice(std::vector<float>(1000, 1.5f)))
    if (number != 3.0f) return std::puts("2 * 1.5 is not 3"), 1;
  std::puts("2 * 1.5 is 3, 1000 times");
}
