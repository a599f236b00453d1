"""The choice under a grammar is llama.cpp's own, token for token, on weights that respect no grammar."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

GRAMMARS = {
    "ids": 'root ::= "{\\"s\\":[" id ("," id)* "]}"\nid ::= "\\"S" [1-9] [0-9]? "\\""',
    "choice": 'root ::= ("relevant" | "irrelevant") " " ("yes" | "no" | "partial")',
    "free text": 'root ::= "\\"" [^"\\\\]* "\\""',
    "bytes of other scripts": 'root ::= [а-яё ]+ "." [α-ω]* "€"',
    "anything but letters": "root ::= [^a-zA-Z]+",
    "nested": 'root ::= list\nlist ::= "[" (value ("," value)*)? "]"\nvalue ::= list | [0-9]+ | "null"',
    "optional end": 'root ::= "a"? "b"*',
}
LENGTH = 48


def stock(engine: Any, words: Any, prompt: list[int], grammar: str) -> list[int]:
    """What llama.cpp's own chain of grammar and greedy says."""
    import llama_cpp

    chain = llama_cpp.llama_sampler_chain_init(llama_cpp.llama_sampler_chain_default_params())
    sampler = llama_cpp.llama_sampler_init_grammar(engine.vocabulary, grammar.encode(), b"root")
    llama_cpp.llama_sampler_chain_add(chain, sampler)
    llama_cpp.llama_sampler_chain_add(chain, llama_cpp.llama_sampler_init_greedy())
    tokens: list[int] = []
    engine.forget()
    engine.evaluate(prompt)
    while len(tokens) < LENGTH:
        engine.scores()[words.forbidden] = -np.inf
        token = llama_cpp.llama_sampler_sample(chain, engine.ctx, -1)
        tokens.append(token)
        if words.ends(token):
            break
        engine.evaluate([token])
    llama_cpp.llama_sampler_free(chain)
    return tokens


def ours(engine: Any, words: Any, prompt: list[int], text: str) -> list[int]:
    from appliance.models.llama.grammar_sampling import Grammar, Initials

    initials = Initials(words)
    grammar = Grammar(engine, lambda: initials, text)
    tokens: list[int] = []
    engine.forget()
    engine.evaluate(prompt)
    while len(tokens) < LENGTH:
        scores = engine.scores()
        scores[words.forbidden] = -np.inf
        token = grammar.choose(scores)
        tokens.append(token)
        if words.ends(token):
            break
        grammar.accept(token)
        engine.evaluate([token])
    grammar.close()
    return tokens


@pytest.mark.parametrize("name", GRAMMARS)
@pytest.mark.parametrize("question", ["snow load", "the roof shall be", "€ γ"])
def test_the_choice_is_that_of_the_stock_sampler(engine: Any, words: Any, name: str, question: str) -> None:
    prompt = words.data(question)
    assert ours(engine, words, prompt, GRAMMARS[name]) == stock(engine, words, prompt, GRAMMARS[name])


def test_the_best_of_many_is_found_whatever_its_rank(engine: Any, words: Any) -> None:
    from appliance.models.llama.grammar_sampling import Grammar, Initials

    initials = Initials(words)
    for text, wanted in [('root ::= "snow" [x]', b"snow"), ('root ::= "€"', b"\xe2")]:
        grammar = Grammar(engine, lambda: initials, text)
        scores = np.arange(engine.width, 0, -1, dtype=np.float32)
        scores[words.pieces().index(wanted)] = -5.0  # the worst of all, yet above what is forbidden
        others = [i for i, piece in enumerate(words.pieces()) if wanted.startswith(piece) and piece != wanted]
        scores[others] = -np.inf
        assert words.piece(grammar.choose(scores)) == wanted
        grammar.close()


def test_equal_scores_are_decided_as_llama_cpp_does(engine: Any, words: Any) -> None:
    from appliance.models.llama.grammar_sampling import Grammar, Initials

    initials = Initials(words)
    grammar = Grammar(engine, lambda: initials, "root ::= [b-z]+")
    flat = np.zeros(engine.width, dtype=np.float32)
    chosen = grammar.choose(flat)
    assert words.piece(chosen) == b"b"
    assert chosen == min(i for i, piece in enumerate(words.pieces()) if piece == b"b")
    grammar.close()


@pytest.mark.parametrize("text", ["root ::= (", "no rule here", 'other ::= "a"', 'root ::= root "a"'])
def test_what_is_no_grammar_is_refused(engine: Any, words: Any, text: str) -> None:
    from appliance.models.llama.grammar_sampling import BadGrammar, Grammar, Initials

    with pytest.raises(BadGrammar, match="cannot be read"):
        Grammar(engine, lambda: Initials(words), text)


def test_a_grammar_that_nothing_goes_on_with_is_said(engine: Any, words: Any) -> None:
    from appliance.models.llama.grammar_sampling import BadGrammar, Grammar, Initials

    initials = Initials(words)
    grammar = Grammar(engine, lambda: initials, 'root ::= "a" "b"')
    scores = np.full(engine.width, -np.inf, dtype=np.float32)
    scores[words.pieces().index(b"z")] = 1.0
    with pytest.raises(BadGrammar, match="nothing of the vocabulary"):
        grammar.choose(scores)
    grammar.close()


def test_a_stock_sampler_would_let_control_tokens_into_free_text(engine: Any, words: Any) -> None:
    """Why `forbidden` exists: to a grammar, a control token is the text of its name."""
    import llama_cpp

    from appliance.models.llama.grammar_sampling import Grammar, Initials

    control = words._trusted("<|im_start|>", first=False)
    assert control in [[int(token)] for token in words.forbidden]
    grammar = Grammar(engine, lambda: Initials(words), "root ::= [^x]+")
    assert grammar._fits(np.array(control)).size == 1
    assert ctypes.sizeof(llama_cpp.llama_token_data) == 12
    grammar.close()
