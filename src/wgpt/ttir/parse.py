"""Parses the text of MLIR's generic form into the typed IR."""

from __future__ import annotations

import re
import struct
from typing import Any

from .errors import Refused
from .ir import Block, Module, Op, Region, Type, Value

_TOKEN = re.compile(
    r"""
    (?P<space>(?:\s+|//[^\n]*)+)
  | (?P<string>"(?:[^"\\]|\\.)*")
  | (?P<value>%[\w$.-]+(?:\#\d+)?)
  | (?P<block>\^\w+)
  | (?P<symbol>@(?:[\w$.-]+|"[^"]*"))
  | (?P<hash>\#[\w.$-]+)
  | (?P<bang>![\w.$]+)
  | (?P<number>-?(?:0x[0-9A-Fa-f]+|\d+\.\d*(?:[eE][+-]?\d+)?|\d+))
  | (?P<word>[A-Za-z_][\w.$]*)
  | (?P<punct>->|::|[()\[\]{}<>=:,?*+|-])
    """,
    re.X,
)
_LOC = re.compile(r"^(#loc\d*) = loc\((.*)\)$", re.M)
_FILE_LINE = re.compile(r'"([^"]*)":(\d+):\d+')


class _Locations:
    """Locations of operations in the kernel's source; of nested call sites the outermost is used."""

    def __init__(self, text: str) -> None:
        self._named = dict(_LOC.findall(text))
        self._known: dict[str, str] = {}

    def line(self, loc: str) -> str:
        if loc not in self._known:
            self._known[loc] = ""  # stops at circular references
            self._known[loc] = self._find(self._named.get(loc, loc))
        return self._known[loc]

    def _find(self, text: str) -> str:
        match = _FILE_LINE.search(text)
        if match and not text.startswith("callsite"):
            return f"{match.group(1).rsplit('/', 1)[-1]}:{match.group(2)}"
        for name in reversed(re.findall(r"#loc\d*", text)):  # callsite(callee at caller): prefer the caller
            line = self.line(name)
            if line:
                return line
        return ""


