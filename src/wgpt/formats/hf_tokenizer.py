"""Reads a tokenizer from a Hugging Face folder: tokenizer.json, or the older vocab.json with merges.txt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, decoders, models
from tokenizers import Tokenizer as Backend

from ..core.naming import argument
from .errors import FormatError, shown
from .family import model_type_of, model_types
from .mapped import impostor
from .safetensors_scan import parse_object, read_json
from .splitting import SPLITTINGS
from .tokenizer_base import Tokenizer, ends_of_turn, guarded, surround
from .tokenizer_limits import MAX_BYTES, MAX_MERGES, check_added, check_description, check_text

_NAMED = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
_FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")
_LISTED = ("additional_special_tokens", "extra_special_tokens")
# Without tokenizer.json: how the class that transformers would use splits text, and its special tokens.
_END = "<|endoftext|>"
_CLASSES = {
    "GPT2Tokenizer": ("gpt-2", {"bos_token": _END, "eos_token": _END, "unk_token": _END}),
    "Qwen2Tokenizer": ("qwen2", {"eos_token": _END, "unk_token": _END, "pad_token": _END}),
}
_WITHOUT_MODEL = "GPT2Tokenizer"  # for a folder that does not name a class


def from_folder(folder: Path) -> Tokenizer:
    """The tokenizer of a model's folder, or of a tokenizer.json."""
    if folder.is_file():
        folder = folder.parent
    settings = {**_optional(folder, "special_tokens_map.json"), **_optional(folder, "tokenizer_config.json")}
    template = _chat_template(folder, settings)
    source = folder / "tokenizer.json"
    with guarded(str(source if source.is_file() else folder / "vocab.json")):
        backend = _from_json(source) if source.is_file() else _from_vocab(folder, settings)
        _add_missing(backend, settings, _optional(folder, "added_tokens.json"))
        bos, eos = (_id(backend, settings.get(name)) for name in ("bos_token", "eos_token"))
        if not source.is_file():  # a tokenizer.json itself says what goes around a text
            surround(
                backend,
                bos if settings.get("add_bos_token") else None,
                eos if settings.get("add_eos_token") else None,
            )
        ends = [*([] if eos is None else [eos]), *_configured_ends(folder), *ends_of_turn(backend)]
        ids = backend.get_vocab(with_added_tokens=True).values()
        if not ids:
            raise FormatError(f"{folder}: its tokenizer's vocabulary is empty")
        return Tokenizer(
            backend,
            vocab_size=max(ids) + 1,
            bos_id=bos,
            eos_id=eos,
            eos_ids=ends,
            chat_template=template,
        )


def _from_json(path: Path) -> Backend:
    text = _read(path)
    check_description(parse_object(text, str(path)), str(path))
    backend = Backend.from_str(text.decode())
    # Some files contain settings of their makers' training runs.
    backend.no_truncation()
    backend.no_padding()
    backend.encode("a")
    return backend


def _read(path: Path) -> bytes:
    if path.stat().st_size > MAX_BYTES:
        raise FormatError(f"{path} has {path.stat().st_size} bytes; the limit for a tokenizer is {MAX_BYTES}")
    text = path.read_bytes()
    if why := impostor(text[:4096]):
        raise FormatError(f"{path}: {why}")
    check_text(text, str(path))
    return text


def _from_vocab(folder: Path, settings: dict[str, Any]) -> Backend:
    vocab, merges = folder / "vocab.json", folder / "merges.txt"
    if not (vocab.is_file() and merges.is_file()):
        also = "; tokenizer.model alone is unsupported" if (folder / "tokenizer.model").is_file() else ""
        raise FormatError(
            f"{folder} has no tokenizer.json (nor vocab.json with merges.txt){also}: "
            f"download it, or give another folder with {argument('tokenizer', 'DIR')}"
        )
    name = settings.get("tokenizer_class") or _class_of_model(folder)
    if not isinstance(name, str) or name.removesuffix("Fast") not in _CLASSES:
        raise FormatError(
            f"{folder} has vocab.json and merges.txt, but no tokenizer.json, and how {shown(name)} splits text is not "
            f"known (known: {', '.join(_CLASSES)}): download the model's tokenizer.json"
        )
    kind, defaults = _CLASSES[name.removesuffix("Fast")]
    for key, token in defaults.items():
        settings.setdefault(key, token)
    _read(vocab)
    if (lines := _read(merges).count(b"\n")) > MAX_MERGES:
        raise FormatError(f"{merges} has {lines} lines; the limit is {MAX_MERGES} merges")
    backend = Backend(models.BPE(*models.BPE.read_file(str(vocab), str(merges))))
    if normalizer := SPLITTINGS[kind].normalizer():
        backend.normalizer = normalizer
    backend.pre_tokenizer = SPLITTINGS[kind].pre_tokenizer()
    backend.decoder = decoders.ByteLevel()
    return backend


