#!/bin/sh
# Build ck_fa and its tests under the sanitizers and run them: address + undefined, then thread.
# usage: sanitize.sh [PYTHON]
# With a PYTHON that has onnxruntime, onnx, pytest and hypothesis, the tests of the op run in ONNX Runtime under
# AddressSanitizer too. (Not under ThreadSanitizer: it does not see how the runtime's own thread pool synchronises.)
# Leaks: the native tests are checked by LeakSanitizer; Python is not, since the interpreter itself leaks at exit.
set -eu
part=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$part/../.." && pwd)
build=${BUILD_DIR:-$root/build/sanitize}
python=${1:-}

build_and_test() { # name, flags
  cmake -S "$root/native" -B "$build/$1" -DROUTEKIT_PARTS=ck_fa -DROUTEKIT_CK_FA_TESTS=ON \
    -DCMAKE_CXX_FLAGS="-g -fno-omit-frame-pointer $2" ${python:+-DPython_EXECUTABLE="$python"} >/dev/null
  cmake --build "$build/$1" >/dev/null
  (cd "$build/$1/ck_fa" && ctest --output-on-failure)
}

build_and_test address "-fsanitize=address,undefined -fno-sanitize-recover=undefined"
build_and_test thread "-fsanitize=thread"

if [ -n "$python" ]; then
  mkdir -p "$build/package"
  cp -r "$root/src/routekit" "$build/package/"
  cmake --install "$build/address" --prefix "$build/package" >/dev/null
  # libstdc++ comes along, or the first exception that the runtime throws finds no interceptor.
  preload="$(${CXX:-g++} -print-file-name=libasan.so) $(${CXX:-g++} -print-file-name=libstdc++.so)"
  cd "$root" && PYTHONPATH="$build/package" ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD="$preload" \
    "$python" -m pytest -q -p no:cacheprovider tests/test_flash_attention.py tests/test_quantized_linear.py \
    tests/test_encoder_layer.py
fi
