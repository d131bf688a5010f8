"""A contract in a pass: which launch a kernel of a module has."""

from __future__ import annotations

from functools import lru_cache

from volta_pipe.driver.contract import Contract, read_contract
from volta_pipe.driver.plan import KernelPlan, plan
from volta_pipe.ir.errors import InputError, Place

SIDES = ("reference", "candidate")


@lru_cache(maxsize=8)
def contract_at(path: str) -> Contract:
    """The contract of a file. Errors: InputError."""
    return read_contract(path)


def dims_of(contract: Contract, text: str, file: str) -> dict[str, int]:
    """One combination of dims: `n=100,k=2`, or "" for the first. Errors: InputError."""
    wanted: dict[str, int] = {}
    for part in filter(None, text.split(",")):
        name, equals, number = part.partition("=")
        if not equals or not number.strip().isdigit():
            raise InputError(f"'{part}' is no dim (such as n=100)", Place(file))
        wanted[name.strip()] = int(number)
    found = [one for one in contract.combinations() if wanted.items() <= one.items()]
    if not found:
        raise InputError(f"no combination of dims of the contract has {text}", Place(file))
    return found[0]


def kernel_of(path: str, side: str, dims: str) -> KernelPlan | None:
    """The launched kernel of a side; None where the reference is none. Errors: InputError."""
    contract = contract_at(path)
    planned = plan(contract, dims_of(contract, dims, path))
    found = planned.candidate if side == "candidate" else planned.reference
    return found if isinstance(found, KernelPlan) else None


def dims_text(path: str, dims: str) -> str:
    """The combination that `dims` chooses, all of it."""
    return ",".join(f"{name}={value}" for name, value in dims_of(contract_at(path), dims, path).items())