def _class_of_model(folder: Path) -> str | None:
    kind = model_type_of(_optional(folder, "config.json"))
    if kind is None:
        return _WITHOUT_MODEL
    family = model_types().get(kind) if isinstance(kind, str) else None
    return None if family is None else family.tokenizer_class


def _add_missing(backend: Backend, settings: dict[str, Any], added: dict[str, Any]) -> None:
    """Add tokens that only the files beside tokenizer.json list, in the order of transformers."""
    numbered = settings.get("added_tokens_decoder")
    if not isinstance(numbered, dict):
        numbered = {str(i): token for token, i in added.items()}
    known = {token.content for token in backend.get_added_tokens_decoder().values()}
    later = [settings.get(name) for name in _NAMED]
    later += [token for name in _LISTED for token in _values(settings.get(name))]
    special = {token.content for token in _added(later, special=True)}
    missing = []
    for token in [*_added(_by_number(numbered), special=False), *_added(later, special=True)]:
        if token.content not in known:
            known.add(token.content)
            token.special = token.special or token.content in special
            missing.append(token)
    check_added(known, "the files beside the tokenizer")
    backend.add_tokens(missing)  # all at once: the library rebuilds its automaton each time


def _by_number(numbered: dict[str, Any]) -> list[Any]:
    try:
        return [numbered[i] for i in sorted(numbered, key=int)]
    except ValueError:
        raise FormatError(f"added tokens are numbered {shown(list(numbered))}, not by ids") from None


def _values(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _added(tokens: Iterable[Any], special: bool) -> Iterator[AddedToken]:
    for token in tokens:
        content = _content(token)
        if content:
            flags = {key: bool(value) for key, value in token.items()} if isinstance(token, dict) else {}
            flags.setdefault("special", special)
            flags.setdefault("normalized", not flags["special"])
            yield AddedToken(content, **{key: flags[key] for key in _FLAGS if key in flags})


def _content(token: Any) -> str | None:
    """The text of a token, which may be an object with its content."""
    content = token.get("content") if isinstance(token, dict) else token
    if content is not None and not isinstance(content, str):
        raise FormatError(f"tokenizer_config.json names the token {shown(content)}, which is not a string")
    return content


def _id(backend: Backend, token: Any) -> int | None:
    content = _content(token)
    return backend.token_to_id(content) if content else None


def _configured_ends(folder: Path) -> Iterator[int]:
    """The end ids of generation_config.json or, if there are none, of config.json."""
    name = next((n for n in ("generation_config.json", "config.json") if "eos_token_id" in _optional(folder, n)), None)
    value = _optional(folder, name)["eos_token_id"] if name else None
    for i in value if isinstance(value, list) else [value]:
        if i is not None and (type(i) is not int or i < 0):
            raise FormatError(f"{folder / str(name)}: eos_token_id is {shown(value)}, not a token id or a list of them")
        if i is not None:
            yield i


def _chat_template(folder: Path, settings: dict[str, Any]) -> str | None:
    path = folder / "chat_template.jinja"
    if path.is_file():
        if path.stat().st_size > 1 << 24:
            raise FormatError(f"{path} has {path.stat().st_size} bytes: too large for a chat template")
        try:
            return path.read_text("utf-8")
        except UnicodeDecodeError as e:
            raise FormatError(
                f"{path}: is not UTF-8 at byte {e.start}: the file is damaged; download it again"
            ) from None
    template = settings.get("chat_template") or _optional(folder, "chat_template.json").get("chat_template")
    if isinstance(template, list):  # several lists, by name
        named = {entry.get("name"): entry.get("template") for entry in template if isinstance(entry, dict)}
        template = named.get("default")
    if template is not None and not isinstance(template, str):
        raise FormatError(f"{folder / 'tokenizer_config.json'}: chat_template is {shown(template)}, not a string")
    return template


def _optional(folder: Path, name: str) -> dict[str, Any]:
    return read_json(folder / name) if (folder / name).is_file() else {}
