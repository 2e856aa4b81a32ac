#include "attention.h"

#include <algorithm>

namespace routekit {

int64_t Strides::offset(int64_t b, int64_t h, int64_t r) const { return b * batch + h * head + r * row; }

int64_t Attention::first_key(int64_t first) const {
  return window_left < 0 ? 0 : std::min(n_keys, std::max<int64_t>(0, first - window_left));
}

int64_t Attention::end_key(int64_t last) const {
  return window_right < 0 ? n_keys : std::min(n_keys, last + window_right);
}

}  // namespace routekit
