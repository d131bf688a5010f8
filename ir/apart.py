"""A numba compiler whose functions LLVM does not copy into their callers.

numba links every callee into its caller and optimises both again. For a function that takes some twenty arrays and is called
for few lanes that makes callers several times larger, and compile time with them. numba has no option for it; LLVM has the
attribute `noinline`, which one pass of the pipeline adds here."""

from __future__ import annotations

from typing import Any

from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering


class _ApartLower(Lower):  # type: ignore[misc]
    def lower_normal_function(self, fndesc: Any) -> None:
        super().lower_normal_function(fndesc)
        self.function.attributes.add("noinline")


@register_pass(mutates_CFG=True, analysis_only=False)
class _ApartLowering(NativeLowering):  # type: ignore[misc]
    _name = "native_lowering_apart"

    @property
    def lowering_class(self) -> type:
        return _ApartLower


class ApartCompiler(CompilerBase):  # type: ignore[misc]
    """The usual pipeline, with that attribute."""

    def define_pipelines(self) -> list[Any]:
        manager = PassManager("apart")
        for stage in ("untyped_pipeline", "typed_pipeline", "nopython_lowering_pipeline"):
            passes = getattr(DefaultPassBuilder, f"define_{stage}")(self.state).passes
            manager.passes.extend((_ApartLowering if one is NativeLowering else one, text) for one, text in passes)
        manager.finalize()
        return [manager]
