"""What is trained, in torch."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from appliance.core.errors import BadInput, ExtraMissing
from appliance.core.files import sha256_of
from appliance.training.batches import Drawn
from appliance.training.recipes import AUTO, CPU, CUDA, Recipe


def fingerprint(folder: Path) -> str:
    """Return a hash of the weights in a folder; raises BadInput where there are none."""
    names = ("model.safetensors", "pytorch_model.bin")
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    if found is None:
        message = f"{folder} holds no weights ({', '.join(names)}) to start from."
        raise BadInput(message)
    return sha256_of(found)


def choose(torch: Any, wanted: str = AUTO) -> str:
    """Return the device to train on; raises BadInput where a GPU is asked for and torch finds none."""
    there = bool(torch.cuda.is_available())
    if wanted == CUDA and not there:
        message = (
            "torch finds no GPU here. Leave --device away to train on the processor, or install a torch "
            "that was built for this GPU's driver."
        )
        raise BadInput(message)
    return CUDA if there and wanted != CPU else CPU


def chosen(wanted: str = AUTO) -> str:
    """Return the device that a training takes, before anything is computed for it.

    Raises:
        ExtraMissing: torch is not installed. BadInput: as `choose`.
    """
    return choose(torch_here(), wanted)


def torch_here() -> Any:
    """Return torch; raises ExtraMissing where it is not installed."""
    try:
        import torch  # noqa: PLC0415 - the extra `train`
    except ModuleNotFoundError:
        raise ExtraMissing(extra="train", package="torch") from None
    return torch


def fewer_bits(torch: Any, device: str) -> Any:
    """Return bfloat16 arithmetic where the device has it, else nothing."""
    if device == CUDA:
        has = torch.cuda.is_bf16_supported()
    else:
        has = getattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)()
    return torch.autocast(device, torch.bfloat16) if has else contextlib.nullcontext()


def exact(torch: Any, device: str) -> Any:
    """Return single precision inside of `fewer_bits`: cosines lie close together."""
    return torch.autocast(device, enabled=False)


TOGETHER = 8  # pairs that run at once


class Trained(Protocol):
    """A model that is being trained."""

    module: Any
    tokenizer: Any
    device: str

    def loss(self, batch: Sequence[Drawn]) -> Any: ...


def open_model(base: Path, recipe: Recipe, threads: int, device: str = AUTO) -> Trained:
    """Return the model of a Hugging Face folder, ready to be trained.

    Raises:
        ExtraMissing: torch or transformers is not installed. BadInput: the folder holds no encoder,
            or the device that is asked for is not there.
    """
    torch, transformers = _libraries()
    place = choose(torch, device)
    torch.set_num_threads(threads)
    torch.manual_seed(recipe.seed)
    plain = recipe.kind == "embedder"
    kind = transformers.AutoModel if plain else transformers.AutoModelForSequenceClassification
    extra = {} if plain else {"num_labels": 1}
    try:
        module = kind.from_pretrained(base, attn_implementation="sdpa", **extra)
        tokenizer = transformers.AutoTokenizer.from_pretrained(base)
    except (OSError, ValueError, KeyError) as error:
        message = f"{base} holds no encoder that can be trained: {error}"
        raise BadInput(message) from None
    encoder = module if plain else module.base_model
    for part in (encoder.embeddings, *encoder.encoder.layer[: recipe.frozen]):
        part.requires_grad_(requires_grad=False)
    module.to(place).train()
    return (Encoder if recipe.kind == "embedder" else Pairs)(module, tokenizer, recipe, place)


def _libraries() -> tuple[Any, Any]:
    try:
        import torch  # noqa: PLC0415 - the extra `train`
        import transformers  # noqa: PLC0415 - idem
    except ModuleNotFoundError as error:
        raise ExtraMissing(extra="train", package=str(error.name)) from None
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()  # the program shows its own
    return torch, transformers


def save_model(model: Trained, base: Path, recipe: Recipe, folder: Path) -> None:
    """Write the model as a Hugging Face folder, its weights mixed with those of the base by the soup."""
    import torch  # noqa: PLC0415 - the extra `train`

    with torch.no_grad():
        first = open_model(base, recipe, torch.get_num_threads(), model.device).module.state_dict()
        for name, weights in model.module.state_dict().items():
            if weights.is_floating_point():
                weights.mul_(recipe.soup).add_(first[name], alpha=1 - recipe.soup)
    model.module.save_pretrained(folder)
    model.tokenizer.save_pretrained(folder)


class Encoder:
    """Question and passage each for itself: pooled vectors and token vectors of one run."""

    def __init__(self, module: Any, tokenizer: Any, recipe: Recipe, device: str) -> None:
        self.module, self.tokenizer, self._recipe, self.device = module, tokenizer, recipe, device
        self._silent = silent_tokens(tokenizer).to(device)

    def loss(self, batch: Sequence[Drawn]) -> Any:
        """Return InfoNCE of both uses; the right passage of the i-th question is the i-th passage."""
        import torch  # noqa: PLC0415 - the extra `train`

        recipe = self._recipe
        asked = self.vectors([one.question for one in batch], recipe.question_tokens)
        texts = [*(one.right for one in batch), *(text for one in batch for text in one.wrong)]
        read = self.vectors(texts, recipe.passage_tokens)
        wanted = torch.arange(len(batch), device=self.device)
        total = 0.0
        if recipe.pooled:
            with exact(torch, self.device):
                near = asked[0] @ read[0].T / recipe.temperature
            total = total + recipe.pooled * torch.nn.functional.cross_entropy(near, wanted)
        if recipe.late:
            met = max_sim(asked[1:], read[1:]) / recipe.temperature
            total = total + recipe.late * torch.nn.functional.cross_entropy(met, wanted)
        return total

    def vectors(self, texts: Sequence[str], limit: int) -> tuple[Any, Any, Any]:
        """Return pooled [n, d], token vectors [n, t, d] of unit length, and which tokens count [n, t]."""
        import torch  # noqa: PLC0415 - the extra `train`

        given = self.tokenizer(
            list(texts), padding=True, truncation=True, max_length=limit, return_tensors="pt"
        ).to(self.device)
        hidden = self.module(**given).last_hidden_state.float()
        there = given["attention_mask"].unsqueeze(-1).float()
        pooled = (hidden * there).sum(1) / there.sum(1)
        unit = torch.nn.functional.normalize
        counted = given["attention_mask"].bool() & ~self._silent[given["input_ids"]]
        return unit(pooled, dim=-1), unit(hidden, dim=-1), counted


class Pairs:
    """Question and passage read together."""

    def __init__(self, module: Any, tokenizer: Any, recipe: Recipe, device: str) -> None:
        self.module, self.tokenizer, self._recipe, self.device = module, tokenizer, recipe, device

    def loss(self, batch: Sequence[Drawn]) -> Any:
        """Return the softmax loss over each question's own passages."""
        import torch  # noqa: PLC0415 - the extra `train`

        scores = self.scores([(one.question, text) for one in batch for text in (one.right, *one.wrong)])
        lists = torch.split(scores / self._recipe.temperature, [1 + len(one.wrong) for one in batch])
        return -torch.stack([torch.log_softmax(one, 0)[0] for one in lists]).mean()

    def scores(self, pairs: Sequence[tuple[str, str]]) -> Any:
        """Return one logit for each pair; those of like length run together, so that little is padded."""
        import torch  # noqa: PLC0415 - the extra `train`

        limit = self._recipe.question_tokens
        given = self.tokenizer(
            [" ".join(question.split()[:limit]) for question, _ in pairs],
            [text for _, text in pairs],
            truncation="only_second",
            max_length=limit + self._recipe.passage_tokens,
            return_token_type_ids=True,
        )
        order = sorted(range(len(pairs)), key=lambda number: len(given["input_ids"][number]))
        found: list[Any] = [None] * len(pairs)
        for first in range(0, len(order), TOGETHER):
            chosen = order[first : first + TOGETHER]
            part = {name: [values[number] for number in chosen] for name, values in given.items()}
            padded = self.tokenizer.pad(part, return_tensors="pt").to(self.device)
            logits = self.module(**padded).logits.float().squeeze(-1)
            for number, logit in zip(chosen, logits, strict=True):
                found[number] = logit
        return torch.stack(found)


def max_sim(asked: tuple[Any, Any], read: tuple[Any, Any]) -> Any:
    """Return MaxSim [questions, passages] of token vectors with which of them count."""
    import torch  # noqa: PLC0415 - the extra `train`

    (words, said), (rows, counted) = asked, read
    with exact(torch, words.device.type):
        near = torch.einsum("qtd,psd->qpts", words, rows).masked_fill(~counted[None, :, None, :], -1.0)
    best = near.amax(-1) * said[:, None, :]
    return best.sum(-1) / said.sum(-1).clamp(min=1)[:, None]


def silent_tokens(tokenizer: Any) -> Any:
    """Return for each token id whether the appliance keeps no vector of it (models/late_interaction.py)."""
    import torch  # noqa: PLC0415 - the extra `train`

    from appliance.models.late_interaction import kept_tokens  # noqa: PLC0415 - beside torch

    silent = torch.from_numpy(~kept_tokens(tokenizer.backend_tokenizer))
    silent[torch.tensor(tokenizer.all_special_ids)] = True
    return silent
