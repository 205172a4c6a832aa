"""What must hold on every adapter, and the run that tries to break it there."""

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
