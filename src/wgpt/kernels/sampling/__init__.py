"""Choosing the next token: argmax, or sampling."""
