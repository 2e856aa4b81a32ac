// The least of test frameworks: EXPECT says where and what, and the program's exit status counts the failures.
#pragma once

#include <cstdio>

inline int n_failures = 0;

#define EXPECT(condition, ...)                                             \
  do {                                                                     \
    if (!(condition)) {                                                    \
      ++n_failures;                                                        \
      std::fprintf(stderr, "%s:%d: %s  ", __FILE__, __LINE__, #condition); \
      std::fprintf(stderr, __VA_ARGS__);                                   \
      std::fprintf(stderr, "\n");                                          \
    }                                                                      \
  } while (false)
