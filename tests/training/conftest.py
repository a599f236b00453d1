"""A small encoder to begin a training from; skipped where torch is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.models.catalogue import shipped_folder


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    transformers = pytest.importorskip("transformers", reason="the extra `train` is not installed")
    folder = tmp_path_factory.mktemp("encoders") / "base"
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(shipped_folder() / "minilm-l6-int8" / "tokenizer.json"),
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        unk_token="[UNK]",
    )
    config = transformers.BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    transformers.BertModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
