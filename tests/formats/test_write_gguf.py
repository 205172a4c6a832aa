"""Models written as GGUF files: what is read back is what was there; llama.cpp loads them. No GPU but for the last."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import gguf
import numpy as np
import pytest

import wgpt
from tests import llama_cpp
from tests.formats.test_tokenizer import golden
from tests.models import golden as models
from tests.models.gguf_maker import write_gguf as make_gguf
from tests.models.made_up import llama_like, random_weights
from wgpt.formats import FormatError, load_tokenizer, open_checkpoint
from wgpt.formats.gguf_fields import Field, check_same
from wgpt.formats.gguf_tokenizer import from_gguf
from wgpt.formats.gguf_vocabulary import PROBE, vocabulary_fields
from wgpt.formats.imatrix import read_imatrix, write_imatrix
from wgpt.formats.splitting import SPLITTINGS
from wgpt.formats.write_gguf import write_gguf
from wgpt.formats.write_model import floats

FOLDERS = models.FOLDER / "models"
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
LLAMA3 |= {"original_max_position_embeddings": 8192}
# Rows of 256 and of 96.
CONFIG = llama_like("llama", hidden=256, layers=2, heads=4, kv_heads=2, ffn=96, rope_scaling=LLAMA3, rope_theta=5e5)
WEIGHTS = random_weights(CONFIG, seed=0)
TOKENIZERS = models.FOLDER / "tokens"


# What GGUF has no words for.
REFUSED = {
    "ministral": "layer_types",
    "ministral3": "query_growth",
    "granite4": "no architecture for granite4",
    "granite4-nope": "no architecture for granite4",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_gguf_cannot_express_is_refused_and_nothing_is_left(name, tmp_path):
    with pytest.raises(FormatError, match=REFUSED[name]):
        wgpt.convert(models.folder_of(name), tmp_path / "model.gguf", "f32")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", [name for name in models.NAMES if name not in REFUSED])
def test_every_family_is_the_same_in_both_formats(name, tmp_path):
    """To GGUF, bit for bit, and back to safetensors."""
    folder = models.folder_of(name)
    assert wgpt.convert(folder, tmp_path / "model.gguf", "f32") == []
    if name == "llama3-rope":  # GGUF keeps only the effect, and no published model has the same
        with pytest.raises(FormatError, match=r"RoPE scaling has no equivalent in config\.json"):
            wgpt.convert(tmp_path / "model.gguf", tmp_path / "again", "f32")
        return
    assert wgpt.convert(tmp_path / "model.gguf", tmp_path / "again", "f32") == []
    opened = [open_checkpoint(path) for path in (folder, tmp_path / "model.gguf", tmp_path / "again")]
    try:
        original, converted, again = opened
        check_same(original.config, converted.config)
        check_same(converted.config, again.config)
        assert original.config["eos_token_id"] == converted.config["eos_token_id"]
        for key, stored in original.tensors.items():
            values = floats(stored, 0, stored.shape[0])
            for other in (converted, again):
                assert np.array_equal(values, floats(other.tensors[key], 0, stored.shape[0])), key
        tokenizers = [load_tokenizer(each.tokenizer) for each in opened]
        assert len({tuple(tokenizer.encode(PROBE)) for tokenizer in tokenizers}) == 1
        assert len({tokenizer.chat_template for tokenizer in tokenizers}) == 1
    finally:
        for each in opened:
            each.close()


def test_what_gguf_cannot_express_is_refused_by_name(tmp_path):
    with pytest.raises(FormatError, match="architecture 'llama' cannot express layer_types"):
        wgpt.convert(FOLDERS / "ministral", tmp_path / "model.gguf")
    assert list(tmp_path.iterdir()) == []


def test_a_gguf_file_keeps_its_metadata(tmp_path):
    """Every key in its type, but for those about the types; equal types are copied, not made again."""
    make_gguf(tmp_path / "old.gguf", CONFIG, WEIGHTS, "q4_0", token_embd="q8_0", metadata={"answer": 42})
    wgpt.quantize(tmp_path / "old.gguf", tmp_path / "new.gguf", "q4_0")
    old, new = (gguf.GGUFReader(tmp_path / name) for name in ("old.gguf", "new.gguf"))
    for key, field in old.fields.items():
        if key.startswith("GGUF.") or key == "general.file_type":
            continue
        assert new.fields[key].types == field.types and new.fields[key].contents() == field.contents(), key
    theirs = {tensor.name: tensor for tensor in new.tensors}
    assert {tensor.name for tensor in old.tensors} == theirs.keys()
    for tensor in old.tensors:
        if tensor.tensor_type == theirs[tensor.name].tensor_type:
            assert np.array_equal(tensor.data, theirs[tensor.name].data), tensor.name


def test_quantised_weights_are_close_and_notes_say_what_they_cannot_be(tmp_path):
    make_gguf(tmp_path / "f32.gguf", CONFIG, WEIGHTS, "f32")
    assert wgpt.quantize(tmp_path / "f32.gguf", tmp_path / "small.gguf", "q4_k_m") == []
    notes = wgpt.quantize(tmp_path / "small.gguf", tmp_path / "q8_0.gguf", "q8_0")
    assert len(notes) == 2 and notes[0].startswith("the source is quantised (q4_k, q5_0, q6_k)")
    assert notes[1].startswith("the weights are larger than the source's (") and "instead of" in notes[1]
    again = wgpt.quantize(tmp_path / "q8_0.gguf", tmp_path / "smaller.gguf", "q4_k_m")
    assert not any("larger" in note for note in again)
    assert not any("larger" in note for note in wgpt.convert(tmp_path / "small.gguf", tmp_path / "plain.gguf", "f16"))
    with open_checkpoint(tmp_path / "f32.gguf") as before, open_checkpoint(tmp_path / "small.gguf") as after:
        kinds = {t.type for t in after.tensors.values() if len(t.shape) == 2}
        assert kinds == {"q4_k", "q6_k", "q8_0", "q5_0"}  # rows of 96 have the smaller blocks
        for key, stored in before.tensors.items():
            values, new = (floats(each.tensors[key], 0, stored.shape[0]) for each in (before, after))
            assert np.abs(values - new).max() <= np.abs(values).max() / 12, key


def test_an_importance_matrix_changes_the_codes(tmp_path):
    make_gguf(tmp_path / "f32.gguf", CONFIG, WEIGHTS, "f32")
    rng, name = np.random.default_rng(0), "blk.0.attn_q.weight"
    sums = {name: rng.lognormal(0, 2, 256).astype(np.float32)}
    write_imatrix(tmp_path / "i.gguf", sums, {name: 4}, chunk=512, chunks=1, datasets=["text"])
    assert np.array_equal(read_imatrix(tmp_path / "i.gguf")[name], sums[name] / 4)
    wgpt.quantize(tmp_path / "f32.gguf", tmp_path / "plain.gguf", "q5_0")
    wgpt.quantize(tmp_path / "f32.gguf", tmp_path / "weighted.gguf", "q5_0", imatrix=tmp_path / "i.gguf")
    plain, weighted = (gguf.GGUFReader(tmp_path / f"{which}.gguf") for which in ("plain", "weighted"))
    pairs = {t.name: (t, next(o for o in weighted.tensors if o.name == t.name)) for t in plain.tensors}
    assert {n for n, (a, b) in pairs.items() if not np.array_equal(a.data, b.data)} == {name}
    assert weighted.fields["quantize.imatrix.file"].contents() == "i.gguf"


def test_bad_importance_matrices(tmp_path):
    make_gguf(tmp_path / "f32.gguf", CONFIG, WEIGHTS, "f32")

    def refused(sums: dict[str, np.ndarray]) -> str:
        path = tmp_path / "i.gguf"
        write_imatrix(path, sums, dict.fromkeys(sums, 4), chunk=512, chunks=1, datasets=["text"])
        with pytest.raises(FormatError) as e:
            wgpt.quantize(tmp_path / "f32.gguf", tmp_path / "out.gguf", "q8_0", imatrix=path)
        return str(e.value)

    assert "has 7 values for blk.0.attn_q.weight, which has" in refused({"blk.0.attn_q.weight": np.ones(7, np.float32)})
    assert "no matrix of this model" in refused({"blk.99.attn_q.weight": np.ones(7, np.float32)})
    assert "negative or not finite" in refused({"blk.0.attn_q.weight": np.full(256, np.nan, np.float32)})
    with pytest.raises(FormatError, match=r"contains 'model' \(general.type\), not an importance matrix"):
        read_imatrix(tmp_path / "f32.gguf")
    (tmp_path / "old.dat").write_bytes(b"\x01\x00\x00\x00" * 16)
    with pytest.raises(FormatError, match=r"older .dat files are unsupported.*llama-imatrix --in-file"):
        read_imatrix(tmp_path / "old.dat")
    assert not (tmp_path / "out.gguf").exists()


def test_nothing_is_overwritten_by_mistake_and_nothing_is_left_half(tmp_path, monkeypatch):
    model, out = tmp_path / "model.gguf", tmp_path / "out.gguf"
    make_gguf(model, CONFIG, WEIGHTS, "f32")
    out.write_bytes(b"precious")
    with pytest.raises(FormatError, match=r"already exists: choose another name, or .*force"):
        wgpt.quantize(model, out, "q8_0")
    with pytest.raises(FormatError, match="is the model that is read"):
        wgpt.quantize(model, model, "q8_0", force=True)

    def interrupt(done: int, total: int, name: str) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wgpt.quantize(model, out, "q8_0", force=True, progress=interrupt)
    assert out.read_bytes() == b"precious" and sorted(tmp_path.iterdir()) == [model, out]
    assert wgpt.quantize(model, out, "q8_0", force=True) == []
    with open_checkpoint(out) as checkpoint:
        assert {t.type for t in checkpoint.tensors.values()} == {"f32", "q8_0"}


def test_values_that_do_not_fit_are_refused_by_name(tmp_path):
    name = "model.layers.0.self_attn.q_proj.weight"
    for value, message in ((1e6, "weights of up to 1e.06 do not fit f16"), (np.nan, "contains NaN or Inf")):
        weights = dict(WEIGHTS)
        weights[name] = np.full_like(weights[name], value)
        make_gguf(tmp_path / "model.gguf", CONFIG, weights, "f32")
        with pytest.raises(FormatError, match=f"{name}.*{message}"), np.errstate(invalid="ignore"):
            wgpt.quantize(tmp_path / "model.gguf", tmp_path / "out.gguf", "f16")


# Tokenizers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["folder", "old-folder", "sentencepiece"])
def test_tokenizers_say_the_same_in_gguf(folder):
    tokenizer = load_tokenizer(TOKENIZERS / folder)
    fields = vocabulary_fields(tokenizer, tokenizer.vocab_size + 3, [], folder)
    again = from_gguf({key: field.value for key, field in fields.items()})
    assert again.encode(PROBE) == tokenizer.encode(PROBE)
    assert again.vocab_size == tokenizer.vocab_size + 3  # llama.cpp wants a token for every row of the embedding
    assert (again.bos_id, again.eos_id) == (tokenizer.bos_id, tokenizer.eos_id)
    with pytest.raises(FormatError, match="the embedding only 3 rows"):
        vocabulary_fields(tokenizer, 3, [], folder)


@pytest.mark.parametrize("pre", ["llama-bpe", "dbrx", "qwen2", "stablelm2", "minicpm5", "tiny_aya", "gpt-2"])
def test_a_small_vocabulary_does_not_hide_how_text_is_split(pre):
    """With two merges, most splittings give the ids of GPT-2 on most texts."""
    metadata = golden("bytes")["metadata"]
    letters = [t for t in metadata["tokenizer.ggml.tokens"] if len(t) == 1]
    tokens = ["<|endoftext|>", *letters, "ĊĊ", "Ġa"]
    small = {
        "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": pre, "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [3] + [1] * (len(tokens) - 1), "tokenizer.ggml.merges": ["Ċ Ċ", "Ġ a"],
        "tokenizer.ggml.eos_token_id": 0,
    }  # fmt: skip
    tokenizer = from_gguf(small)
    fields = vocabulary_fields(tokenizer, len(tokens), [0], "small")
    assert SPLITTINGS[fields["tokenizer.ggml.pre"].value] == SPLITTINGS[pre]
    again = from_gguf({key: field.value for key, field in fields.items()})
    for text in ("\n\n\u0301", "a\n\n\u0301a", ".\n\n\u20dd", "\n\nb", " /  a3", "   1 a"):
        assert again.encode(text) == tokenizer.encode(text), text


def test_what_gguf_does_not_say_of_added_tokens_is_said(tmp_path):
    shutil.copytree(FOLDERS / "qwen2", tmp_path / "model")
    path = tmp_path / "model" / "tokenizer.json"
    state = json.loads(path.read_text(encoding="utf-8"))
    state["added_tokens"][0] |= {"lstrip": True, "single_word": True}
    path.write_text(json.dumps(state), encoding="utf-8")
    (note,) = wgpt.convert(tmp_path / "model", tmp_path / "model.gguf")
    assert state["added_tokens"][0]["content"] in note and "lstrip, single_word" in note
    assert wgpt.convert(FOLDERS / "qwen2", tmp_path / "other.gguf") == []


def test_a_tokenizer_without_a_name_in_gguf_is_refused(tmp_path):
    shutil.copytree(FOLDERS / "qwen2", tmp_path / "model")
    path = tmp_path / "model" / "tokenizer.json"
    state = json.loads(path.read_text(encoding="utf-8"))
    state["normalizer"] = {"type": "Lowercase"}
    path.write_text(json.dumps(state), encoding="utf-8")
    with pytest.raises(FormatError, match="how its tokenizer splits text has no name in GGUF files"):
        wgpt.convert(tmp_path / "model", tmp_path / "model.gguf")


def test_fields_have_the_types_that_readers_expect():
    kinds = gguf.GGUFValueType
    expected = {True: kinds.BOOL, 7: kinds.UINT32, 0.5: kinds.FLOAT32, "x": kinds.STRING}
    assert {value: Field.of(value).type for value in expected} == expected
    with pytest.raises(FormatError, match="cannot be written"):
        Field.of(None)


# llama.cpp --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mixture", [pytest.param("q8_0", marks=pytest.mark.full), pytest.param("q5_k_m", marks=pytest.mark.slow)]
)
def test_llama_cpp_says_the_same_with_the_real_model(mixture, smollm2_path, tmp_path):
    with open_checkpoint(smollm2_path) as checkpoint:
        write_gguf(checkpoint, tmp_path / "model.gguf", mixture)
    prompt = "The capital of France is"
    with wgpt.load(tmp_path / "model.gguf") as model:
        ours = model.generate(prompt, max_tokens=8).text
    assert ours.startswith(" Paris") and llama_cpp.greedy(tmp_path / "model.gguf", prompt, 8) == ours


@pytest.mark.full
@pytest.mark.parametrize("name", ["llama3-rope", "qwen3", "gpt2"])
def test_llama_cpp_says_the_same_with_converted_folders(name, tmp_path):
    wgpt.convert(FOLDERS / name, tmp_path / "model.gguf", "f32")
    with wgpt.load(tmp_path / "model.gguf") as model:
        ours = model.generate("a b c", max_tokens=4).text
    assert llama_cpp.greedy(Path(tmp_path / "model.gguf"), "a b c", 4) == ours
