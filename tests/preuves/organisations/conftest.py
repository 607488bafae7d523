"""The fixture of tests/organisations."""

from tests.organisations.conftest import annuaire

__all__ = ["annuaire"]
