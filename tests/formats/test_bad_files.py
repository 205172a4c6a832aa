"""Damaged, hostile and unrelated files: each is refused at once with a one-line message; no GPU."""

from __future__ import annotations

import json
import os
import struct
import time

import numpy as np
import pytest

from wgpt.formats import FormatError, open_checkpoint

from . import made
from .made import pair, raw_gguf, tensor, text

U32, STRING, ARRAY, BOOL = 4, 8, 9, 7


def array(code: int, count: int, values: bytes = b"") -> bytes:
    return struct.pack("<IQ", code, count) + values


def k(code: int, value: bytes) -> bytes:
    """A file whose only key is k."""
    return raw_gguf([pair("k", code, value)])


def k_array(code: int, count: int, values: bytes = b"") -> bytes:
    return k(ARRAY, array(code, count, values))


def aligned(code: int, value: bytes) -> bytes:
    return raw_gguf([pair("general.alignment", code, value)])


def of(*tensors: bytes, data: int = 64) -> bytes:
    return raw_gguf(tensors=list(tensors), data=data)


def refused(path, message: str) -> None:
    start = time.process_time()
    with pytest.raises(FormatError, match=message) as e:
        open_checkpoint(path)
    assert time.process_time() - start < 1
    assert "\n" not in str(e.value) and str(e.value).isascii() and len(str(e.value)) < 900


