// What fragments of the pages find included. A whole program includes what it needs itself.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tg/array.hpp>
#include <tg/emulator.hpp>
#include <tg/explain.hpp>
#include <tg/tg.hpp>
#include <tg/tile.hpp>
