"""What torch does here: the device, the way down a loss, and the encoder that becomes an embedder."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from appliance.core.errors import BadInput, ExtraMissing
from appliance.core.files import sha256_of
from appliance.models.late_interaction import kept_tokens
from appliance.training.examples import Data, Example, Parts
from appliance.training.recipes import AUTO, CPU, CUDA, Recipe

POINTS = 50  # of a curve
SMOOTH = 0.98  # of the loss of an encoder as shown
HARDEST = 20  # wrong places, best first, that are drawn from
LONGEST = 3  # parts of a place that are drawn from, as the search met them first


def torch_here() -> Any:
    """Return torch; raises ExtraMissing where it is not installed."""
    try:
        import torch  # noqa: PLC0415 - the extra `train`
    except ModuleNotFoundError:
        raise ExtraMissing(extra="train", package="torch") from None
    return torch


def choose(torch: Any, wanted: str = AUTO) -> str:
    """Return the device to train on; raises BadInput where a GPU is asked for and torch finds none."""
    there = bool(torch.cuda.is_available())
    if wanted == CUDA and not there:
        raise BadInput(
            "torch finds no GPU here. Leave --device away to train on the processor, or install a torch "
            "that was built for this GPU's driver."
        )
    return CUDA if there and wanted != CPU else CPU


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


@dataclass(frozen=True, slots=True)
class Learned:
    """One point of the curve."""

    step: int
    steps: int
    loss: float


Report = Callable[[Learned], None]


def descend(
    weights: Sequence[Any],
    losses: Iterable[Any],
    steps: int,
    rate: Callable[[int], float],
    report: Report,
    *,
    decay: float,
    smooth: float,
) -> None:
    """Take a step down each loss, at the rate of its number from 1, telling points of the curve.

    `losses` are computed one by one, each with the weights as they are by then.
    """
    import torch  # noqa: PLC0415 - the extra `train`

    optimizer = torch.optim.AdamW(weights, weight_decay=decay)
    shown = 0.0
    for step, loss in enumerate(losses, 1):
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        shown = smooth * shown + (1 - smooth) * loss.item() if shown else loss.item()
        if step % max(1, steps // POINTS) == 0 or step == steps:
            report(Learned(step, steps, round(shown, 4)))


@dataclass(frozen=True, slots=True)
class Drawn:
    """A question with one right passage and as many wrong ones as the recipe asks for, as texts."""

    question: str
    right: str
    wrong: tuple[str, ...]


def batches(data: Data, recipe: Recipe) -> Iterator[list[Drawn]]:
    """Yield the batches of all steps, each example once in a round."""

    def one_of(parts: Parts, dice: random.Random) -> str:
        """Return the text of a part of a place, of those that the search met first more often."""
        return data.passages[dice.choice(parts[: dice.randint(1, LONGEST)])]

    def drawn(example: Example, dice: random.Random) -> Drawn:
        others = example.wrong[:HARDEST]
        places = [dice.choice(example.right), *dice.sample(others, min(recipe.wrong, len(others)))]
        right, *wrong = (one_of(parts, dice) for parts in places)
        return Drawn(example.question, right, tuple(wrong))

    in_round = max(1, len(data.examples) // recipe.batch)
    for step in range(recipe.steps):
        turn, place = divmod(step, in_round)
        order = list(data.examples)
        random.Random(f"{recipe.seed} {turn}").shuffle(order)  # noqa: S311 - no secret
        dice = random.Random(f"{recipe.seed} {step}")  # noqa: S311 - idem
        yield [drawn(one, dice) for one in order[place * recipe.batch : (place + 1) * recipe.batch]]


def pace(step: int, recipe: Recipe) -> float:
    """Return the share of the learning rate at a step: a linear rise, then a linear fall to nothing."""
    if step < recipe.warmup:
        return step / recipe.warmup
    return max(0.0, (recipe.steps - step) / max(1, recipe.steps - recipe.warmup))


def train(model: Encoder, data: Data, recipe: Recipe, report: Report) -> None:
    """Train until the recipe's last step, telling points of the curve; the same seed gives the same model."""

    def losses() -> Iterator[Any]:
        for batch in batches(data, recipe):
            with fewer_bits(model.torch, model.device):
                loss = model.loss(batch)
            yield loss

    learning = [weights for weights in model.module.parameters() if weights.requires_grad]
    descend(
        learning,
        losses(),
        recipe.steps,
        lambda step: recipe.learning_rate * pace(step, recipe),
        report,
        decay=recipe.decay,
        smooth=SMOOTH,
    )


