"""Contracts that must hold on every GPU, and `verify`, which tries to break them."""

from .contract import Contract, ContractError, Obligation, contracts, obligations
from .report import print_report
from .verify import Report, Row, select, verify

__all__ = [
    "Contract",
    "ContractError",
    "Obligation",
    "Report",
    "Row",
    "contracts",
    "obligations",
    "print_report",
    "select",
    "verify",
]
