// Everything a kernel relies on, checked before one runs.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention.h"

namespace routekit {

// A wrong argument of the op; becomes ORT_INVALID_ARGUMENT.
struct BadArgument : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// Attributes of the node.
struct Settings {
  float scale = 0.0f;  // 0: 1 / sqrt(head_dim)
  int64_t window_left = -1, window_right = -1;
  bool allow_bf16 = false;
};

using Shape = std::vector<int64_t>;

std::string quoted(const Shape& shape);  // [2, 3]

void check_settings(const Settings& settings);

// `bias` may be null. Throws BadArgument, which quotes the shapes.
Attention check_attention(const Settings& settings, const Shape& q, const Shape& k, const Shape& v, const Shape* bias);

}  // namespace routekit
