"""GGUF files of random weights: a tiny one for the tests, the exact Qwen3-0.6B shape for measuring.

The architecture, the vocabulary (byte pairs with merges, control and user-defined tokens) and the chat
template are real, only the weights say nothing. Weights of the large shape are random blocks of the
Q4_K_M mix (llama.cpp, ggml-quants: block_q4_K of 144 bytes, block_q6_K of 210 bytes for 256 weights).

    python -m tests.gguf_maker OUT.gguf
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

TEMPLATE = (
    "{%- for message in messages %}"
    "{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}"
    "{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}"
    "{%- if enable_thinking is defined and enable_thinking is false %}"
    "{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}{%- endif %}"
)
WORDS = (
    " the of and in to is for snow load shall be not than less clause table value wind roof design"
    " with from minimum given height thickness relevant irrelevant yes no partial"
)
CONTROL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
SEEING = ("<|vision_start|>", "<|vision_end|>")  # around a picture
MARKUP = ("<think>", "</think>")
NORMAL, CONTROL_TYPE, USER_TYPE = 1, 3, 4  # llama_token_type


@dataclass(frozen=True)
class Shape:
    """What decides the size of a Qwen3 model."""

    layers: int = 2
    width: int = 64
    heads: int = 4
    heads_kv: int = 2
    head: int = 16
    inner: int = 128
    vocabulary: int = 600
    context: int = 2048


TINY = Shape()
QWEN3_06B = Shape(28, 1024, 16, 8, 128, 3072, 151_936, 40_960)


def byte_letters() -> list[str]:
    """The printable letter that stands for each byte (GPT-2, encoder.py, bytes_to_unicode)."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    letters = {byte: chr(byte) for byte in plain} | {byte: chr(256 + i) for i, byte in enumerate(others)}
    return [letters[byte] for byte in range(256)]


def vocabulary(size: int, control: tuple[str, ...] = CONTROL) -> tuple[list[str], list[int], list[str]]:
    """Tokens, their types and the merges: bytes, words with all their beginnings, filling, specials."""
    letters = byte_letters()
    tokens = dict.fromkeys(letters)
    merges: dict[str, None] = {}
    for word in WORDS.split():
        for spelled in (letters[ord(" ")] + word, word):
            for end in range(2, len(spelled) + 1):
                merges[f"{spelled[: end - 1]} {spelled[end - 1]}"] = None
                tokens[spelled[:end]] = None
    room = size - len(control) - len(MARKUP)
    parts = ["ba", "cor", "del", "eth", "fi", "gran", "hos", "im", "ju", "ket", "lo", "mun", "nav", "or"]
    for filling in product([letters[ord(" ")], ""], parts, parts, parts, [*parts, ""], ["s", "t", ""]):
        if len(tokens) >= room:
            break
        tokens["".join(filling)] = None
    while len(tokens) < room:
        tokens[f"unused{len(tokens)}"] = None
    named = [*list(tokens)[:room], *control, *MARKUP]
    types = [NORMAL] * room + [CONTROL_TYPE] * len(control) + [USER_TYPE] * len(MARKUP)
    return named, types, list(merges)


def write_gguf(
    path: Path, shape: Shape = TINY, *, seed: int = 0, template: str = TEMPLATE, blocks: bool = False
) -> Path:
    """Write a Qwen3 model of random weights: float32, or as random blocks of the Q4_K_M mix."""
    writer = _transformer(path, "qwen3", shape)
    _add_weights(writer, shape, np.random.default_rng(seed), blocks=blocks)
    return _written(writer, path, shape, template)


