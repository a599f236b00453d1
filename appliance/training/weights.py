"""The weights of an exported int8 model as a Hugging Face folder: a training can start from what ships.

Rules of this module: needs onnx and safetensors (extra `train`), imported inside its functions. It undoes
export.py: each matrix product's int8 weights times the scale of their channel, the word table's rows times
theirs; what stood in float32 is taken as it is. The names of matrices are those of the nodes that use them.
What was rounded stays rounded: such weights give the vectors that the box has, not those of the original.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from appliance.errors import BadInput, ExtraMissing
from appliance.models.catalogue import sha256_of
from appliance.models.protocols import Floats

MODEL, WEIGHTS = "model.onnx", "model.safetensors"
_PRODUCT, _QUANTIZED, _TABLE = "/MatMul_quant", "_quantized", "_int8"


def fingerprint(folder: Path) -> str:
    """Return a hash of the weights in a folder; raises BadInput where there are none."""
    names = (WEIGHTS, MODEL, "pytorch_model.bin")
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    if found is None:
        message = f"{folder} holds no weights ({', '.join(names)}) to start from."
        raise BadInput(message)
    return sha256_of(found)


def is_exported(folder: Path) -> bool:
    """Tell whether a folder holds an exported model and no weights to train."""
    return (folder / MODEL).is_file() and not (folder / WEIGHTS).exists()


def unpacked(folder: Path, into: Path) -> Path:
    """Write the weights of an exported model with its tokenizer to a folder, and return that.

    Raises:
        BadInput: the model is damaged, or was not exported by this program. ExtraMissing: no onnx.
    """
    try:
        import onnx  # noqa: PLC0415 - the extra `train`
        from safetensors.numpy import save_file  # noqa: PLC0415 - idem
    except ModuleNotFoundError as error:
        raise ExtraMissing(extra="train", package=str(error.name)) from None
    try:
        graph = onnx.load(folder / MODEL).graph
        held = {one.name: onnx.numpy_helper.to_array(one) for one in graph.initializer}
    except Exception as error:  # noqa: BLE001 - protobuf and onnx each raise their own
        message = f"{folder / MODEL} is damaged ({type(error).__name__}). See: appliance models verify"
        raise BadInput(message) from None
    products = {
        node.input[1].removesuffix(_QUANTIZED): node.name.removesuffix(_PRODUCT)
        for node in graph.node
        if node.op_type == "MatMulInteger" and node.name.endswith(_PRODUCT)
    }
    if not products:
        message = f"{folder} holds no int8 model that appliance models export made."
        raise BadInput(message)
    into.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "tokenizer.json"):
        shutil.copyfile(folder / name, into / name)
    save_file(weights(held, products), into / WEIGHTS, metadata={"format": "pt"})
    return into


def weights(held: Mapping[str, Any], products: Mapping[str, str]) -> dict[str, Floats]:
    """Return float weights by their names in torch, given a graph's tensors and which product uses which."""
    found: dict[str, Floats] = {}
    for name, values in held.items():
        stem = name.removesuffix(_QUANTIZED).removesuffix(_TABLE)
        if name.endswith(_TABLE):
            found[stem] = values.astype(np.float32) * held[f"{stem}_scale"]
        elif stem in products and name.endswith(_QUANTIZED):
            zero = held[f"{stem}_zero_point"].astype(np.float32)
            exact = (values.astype(np.float32) - zero) * held[f"{stem}_scale"]
            found[products[stem].strip("/").replace("/", ".") + ".weight"] = np.ascontiguousarray(exact.T)
        elif values.dtype == np.float32 and name.endswith((".weight", ".bias")):
            found[name] = values
    return found