NESTED = array(ARRAY, 1, array(U32, 1, bytes(4)))
BAD_GGUF = {
    "empty": (b"", r"is empty \(0 bytes\)"),
    "three bytes": (b"GGU", r"is not a GGUF file: it begins with b'GGU'"),
    "zeros": (bytes(9000), r"begins with 4096 zero bytes: an unfinished download"),
    "another magic": (raw_gguf(magic=b"GGML"), r"is not a GGUF file: it begins with b'GGML'"),
    "a Git LFS pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", r"is a Git LFS pointer"),
    "a web page": (b"\n<!DOCTYPE html><html><body>404</body></html>", r"is an HTML page, not a model"),
    "PyTorch's archive": (b"PK\x03\x04" + bytes(100), r"is a zip archive"),
    "only a magic": (b"GGUF", r"ends inside its header: the version takes 4 bytes at byte 4, the file has 4"),
    "version 1": (raw_gguf(version=1), r"unsupported GGUF version 1; supported: 2, 3"),
    "version 9": (raw_gguf(version=9), r"unsupported GGUF version 9"),
    "big-endian": (raw_gguf(version=3 << 24), r"is a big-endian GGUF file"),
    "tensors without end": (raw_gguf(n_tensors=2**63), r"claims 9223372036854775808 tensors; the limit is 131072"),
    "more tensors than bytes": (raw_gguf(n_tensors=100_000), r"claims 100000 tensors, more than its \d+ bytes"),
    "keys without end": (raw_gguf(n_pairs=2**64 - 1), r"claims 18446744073709551615 metadata keys; the limit is 65536"),
    "more keys than bytes": (raw_gguf(n_pairs=60_000), r"claims 60000 metadata keys, more than its"),
    "keys past the end": (raw_gguf(n_pairs=2), r"the name of metadata key 1 is empty"),
    "a key without end": (raw_gguf([struct.pack("<Q", 2**62) + bytes(40)]), r"key 0 is 4611686018427387904 bytes long"),
    "a long key": (raw_gguf([text(b"k" * 70_000) + bytes(40)]), r"key 0 is 70000 bytes long; the limit is 65535"),
    "a key past the end": (raw_gguf([struct.pack("<Q", 60_000) + bytes(99)]), r"ends inside its header: the name of"),
    "a key that is no text": (raw_gguf([pair(b"\xff\xfe", U32, bytes(4))]), r"key 0 is not UTF-8: b'\\xff\\xfe'"),
    "a value that is no text": (k(STRING, text(b"\xc3(")), r"the value of 'k' is not UTF-8"),
    "a text without end": (k(STRING, struct.pack("<Q", 2**63)), r"of 'k' is 9223372036854775808 b"),
    "a key twice": (raw_gguf([pair("k", U32, bytes(4))] * 2), r"duplicate metadata key 'k'"),
    "an unknown value type": (k(13, bytes(8)), r"'k' has the unknown value type 13"),
    "an array of arrays": (k(ARRAY, NESTED), r"'k' is an array of arrays"),
    "an array of nothing known": (k_array(77, 3, bytes(9)), r"unknown value type 77"),
    "an array without end": (k_array(U32, 2**61), r"claims 2305843009213693952 values of"),
    "strings without end": (k_array(STRING, 2**61), r"claims 2305843009213693952 values of"),
    "an array past the end": (k_array(U32, 99_999), r"claims 99999 values of 'k', more"),
    "strings past the end": (k_array(STRING, 99_999), r"claims 99999 values of 'k', more"),
    "a bool of 2": (k(BOOL, b"\x02"), r"'k' is a bool of 2"),
    "an alignment of 0": (aligned(U32, bytes(4)), r"alignment is 0, not a power of two"),
    "an alignment of 48": (aligned(U32, b"0\0\0\0"), r"alignment is 48, not a power"),
    "an alignment in words": (aligned(STRING, text("32")), r"alignment is '32', not a"),
    "no dimensions": (of(tensor("t", [])), r"'t' has 0 dimensions; 1 to 4"),
    "five dimensions": (of(tensor("t", [1] * 5)), r"'t' has 5 dimensions"),
    "dimensions without end": (of(tensor("t", [4], n_dims=2**31)), r"has 2147483648 dimen"),
    "a dimension of 0": (of(tensor("t", [4, 0])), r"'t' has a dimension of 0: \[4, 0\]"),
    "dimensions that overflow": (of(tensor("t", [2**32] * 4)), r"'t' ends at byte \d{30,},"),
    "an unknown type": (of(tensor("t", [4], 99)), r"unknown type 99; supported: f32"),
    "a type long gone": (of(tensor("t", [4], 4)), r"unknown type 4; supported: f32"),
    "part of a block": (of(tensor("t", [48, 2], 8), data=999), r"rows of 48 values, not a multiple .* Q8_0"),
    "half a block of IQ4_XS": (of(tensor("t", [128, 2], 23), data=999), r"rows of 128 values, .* IQ4_XS"),
    "blocks of Q3_K cut short": (of(tensor("t", [256, 2], 11), data=219), r"'t' ends at byte \d+, the file at \d+"),
    "part of a large block": (of(tensor("t", [576, 2], 12), data=999), r"rows of 576 values, .* Q4_K's block size 256"),
    "an offset between": (of(tensor("t", [4], offset=8)), r"offset 8, not a multiple of .* 32"),
    "an offset past the end": (of(tensor("t", [4], offset=2**40)), r"'t' ends at byte 1099"),
    "an offset that wraps": (of(tensor("t", [4], offset=2**64 - 32)), r"'t' ends at byte 184"),
    "data cut short": (of(tensor("t", [16]), data=60), r"'t' ends at byte \d+, the file at \d+: .* truncated"),
    "a tensor twice": (of(tensor("t", [4]), tensor("t", [4], offset=32)), r"duplicate tensor 't'"),
    "tensors that overlap": (
        of(tensor("a", [16]), tensor("b", [4], offset=32), data=128),
        r"tensors 'a' and 'b' overlap at byte \d+",
    ),
    "the same bytes twice": (of(tensor("a", [4]), tensor("b", [4])), r"'a' and 'b' overlap"),
    "no architecture": (raw_gguf([]), r"unsupported architecture None; supported: .*gpt2, .*llama, .*qwen2"),
    "an architecture in numbers": (raw_gguf([pair("general.architecture", U32, bytes(4))]), r"architecture 0;"),
    "another architecture": (raw_gguf([pair("general.architecture", STRING, text("mamba\n"))]), r"'mamba\\n';"),
    "nothing more": (raw_gguf(), r"missing required key llama\.block_count"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_GGUF)
def test_bad_gguf(case, tmp_path):
    content, message = BAD_GGUF[case]
    path = tmp_path / "m.gguf"
    path.write_bytes(content)
    refused(path, r"m\.gguf: .*" + message)


def test_a_header_of_many_megabytes(tmp_path):
    path = tmp_path / "m.gguf"
    with path.open("wb") as file:
        file.write(raw_gguf([pair("k0", STRING, struct.pack("<Q", 1 << 24))], n_pairs=5)[:46])
        for i in range(1, 5):  # holes in the file, which cost no disk
            file.seek(1 << 24, os.SEEK_CUR)
            file.write(pair(f"k{i}", STRING, struct.pack("<Q", 1 << 24)))
        file.truncate(99 << 20)
    refused(path, r"has a header of more than 67108864 bytes: the file is damaged")