def write_seeing(path: Path, shape: Shape = TINY, template: str = TEMPLATE) -> Path:
    """Write a Qwen3-VL language model of random weights: its positions have parts for time, height, width."""
    writer = _transformer(path, "qwen3vl", shape)
    quarter = shape.head // 4
    writer.add_rope_dimension_sections([quarter, quarter // 2, quarter - quarter // 2, 0])
    _add_weights(writer, shape, np.random.default_rng(0), blocks=False)
    return _written(writer, path, shape, template, (*CONTROL, *SEEING))


def write_projector(
    path: Path, width: int = TINY.width, size: int = 64, layers: int = 2, *, tiles: bool = False
) -> Path:
    """Write a projector of random weights of the kind of Qwen3-VL (llama.cpp, tools/mtmd, qwen3vl_merger).

    With `tiles` of the kind of SmolVLM (idefics3), which reads a picture in tiles with words between them.
    """
    import gguf

    own, inner, patch = 32, 64, 8
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_type("mmproj")
    writer.add_bool("clip.has_vision_encoder", True)
    writer.add_bool("clip.use_gelu", True)
    writer.add_string("clip.projector_type", "idefics3" if tiles else "qwen3vl_merger")
    for key, number in {
        "image_size": size,
        "patch_size": patch,
        "embedding_length": own,
        "feed_forward_length": inner,
        "block_count": layers,
        "projection_dim": width,
        "attention.head_count": 2,
        "spatial_merge_size": 2,
        **({"projector.scale_factor": 2, "preproc_image_size": 4 * size} if tiles else {}),
    }.items():
        writer.add_uint32(f"clip.vision.{key}", number)
    writer.add_float32("clip.vision.attention.layer_norm_epsilon", 1e-6)
    for key in ("image_mean", "image_std"):
        writer.add_array(f"clip.vision.{key}", [0.5, 0.5, 0.5])
    random = np.random.default_rng(1)

    def layer(name: str, rows: int, columns: int) -> None:
        writer.add_tensor(f"{name}.weight", _normal(random, (rows, columns)))
        writer.add_tensor(f"{name}.bias", _normal(random, (rows,)))

    def norm(name: str) -> None:
        writer.add_tensor(f"{name}.weight", np.ones(own, dtype=np.float32))
        writer.add_tensor(f"{name}.bias", np.zeros(own, dtype=np.float32))

    for name in ("v.patch_embd.weight", "v.patch_embd.weight.1")[: 1 if tiles else 2]:
        writer.add_tensor(name, _normal(random, (own, 3, patch, patch)))
    writer.add_tensor("v.patch_embd.bias", _normal(random, (own,)))
    writer.add_tensor("v.position_embd.weight", _normal(random, ((size // patch) ** 2, own)))
    norm("v.post_ln")
    for i in range(layers):
        at = f"v.blk.{i}"
        norm(f"{at}.ln1")
        norm(f"{at}.ln2")
        for name in ("attn_q", "attn_k", "attn_v") if tiles else ():
            layer(f"{at}.{name}", own, own)
        if not tiles:
            layer(f"{at}.attn_qkv", 3 * own, own)
        layer(f"{at}.attn_out", own, own)
        layer(f"{at}.ffn_up", inner, own)
        layer(f"{at}.ffn_down", own, inner)
    if tiles:
        writer.add_tensor("mm.model.fc.weight", _normal(random, (width, 4 * own)))
    else:
        layer("mm.0", 4 * own, 4 * own)
        layer("mm.2", width, 4 * own)
    return _closed(writer, path)


def _transformer(path: Path, architecture: str, shape: Shape) -> Any:
    """Return the writer of a model with attention, its shape told."""
    import gguf

    writer = gguf.GGUFWriter(path, architecture)
    writer.add_feed_forward_length(shape.inner)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.heads_kv)
    writer.add_key_length(shape.head)
    writer.add_value_length(shape.head)
    writer.add_rope_freq_base(1e6)
    return writer


def write_recurrent(path: Path, shape: Shape = TINY) -> Path:
    """Write a Mamba model of random weights, whose state cannot be cut back (llama.cpp, LLM_ARCH_MAMBA)."""
    import gguf

    inner, state, rank, kernel = 2 * shape.width, 16, 8, 4
    writer = gguf.GGUFWriter(path, "mamba")
    writer.add_feed_forward_length(0)
    writer.add_head_count(0)
    writer.add_ssm_conv_kernel(kernel)
    writer.add_ssm_inner_size(inner)
    writer.add_ssm_state_size(state)
    writer.add_ssm_time_step_rank(rank)
    random = np.random.default_rng(0)
    shapes = {
        "ssm_in.weight": (2 * inner, shape.width),
        "ssm_conv1d.weight": (inner, kernel),
        "ssm_conv1d.bias": (inner,),
        "ssm_x.weight": (rank + 2 * state, inner),
        "ssm_dt.weight": (inner, rank),
        "ssm_dt.bias": (inner,),
        "ssm_d": (inner,),
        "ssm_out.weight": (shape.width, inner),
    }
    writer.add_tensor("token_embd.weight", _normal(random, (shape.vocabulary, shape.width)))
    writer.add_tensor("output_norm.weight", np.ones(shape.width, dtype=np.float32))
    for i in range(shape.layers):
        writer.add_tensor(f"blk.{i}.attn_norm.weight", np.ones(shape.width, dtype=np.float32))
        writer.add_tensor(f"blk.{i}.ssm_a", -np.abs(_normal(random, (inner, state))))
        for name, dimensions in shapes.items():
            writer.add_tensor(f"blk.{i}.{name}", _normal(random, dimensions))
    return _written(writer, path, shape, TEMPLATE)


def _normal(random: np.random.Generator, dimensions: tuple[int, ...]) -> NDArray[np.float32]:
    return random.normal(0, 0.3, dimensions).astype(np.float32)


def _written(
    writer: Any, path: Path, shape: Shape, template: str, control: tuple[str, ...] = CONTROL
) -> Path:
    """Add what all models have, and write the file."""
    tokens, types, merges = vocabulary(shape.vocabulary, control)
    writer.add_name("random")
    writer.add_license("none")
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges(merges)
    writer.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.add_bos_token_id(tokens.index("<|endoftext|>"))
    writer.add_add_bos_token(False)
    if template:
        writer.add_chat_template(template)
    return _closed(writer, path)


def _closed(writer: Any, path: Path) -> Path:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_weights(writer: Any, shape: Shape, random: np.random.Generator, *, blocks: bool) -> None:
    import gguf

    add = writer.add_tensor

    def matrix(name: str, rows: int, columns: int, *, six: bool = False) -> None:
        if blocks:
            kind = gguf.GGMLQuantizationType.Q6_K if six else gguf.GGMLQuantizationType.Q4_K
            make = _six_bits if six else _four_bits
            add(f"{name}.weight", make(random, rows, columns), raw_dtype=kind)
        else:
            # a tiny model needs larger weights, or it says the same token whatever it reads
            add(f"{name}.weight", _normal(random, (rows, columns)))

    def norm(name: str, width: int) -> None:
        add(f"{name}.weight", np.ones(width, dtype=np.float32))

    matrix("token_embd", shape.vocabulary, shape.width, six=True)
    norm("output_norm", shape.width)
    for i in range(shape.layers):
        eighth = shape.layers // 8
        more = i < eighth or i >= 7 * shape.layers // 8 or (i - eighth) % 3 == 2
        at = f"blk.{i}"
        norm(f"{at}.attn_norm", shape.width)
        matrix(f"{at}.attn_q", shape.heads * shape.head, shape.width)
        matrix(f"{at}.attn_k", shape.heads_kv * shape.head, shape.width)
        matrix(f"{at}.attn_v", shape.heads_kv * shape.head, shape.width, six=more)
        matrix(f"{at}.attn_output", shape.width, shape.heads * shape.head)
        norm(f"{at}.attn_q_norm", shape.head)
        norm(f"{at}.attn_k_norm", shape.head)
        norm(f"{at}.ffn_norm", shape.width)
        matrix(f"{at}.ffn_gate", shape.inner, shape.width)
        matrix(f"{at}.ffn_up", shape.inner, shape.width)
        matrix(f"{at}.ffn_down", shape.width, shape.inner, six=more)


def _four_bits(random: np.random.Generator, rows: int, columns: int) -> NDArray[np.uint8]:
    """Random Q4_K blocks: scales d and dmin set so that the weights have mean 0, deviation about 0.02."""
    data = random.integers(0, 256, (rows, columns // 256, 144), dtype=np.uint8)
    data[:, :, 0:2] = np.frombuffer(np.float16(8e-5).tobytes(), dtype=np.uint8)
    data[:, :, 2:4] = np.frombuffer(np.float16(6e-4).tobytes(), dtype=np.uint8)
    return data.reshape(rows, -1)


def _six_bits(random: np.random.Generator, rows: int, columns: int) -> NDArray[np.uint8]:
    """Random Q6_K blocks: the scale d is last."""
    data = random.integers(0, 256, (rows, columns // 256, 210), dtype=np.uint8)
    data[:, :, 208:210] = np.frombuffer(np.float16(1.5e-5).tobytes(), dtype=np.uint8)
    return data.reshape(rows, -1)


if __name__ == "__main__":
    sys.stdout.write(f"{write_gguf(Path(sys.argv[1]), QWEN3_06B, blocks=True)}\n")