class Parser:
    """Recursive descent parser. Values may be used before their block is parsed (but not before their definition)."""

    def __init__(self, text: str) -> None:
        self._locations = _Locations(text)
        self._tokens: list[tuple[str, str]] = []
        at = 0
        body = _LOC.sub("", text)
        while at < len(body):
            match = _TOKEN.match(body, at)
            if match is None:
                raise Refused(f"cannot read the IR at {body[at : at + 40]!r}")
            kind = match.lastgroup or ""
            if kind != "space":
                self._tokens.append((kind, match.group()))
            at = match.end()
        self._tokens.append(("end", ""))
        self._at = 0
        self._values: dict[str, Value] = {}
        self._blocks: list[dict[str, Block]] = [{}]

    # Tokens -----------------------------------------------------------------------------------------------

    def _peek(self, ahead: int = 0) -> str:
        return self._tokens[self._at + ahead][1]

    def _next(self) -> str:
        token = self._tokens[self._at][1]
        self._at += 1
        return token

    def _accept(self, token: str) -> bool:
        if self._peek() == token:
            self._at += 1
            return True
        return False

    def _expect(self, token: str) -> None:
        actual = self._next()
        if actual != token:
            raise Refused(f"cannot read the IR: expected {token!r}, found {actual!r}")

    # Structure --------------------------------------------------------------------------------------------

    def module(self) -> Module:
        while self._tokens[self._at][0] == "hash":  # aliases for long attributes, which are not needed
            self._at += 2
            self._attribute()
        top = self._op()
        functions = {}
        entry = ""
        for op in top.regions[0].block.ops:
            if op.name != "tt.func":
                raise Refused(f"{op.name} at the top of a module")
            name = str(op.attrs["sym_name"])
            functions[name] = op
            if op.attrs.get("sym_visibility") != "private":
                entry = name
        return Module(functions, entry)

    def _op(self) -> Op:
        names: list[tuple[str, int]] = []
        if self._tokens[self._at][0] == "value":
            while True:
                name = self._next()
                count = 1
                if self._accept(":"):
                    count = int(self._next())
                names.append((name, count))
                if not self._accept(","):
                    break
            self._expect("=")
        op = Op(self._next()[1:-1], [])
        self._expect("(")
        operand_names = []
        while not self._accept(")"):
            operand_names.append(self._next())
            self._accept(",")
        if self._accept("["):
            while not self._accept("]"):
                op.successors.append(self._block_named(self._next()))
                self._accept(",")
        if self._accept("<"):
            op.attrs.update(self._dict())
            self._expect(">")
        if self._peek() == "(" and self._peek(1) == "{":
            self._expect("(")
            while True:
                op.regions.append(self._region())
                if not self._accept(","):
                    break
            self._expect(")")
        if self._peek() == "{":
            op.attrs.update(self._dict())
        self._expect(":")
        self._types()
        self._expect("->")
        result_types = self._types()
        op.line = self._location()
        op.operands = [self._values[name] for name in operand_names]
        at = 0
        for name, count in names:
            for i in range(count):
                value = Value(result_types[at], op, at, name=name[1:])
                op.results.append(value)
                self._values[f"{name}#{i}" if count > 1 else name] = value
                at += 1
        return op

    def _region(self) -> Region:
        self._expect("{")
        self._blocks.append({})
        region = Region()
        if self._tokens[self._at][0] != "block" and self._peek() != "}":
            region.blocks.append(Block())
        while not self._accept("}"):
            if self._tokens[self._at][0] == "block":
                block = self._block_named(self._next())
                region.blocks.append(block)
                if self._accept("("):
                    while not self._accept(")"):
                        name = self._next()
                        self._expect(":")
                        value = Value(self._type(), None, len(block.args), block, name[1:])
                        self._location()
                        block.args.append(value)
                        self._values[name] = value
                        self._accept(",")
                self._expect(":")
            else:
                region.blocks[-1].ops.append(self._op())
        self._blocks.pop()
        return region

    def _block_named(self, name: str) -> Block:
        return self._blocks[-1].setdefault(name, Block())

    def _location(self) -> str:
        if self._peek() != "loc":
            return ""
        self._next()
        start = self._at
        self._skip_balanced()
        return self._locations.line("".join(t for _, t in self._tokens[start + 1 : self._at - 1]))

    def _skip_balanced(self) -> str:
        """The text of one bracketed group."""
        pairs = {"(": ")", "<": ">", "[": "]", "{": "}"}
        start = self._at
        stack = [pairs[self._next()]]
        while stack:
            token = self._next()
            if token in pairs:
                stack.append(pairs[token])
            elif token == stack[-1]:
                stack.pop()
            elif not token:
                raise Refused("cannot read the IR: it ends inside a bracket")
        return " ".join(t for _, t in self._tokens[start : self._at])

    # Types ------------------------------------------------------------------------------------------------

    def _types(self) -> list[Type]:
        if not self._accept("("):
            return [self._type()]
        types = []
        while not self._accept(")"):
            types.append(self._type())
            self._accept(",")
        return types

    def _type(self) -> Type:
        token = self._next()
        if token == "(":  # a function type
            self._at -= 1
            self._types()
            self._expect("->")
            self._types()
            return Type("function")
        if token == "tensor":
            self._expect("<")
            shape, elem = self._shaped()
            while not self._accept(">"):  # skip the encoding
                self._next()
            return elem.with_shape(shape)
        if token == "!tt.ptr":
            self._expect("<")
            inner = self._type()
            if self._accept(","):
                self._next()
            self._expect(">")
            return Type("ptr", (), str(inner.scalar) if inner.shape else inner.elem, inner.shape)
        if token == "!tt.tensordesc":
            start = self._at
            if self._peek() == "<":
                self._skip_balanced()
            text = "".join(t for _, t in self._tokens[start : self._at])
            match = re.search(r"(\d+(?:x\d+)*)x([a-z]+\d+\w*)", text)
            if match is None:
                return Type("tensordesc")
            return Type("tensordesc", (), match.group(2), tuple(int(n) for n in match.group(1).split("x")))
        if self._peek() == "<" and token.startswith("!"):
            self._skip_balanced()
        return Type(token)

    def _shaped(self) -> tuple[tuple[int, ...], Type]:
        """`128x64xf32`, however it was split into tokens."""
        shape: list[int] = []
        while True:
            kind, token = self._tokens[self._at]
            if kind == "number":
                self._at += 1
                if token.startswith("0x"):  # a size is never 0, so `0x...` is not a size
                    raise Refused(f"cannot read a shape at {token}")
                shape.append(int(token))
            elif kind == "word" and token.startswith("x"):
                parts = token[1:].split("x") if token != "x" else [""]
                rest = 0
                for i, part in enumerate(parts):
                    if part.isdigit():
                        shape.append(int(part))
                        rest = i + 1
                remaining = "x".join(parts[rest:])
                self._at += 1
                if remaining:
                    return tuple(shape), Type(remaining)
                if token != "x" and not remaining and self._tokens[self._at][0] != "number":
                    return tuple(shape), self._type()
            else:
                return tuple(shape), self._type()

    # Attributes -------------------------------------------------------------------------------------------

    def _dict(self) -> dict[str, Any]:
        self._expect("{")
        attributes: dict[str, Any] = {}
        while not self._accept("}"):
            name = self._next().strip('"')
            attributes[name] = self._attribute() if self._accept("=") else True
            self._accept(",")
        return attributes

    def _attribute(self) -> Any:
        kind, token = self._tokens[self._at]
        if kind == "string":
            self._at += 1
            self._typed()
            return token[1:-1]
        if kind == "number":
            self._at += 1
            declared = self._typed()
            return number(token, declared.elem if declared else "")
        if token in ("true", "false"):
            self._at += 1
            return token == "true"
        if token == "dense":
            self._at += 1
            self._expect("<")
            inner = self._dense()
            self._expect(">")
            declared = self._typed()
            return _converted(inner, declared.elem if declared else "")
        if token == "array":
            self._at += 1
            self._expect("<")
            elem = self._next()
            values = []
            if self._accept(":"):
                while self._peek() != ">":
                    kind, item = self._tokens[self._at]
                    self._at += 1
                    values.append(item == "true" if item in ("true", "false") else number(item, elem))
                    self._accept(",")
            self._expect(">")
            return values
        if token == "[":
            self._at += 1
            items = []
            while not self._accept("]"):
                items.append(self._attribute())
                self._accept(",")
            return items
        if token == "{":
            return self._dict()
        if kind == "hash":
            self._at += 1
            inner = self._skip_balanced()[1:-1].strip() if self._peek() == "<" else ""
            self._typed()
            return inner or token
        if kind == "symbol":
            self._at += 1
            return token[1:].strip('"')
        if token == "unit":
            self._at += 1
            return True
        return self._type()

    def _typed(self) -> Type | None:
        return self._type() if self._accept(":") else None

    def _dense(self) -> Any:
        if self._accept("["):
            items = []
            while not self._accept("]"):
                items.append(self._dense())
                self._accept(",")
            return items
        kind, token = self._tokens[self._at]
        self._at += 1
        if token in ("true", "false"):
            return token == "true"
        return token.strip('"') if kind == "string" else token


def number(token: str, elem: str) -> int | float:
    """An integer, or a float in decimal or as the bits of its type."""
    if elem.startswith("f") or elem == "bf16":
        if not token.startswith("0x"):
            return float(token)
        bits = int(token, 16)
        if elem == "f64":
            return float(struct.unpack("<d", struct.pack("<Q", bits))[0])
        if elem == "f16":
            return float(struct.unpack("<e", struct.pack("<H", bits))[0])
        if elem == "bf16":
            bits <<= 16
        elif elem != "f32":
            raise Refused(f"a constant of type {elem}")
        return float(struct.unpack("<f", struct.pack("<I", bits))[0])
    return int(token, 16) if token.lower().startswith(("0x", "-0x")) else float(token) if "." in token else int(token)


def _converted(value: Any, elem: str) -> Any:
    if isinstance(value, list):
        return [_converted(v, elem) for v in value]
    return value if isinstance(value, bool) else number(value, elem)


def parse(text: str) -> Module:
    """Parse a module in MLIR's generic form, with or without locations."""
    return Parser(text).module()