def header(tensors: object, data: int = 64, length: int | None = None) -> bytes:
    raw = json.dumps(tensors).encode() if not isinstance(tensors, bytes) else tensors
    return struct.pack("<Q", len(raw) if length is None else length) + raw + bytes(data)


def one_tensor(**changes: object) -> dict[str, object]:
    return {"t": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]} | changes}


BAD_SAFETENSORS = {
    "empty": (b"", r"is empty"),
    "three bytes": (b"abc", r"has 3 bytes, too few for a safetensors file"),
    "zeros": (bytes(9000), r"begins with 4096 zero bytes"),
    "a Git LFS pointer": (b"version https://git-lfs.github.com/spec/v1\n", r"is a Git LFS pointer"),
    "a web page": (b"<html>" + bytes(99), r"is an HTML page"),
    "a header without end": (header({}, length=2**63), r"header should have 9223372036854775808 bytes"),
    "a header past the end": (header({}, length=67), r"its header should have 67 bytes, but the file has 74"),
    "a long header": (header(b"{" + b" " * (9 << 20)), r"its header has 9437185 bytes; the limit is 8388608"),
    "no JSON": (header(b"{nothing}"), r"its header is not JSON"),
    "no UTF-8": (header(b'{"\xff": 1}'), r"its header is not JSON: .*utf-8"),
    "JSON without end": (header(b"[" * 100_000), r"its header is nested too deeply"),
    "objects without end": (header(b'{"a":' * 100_000), r"its header is nested too deeply"),
    "a number without end": (header(b'{"t": ' + b"9" * 10_000 + b"}"), r"its header is not JSON: .*digits"),
    "a list": (header([1, 2]), r"its header is \[1, 2\], not a JSON object"),
    "a tensor twice": (header(b'{"t": {}, "t": {}}'), r"its header is not JSON: .*duplicate key 't'"),
    "a tensor of 5": (header({"t": 5}), r"tensor 't' is described by 5"),
    "an unknown dtype": (header(one_tensor(dtype="Q9")), r"'t' has the unknown dtype 'Q9'; supported: F32, F16, BF16"),
    "a list for a dtype": (header(one_tensor(dtype=["F32"])), r"unknown dtype \['F32'\]"),
    "no shape": (header(one_tensor(shape=None)), r"'t' has the shape None"),
    "a negative shape": (header(one_tensor(shape=[-4])), r"'t' has the shape \[-4\]"),
    "a shape of fractions": (header(one_tensor(shape=[4.0])), r"'t' has the shape \[4\.0\]"),
    "a shape of true": (header(one_tensor(shape=[True, 4])), r"'t' has the shape \[True, 4\]"),
    "a shape without end": (header(one_tensor(shape=[1] * 10_000)), r"'t' has the shape \[1, 1, 1.*\.\.\."),
    "a shape that overflows": (header(one_tensor(shape=[2**62] * 4)), r"'t', F32 \[46.*\], does not fill its 16 bytes"),
    "too large a shape": (header(one_tensor(shape=[5])), r"'t', F32 \[5\], does not fill its 16 bytes"),
    "no offsets": (header(one_tensor(data_offsets=None)), r"has the data_offsets None"),
    "one offset": (header(one_tensor(data_offsets=[16])), r"has the data_offsets \[16\]"),
    "offsets backwards": (header(one_tensor(data_offsets=[16, 0])), r"has the data_offsets \[16, 0\]"),
    "negative offsets": (header(one_tensor(data_offsets=[-16, 0])), r"has the data_offsets \[-16, 0\]"),
    "offsets past the end": (header(one_tensor(data_offsets=[60, 76])), r"'t' ends at byte \d+, .* truncated"),
    "data cut short": (header(one_tensor(), data=15), r"'t' ends at byte \d+, the file at \d+"),
    "tensors that overlap": (
        header(one_tensor() | {"u": {"dtype": "F32", "shape": [4], "data_offsets": [12, 28]}}),
        r"tensors 't' and 'u' overlap",
    ),
    "nothing": (header({}), r"the tensors are not those of a llama of 2 layers and hidden size 32: model"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_SAFETENSORS)
@pytest.mark.parametrize("source", ["folder", "file"])
def test_bad_safetensors(case, source, tmp_path):
    content, message = BAD_SAFETENSORS[case]
    (tmp_path / "config.json").write_text(json.dumps(made.config("llama")))
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    refused(tmp_path if source == "folder" else path, message)


BAD_CONFIG = {
    "empty": (b"", r"config\.json: is empty"),
    "zeros": (bytes(50), r"config\.json: begins with 50 zero bytes"),
    "no JSON": (b"{,}", r"config\.json is not JSON"),
    "a web page": (b"<!doctype html>", r"config\.json: is an HTML page"),
    "a list": (b"[]", r"config\.json is \[\], not a JSON object"),
    "nested": (b'{"a":' * 50_000, r"config\.json is nested too deeply"),
    "large": (b" " * (9 << 20), r"config\.json: has 9437184 bytes; the limit for a JSON file is 8388608"),
    "another type": (b'{"model_type": "m\\u00e9"}', r"config\.json: unsupported model_type 'm\\xe9'"),
    "half a character": (b'{"model_type": "\\ud800"}', r"config\.json has half a surrogate pair \('\\ud800'\)"),
    "no type": (b"{}", r"config\.json: unsupported model_type None"),
}


@pytest.mark.parametrize("case", BAD_CONFIG)
def test_bad_config(case, tmp_path):
    content, message = BAD_CONFIG[case]
    made.write_hf(tmp_path, made.config("llama"), made.state(made.config("llama")))
    (tmp_path / "config.json").write_bytes(content)
    refused(tmp_path, message)


def sharded(tmp_path):
    model = made.config("llama")
    folder = made.write_hf(tmp_path / "m", model, made.state(model), shards=2)
    index = folder / "model.safetensors.index.json"
    return folder, index, json.loads(index.read_text())


@pytest.mark.parametrize(
    "shard, shown",
    [
        ("../m/model-00001-of-00002.safetensors", r"'\.\./m/model-00001-of-00002\.safetensors'"),
        ("/etc/x.safetensors", r"'/etc/x\.safetensors'"),
        ("..\\x.safetensors", r"'\.\.\\\\x\.safetensors'"),
        ("c:x.safetensors", r"'c:x\.safetensors'"),
        ("a\0.safetensors", r"'a\\x00\.safetensors'"),
        ("config.json", r"'config\.json'"),
        ("..", r"'\.\.'"),
        ("", r"''"),
        (7, r"7"),
        (["model-00001-of-00002.safetensors"], r"\['model-00001-of-00002\.safetensors'\]"),
    ],
)
def test_a_shard_outside_the_folder(shard, shown, tmp_path):
    folder, index, content = sharded(tmp_path)
    content["weight_map"]["model.norm.weight"] = shard
    index.write_text(json.dumps(content))
    refused(folder, rf"index\.json: tensor 'model\.norm\.weight' is in {shown}, which is not the name of a safetensors")


def test_a_missing_shard(tmp_path):
    folder, _, _ = sharded(tmp_path)
    (folder / "model-00002-of-00002.safetensors").unlink()
    refused(folder, r"m: shard 'model-00002-of-00002\.safetensors' of .* is missing: download it")


def test_a_tensor_missing_from_its_shard(tmp_path):
    folder, index, content = sharded(tmp_path)
    content["weight_map"]["extra"] = "model-00001-of-00002.safetensors"
    index.write_text(json.dumps(content))
    refused(folder, r"model-00001-of-00002\.safetensors: lacks tensor 'extra', which .*index\.json says it has")


@pytest.mark.parametrize("weight_map", [None, [], {}, "all"])
def test_an_index_without_a_map(weight_map, tmp_path):
    folder, index, _ = sharded(tmp_path)
    index.write_text(json.dumps({"weight_map": weight_map}))
    refused(folder, r"index\.json: weight_map is .*, not an object")


def test_an_index_of_too_many_files(tmp_path):
    folder, index, _ = sharded(tmp_path)
    index.write_text(json.dumps({"weight_map": {f"t{i}": f"{i}.safetensors" for i in range(5000)}}))
    refused(folder, r"names 5000 files; the limit is 4096")


WRONG = {
    "missing": (lambda w: w.pop("model.layers.1.mlp.up_proj.weight"), r"{}ffn_up\.weight is missing"),
    "wrong shape": (
        lambda w: w.update({"model.layers.1.mlp.up_proj.weight": np.ones((48, 31), np.float32)}),
        r"{}ffn_up\.weight is \[48, 31\], not \[48, 32\]",
    ),
    "transposed": (
        lambda w: w.update({"model.layers.1.mlp.up_proj.weight": np.ones((32, 48), np.float32)}),
        r"{}ffn_up\.weight is \[32, 48\], not \[48, 32\]",
    ),
    "a vector for a matrix": (
        lambda w: w.update({"model.layers.1.mlp.up_proj.weight": np.ones(48 * 32, np.float32)}),
        r"{}ffn_up\.weight is \[1536\], not \[48, 32\]",
    ),
    "a layer short": (
        lambda w: [w.pop(k) for k in list(w) if ".layers.1." in k],
        r"hidden size 32: .* is missing; .* is missing; .* is missing; .* is missing; and 5 more: the model",
    ),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("kind", ["gguf", "hf"])
def test_tensors_that_do_not_fit_the_config(case, kind, tmp_path):
    spoil, message = WRONG[case]
    model = made.config("llama")
    weights = made.state(model)
    spoil(weights)
    if kind == "gguf":
        path = made.write_gguf(tmp_path / "m.gguf", model, weights)
        message = message.replace("{}", r"blk\.1\.")
    else:
        path = made.write_hf(tmp_path / "m", model, weights)
        message = message.replace(r"{}ffn_up", r"model\.layers\.1\.mlp\.up_proj")
    refused(path, message)


def test_types_that_are_not_read_are_named(tmp_path):
    """A float64 in safetensors, an i8 in GGUF; unused tensors of these types do not matter."""
    model = made.config("llama")
    weights = made.state(model)
    wide = {"extra": np.ones(3), "model.norm.weight": weights["model.norm.weight"].astype(np.float64)}
    refused(
        made.write_hf(tmp_path / "m", model, weights | wide),
        r"model\.norm\.weight has the unsupported type f64; supported:",
    )
    tiny = made.config("llama", num_hidden_layers=1, intermediate_size=64)
    path = made.write_gguf(tmp_path / "m.gguf", tiny, made.state(tiny), "q8_0")
    raw = path.read_bytes()
    at = raw.index(b"blk.0.ffn_gate.weight") + len("blk.0.ffn_gate.weight") + 4 + 16
    assert raw[at : at + 4] == struct.pack("<I", 8)
    path.write_bytes(raw[:at] + struct.pack("<I", 24) + raw[at + 4 :])
    refused(path, r"blk\.0\.ffn_gate\.weight has the unsupported type i8; supported: f32, bf16, f16, q8_0, .*, q4_k")


def test_a_quantised_vector(tmp_path):
    model = made.config("llama")
    path = made.write_gguf(tmp_path / "m.gguf", model, made.state(model))
    raw = path.read_bytes()
    at = raw.index(b"output_norm.weight") + len("output_norm.weight") + 4 + 8
    path.write_bytes(raw[:at] + struct.pack("<I", 8) + raw[at + 4 :])
    refused(path, r"output_norm\.weight is a vector of unsupported type q8_0; supported for vectors: f32, f16, bf16")


def test_paths_that_are_no_models(tmp_path):
    refused(tmp_path / "nowhere.gguf", r"nowhere\.gguf: cannot be opened: No such file")
    refused("a\0b", r"cannot be opened: embedded null")
    refused("What is the capital of France? " * 20, r"cannot be opened: File name too long")
    refused(tmp_path, r"has no config\.json: give a Hugging Face model's folder or a \.gguf file")
    (tmp_path / "b.gguf").write_bytes(b"")
    refused(tmp_path, r"has no config\.json, but GGUF files: give one of them, such as 'b\.gguf'")
    (tmp_path / "adapter_config.json").write_text("{}")
    refused(tmp_path, r"is a PEFT adapter, not a model")
    (tmp_path / "config.json").write_text("{}")
    refused(tmp_path, r"has neither model\.safetensors nor model\.safetensors\.index\.json: download")
    (tmp_path / "pytorch_model.bin").write_bytes(b"PK")
    refused(tmp_path, r"\(PyTorch's \.bin files are unsupported\)")
    other = tmp_path / "notes.txt"
    other.write_text("hello")
    refused(other, r"notes\.txt: unsupported model file: give a \.gguf file, a \.safetensors file or a folder")
    (tmp_path / "alone").mkdir()
    alone = tmp_path / "alone" / "model.safetensors"
    alone.write_bytes(header({}))
    refused(alone, r"config\.json: cannot be opened: No such file")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "m.gguf")
    refused(tmp_path / "m.gguf", r"is not a regular file")
    made.write_hf(tmp_path, made.config("llama"), made.state(made.config("llama")))
    (tmp_path / "config.json").unlink()
    os.mkfifo(tmp_path / "config.json")
    refused(tmp_path, r"has no config\.json")
