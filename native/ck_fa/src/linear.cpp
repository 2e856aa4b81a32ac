#include "linear.h"

#include <algorithm>
#include <cmath>

namespace routekit {

int64_t Linear::n_panels() const { return (n_columns + kPanelColumns - 1) / kPanelColumns; }

int64_t Linear::n_steps() const {
  const int64_t per_step = bits == 8 ? 4 : 2;
  return (depth + per_step - 1) / per_step;
}

int32_t Linear::limit() const {
  if (bits == 8) return 127;
  const double widest = std::sqrt(2147483647.0 / static_cast<double>(std::max<int64_t>(1, depth)));
  return static_cast<int32_t>(std::min(32767.0, std::floor(widest)));
}

}  // namespace routekit
