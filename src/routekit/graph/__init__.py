"""Rewriting ONNX graphs so that long texts run in linear memory."""
