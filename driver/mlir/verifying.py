"""`volta-opt --verify CONTRACT [MODULE]`: run the contract, and print the module with the verdict as attributes."""

from __future__ import annotations

from pathlib import Path

from volta_pipe.driver.mlir.annotate import annotate, attributes_of
from volta_pipe.ir.errors import InputError, Place


def verified_module(contract: str, module: str | None) -> tuple[str, int]:
    """(the module's text with the verdict, exit code of the verdict). Without a module: the one that the candidate is in.

    Errors: InputError."""
    from volta_pipe.driver.contract import read_contract
    from volta_pipe.driver.session import store_folder, verify
    from volta_pipe.driver.store import Store
    from volta_pipe.driver.verdict import exit_code
    from volta_pipe.passes.lower import read_ptx

    candidate = read_contract(contract).candidate
    path = Path(module) if module is not None else candidate.path
    if path.suffix != ".mlir":
        raise InputError("the candidate's source is no .mlir: name the module to annotate behind the contract", Place(contract))
    text = read_ptx(path)  # any text is read as PTX is: not too long, UTF-8
    annotate(text, candidate.entry, {})  # what is wrong with the module is said before the work, not behind it
    with Store(store_folder(None)) as store:
        document = verify(contract, store).document
    try:
        return annotate(text, candidate.entry, attributes_of(document)), exit_code(document)
    except InputError as error:
        raise InputError(error.message, Place(str(path))) from None
