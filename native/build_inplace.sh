#!/usr/bin/env bash
# Build the native parts into src/routekit, for work in a checkout without installing. The files are git-ignored.
# usage: native/build_inplace.sh [PYTHON] [extra cmake arguments...]
set -euo pipefail
cd "$(dirname "$0")"
python=${1:-python3}
shift || true
build=../build/inplace
cmake -S . -B "$build" -DPython_EXECUTABLE="$(command -v "$python")" "$@" >/dev/null
cmake --build "$build" --parallel 2
cmake --install "$build" --prefix ../src >/dev/null
