"""Access control: API keys, and the web pages whose requests are allowed."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import secrets
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from .errors import ApiError

_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_LOCAL_DOMAINS = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
_PREFLIGHT_SECONDS = "600"
_EXPOSED = "x-request-id, request-id, retry-after"


def request_id(headers: Headers) -> str:
    """The client's request id, if it is valid, or else a new one; it appears in logs and headers."""
    given = headers.get("x-request-id", "")
    return given if _REQUEST_ID.fullmatch(given) else f"req-{secrets.token_hex(12)}"


class Keys:
    """The server's API keys, stored as digests; without any, everybody may use it.

    `together`: holders of different keys share cached prompts (see `check`).
    """

    def __init__(self, keys: Sequence[str], together: bool = False) -> None:
        self._digests = [_digest(key) for key in keys]
        self._tenants = [secrets.token_hex(16) if len(keys) > 1 and not together else "" for _ in keys]

    def __bool__(self) -> bool:
        return bool(self._digests)

    def check(self, headers: Headers) -> str:
        """Raise ApiError 401 unless a request has a valid key, in constant time.

        Returns a name for the key under which prompts are cached: random, so that it reveals nothing about the key; ""
        if all clients share prompts.
        """
        if not self._digests:
            return ""
        kind, _, token = headers.get("authorization", "").partition(" ")
        offered = token.strip() if kind.lower() == "bearer" else headers.get("x-api-key", "")
        if not offered:
            raise ApiError(
                401, "an API key is required: send Authorization: Bearer KEY, or x-api-key: KEY", code="missing_api_key"
            )
        digest = _digest(offered)
        same = [hmac.compare_digest(digest, each) for each in self._digests]
        if not any(same):
            raise ApiError(401, "the API key is invalid", code="invalid_api_key")
        return self._tenants[same.index(True)]


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()


class Origins:
    """Web pages of other origins: allowed where the command line says so (CORS).

    Without keys, a page from anywhere could use a server on its reader's machine: requests of unknown pages are
    refused then, and so are all that ask for the server by a name that anybody could have made to point to it (DNS
    rebinding): for a browser, its pages are the server's own. With keys, a page needs one.

    `own_names`: what the server is called beside its addresses.
    """

    def __init__(self, allowed: Sequence[str], has_keys: bool, own_names: Sequence[str] = ()) -> None:
        self._allowed, self._has_keys = frozenset(origin.rstrip("/") for origin in allowed), has_keys
        names = [*own_names, *(_host_name(origin.partition("//")[2]) for origin in self._allowed)]
        self._names = frozenset(name.lower() for name in names if name)

    def headers(self, headers: Headers) -> dict[str, str]:
        """CORS headers to add to a response."""
        origin = headers.get("origin", "")
        if not origin or not self._is_allowed(origin):
            return {}
        any_origin = "*" in self._allowed
        cors = {"access-control-allow-origin": "*" if any_origin else origin}
        return {**cors, "access-control-expose-headers": _EXPOSED, **({} if any_origin else {"vary": "origin"})}

    def preflight(self, headers: Headers) -> dict[str, str]:
        """Headers that answer a browser's CORS preflight request."""
        if not self._is_allowed(headers.get("origin", "")):
            return {}
        return {
            "access-control-allow-methods": "GET, POST, OPTIONS",
            "access-control-allow-headers": headers.get("access-control-request-headers", "*"),
            "access-control-max-age": _PREFLIGHT_SECONDS,
        }

    def check_host(self, headers: Headers) -> None:
        """Raise ApiError 403 if a web page may have reached the server through DNS rebinding."""
        host = headers.get("host", "")
        if not host or self._has_keys or self._is_known(host):
            return
        raise ApiError(
            403,
            f"a server without a key answers to addresses and local names only, not to {host[:200]}: start it with "
            f"--cors-origin http://{host[:200]}, or with a key",
            code="host_not_allowed",
        )

    def check(self, headers: Headers) -> None:
        """Raise ApiError 403 for a page that must not use this server."""
        origin, host = headers.get("origin", ""), headers.get("host", "")
        own = origin.partition("//")[2].lower() == host.lower() and self._is_known(host)
        if not origin or self._has_keys or self._is_allowed(origin) or own:
            return
        raise ApiError(
            403,
            f"a server without a key takes requests of web pages from its own address only, not from {origin[:200]}: "
            f"start it with --cors-origin {origin[:200]} (also if it is behind a reverse proxy with that name), or "
            "with a key",
            code="origin_not_allowed",
        )

    def _is_allowed(self, origin: str) -> bool:
        return "*" in self._allowed or origin in self._allowed

    def _is_known(self, host: str) -> bool:
        """Whether a host name, perhaps with a port, cannot have been made to point here by a stranger: an IP address, a
        name without a dot, or a local domain, none of which are in public DNS.
        """
        name = _host_name(host)
        if "*" in self._allowed or name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return bool(name) and ("." not in name or name.endswith(_LOCAL_DOMAINS))
        return True


def _host_name(host: str) -> str:
    """The name in a Host header, without port; "" if it is invalid."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""