def fingerprint(folder: Path) -> str:
    """Return a hash of the weights in a folder; raises BadInput where there are none."""
    names = ("model.safetensors", "pytorch_model.bin")
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    if found is None:
        raise BadInput(f"{folder} holds no weights ({', '.join(names)}) to start from.")
    return sha256_of(found)


def open_model(base: Path, recipe: Recipe, threads: int, device: str = AUTO) -> Encoder:
    """Return the model of a Hugging Face folder, ready to be trained.

    Raises:
        ExtraMissing: torch or transformers is not installed. BadInput: the folder holds no encoder,
            or the device that is asked for is not there.
    """
    torch = torch_here()
    try:
        import transformers  # noqa: PLC0415 - the extra `train`
    except ModuleNotFoundError as error:
        raise ExtraMissing(extra="train", package=str(error.name)) from None
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()  # the program shows its own
    place = choose(torch, device)
    torch.set_num_threads(threads)
    torch.manual_seed(recipe.seed)
    try:
        module = transformers.AutoModel.from_pretrained(base, attn_implementation="sdpa")
        tokenizer = transformers.AutoTokenizer.from_pretrained(base)
    except (OSError, ValueError, KeyError) as error:
        raise BadInput(f"{base} holds no encoder that can be trained: {error}") from None
    for part in (module.embeddings, *module.encoder.layer[: recipe.frozen]):
        part.requires_grad_(requires_grad=False)
    module.to(place).train()
    return Encoder(module, tokenizer, recipe, place)


def save_model(model: Encoder, base: Path, recipe: Recipe, folder: Path) -> None:
    """Write the model as a Hugging Face folder, its weights mixed with those of the base by the soup."""
    with model.torch.no_grad():
        threads = model.torch.get_num_threads()
        first = open_model(base, recipe, threads, model.device).module.state_dict()
        for name, weights in model.module.state_dict().items():
            if weights.is_floating_point():
                weights.mul_(recipe.soup).add_(first[name], alpha=1 - recipe.soup)
    model.module.save_pretrained(folder)
    model.tokenizer.save_pretrained(folder)


class Encoder:
    """Question and passage each for itself: pooled vectors and token vectors of one run."""

    def __init__(self, module: Any, tokenizer: Any, recipe: Recipe, device: str) -> None:
        import torch  # noqa: PLC0415 - the extra `train`

        self.torch = torch
        self.module, self.tokenizer, self._recipe, self.device = module, tokenizer, recipe, device
        silent = torch.from_numpy(~kept_tokens(tokenizer.backend_tokenizer))  # no vector of these is kept
        silent[torch.tensor(tokenizer.all_special_ids)] = True
        self._silent = silent.to(device)

    def loss(self, batch: Sequence[Drawn]) -> Any:
        """Return InfoNCE of both uses; the right passage of the i-th question is the i-th passage."""
        torch, recipe = self.torch, self._recipe
        asked = self.vectors([one.question for one in batch], recipe.question_tokens)
        texts = [*(one.right for one in batch), *(text for one in batch for text in one.wrong)]
        read = self.vectors(texts, recipe.passage_tokens)
        wanted = torch.arange(len(batch), device=self.device)
        with exact(torch, self.device):
            near = asked[0] @ read[0].T / recipe.temperature
        met = max_sim(asked[1:], read[1:]) / recipe.temperature
        cross_entropy = torch.nn.functional.cross_entropy
        return cross_entropy(near, wanted) + cross_entropy(met, wanted)

    def vectors(self, texts: Sequence[str], limit: int) -> tuple[Any, Any, Any]:
        """Return pooled [n, d], token vectors [n, t, d] of unit length, and which tokens count [n, t]."""
        given = self.tokenizer(
            list(texts), padding=True, truncation=True, max_length=limit, return_tensors="pt"
        ).to(self.device)
        hidden = self.module(**given).last_hidden_state.float()
        there = given["attention_mask"].unsqueeze(-1).float()
        pooled = (hidden * there).sum(1) / there.sum(1)
        unit = self.torch.nn.functional.normalize
        counted = given["attention_mask"].bool() & ~self._silent[given["input_ids"]]
        return unit(pooled, dim=-1), unit(hidden, dim=-1), counted


def max_sim(asked: tuple[Any, Any], read: tuple[Any, Any]) -> Any:
    """Return MaxSim [questions, passages] of token vectors with which of them count."""
    import torch  # noqa: PLC0415 - the extra `train`

    (words, said), (rows, counted) = asked, read
    with exact(torch, words.device.type):
        near = torch.einsum("qtd,psd->qpts", words, rows).masked_fill(~counted[None, :, None, :], -1.0)
    best = near.amax(-1) * said[:, None, :]
    return best.sum(-1) / said.sum(-1).clamp(min=1)[:, None]
