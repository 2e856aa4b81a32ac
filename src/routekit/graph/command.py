"""``python -m routekit rewrite IN OUT``: rewrite an encoder and print what became of every layer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from routekit.errors import RoutekitError

_WHAT = "Rewrite an encoder, and print what became of every layer. Exit status: 0 proven and saved, 2 not."


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 when a rewritten graph was proven and saved, 2 when not."""
    parser = argparse.ArgumentParser(prog="routekit rewrite", description=_WHAT)
    parser.add_argument("in_path", metavar="IN", help="the ONNX file to read")
    parser.add_argument("out_path", metavar="OUT", help="the ONNX file to write")
    parser.add_argument("--target", default="cpu", choices=("cpu", "stock", "rocm", "cuda"))
    parser.add_argument("--precision", default="fp32", choices=("fp32", "bf16", "int16", "int8", "fp16"))
    parser.add_argument("--max-error", type=float, help="allowed difference in logits")
    arguments = parser.parse_args(argv)
    from routekit.graph.rewriter import rewrite

    try:
        report = rewrite(
            arguments.in_path,
            arguments.out_path,
            arguments.target,
            precision=arguments.precision,
            max_error=arguments.max_error,
        )
    except RoutekitError as error:
        print(f"routekit rewrite: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    print(report)
    return 0
