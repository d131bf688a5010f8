"""MLIR modules as text, whatever their dialect: reading with places, verification, printing."""

from volta_pipe.ir.modules.text import MOST_OPERATIONS, check_count, damaged, parse_with, print_custom, print_generic, verify

__all__ = ["MOST_OPERATIONS", "check_count", "damaged", "parse_with", "print_custom", "print_generic", "verify"]
