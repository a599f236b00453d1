"""Embedder, reranker and generator behind Protocols; onnxruntime and llama_cpp are imported here alone."""
