"""numba's front end alone: each kernel function is typed and lowered once, to LLVM's language.

A kernel that another one calls is typed when the call is met, and only declared in its caller;
nothing is linked, optimised or run here. Of numba's passes those are left out that plain loops on
plain arrays have no need of; `kernels.tree_of` refuses what would need them.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from numba import _dynfunc
from numba.core import callconv, cgutils, codegen, compiler, cpu, errors, funcdesc, types
from numba.core import typed_passes as typed
from numba.core import untyped_passes as untyped
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.registry import cpu_target
from numba.core.typing import Signature, signature
from numba.extending import models, register_model, typeof_impl

from poise.building.kernels import full_name, marks, tree_of
from poise.errors import PoiseError
from poise.kernel.compiling import marks_of

_FASTMATH = frozenset({"reassoc", "contract", "nsz", "arcp"})
"""No 'nnan' and 'ninf': a solver must be able to see that a number went bad."""


@dataclass
class Typed:
    """A kernel function with the types of its arguments: inferred, perhaps not lowered yet."""

    function: Any
    """The Python function."""
    arguments: tuple[types.Type, ...]
    symbol: str
    returned: types.Type | None = None
    calls: dict[str, Typed] = field(default_factory=dict[str, "Typed"])
    """The kernels that it calls, by symbol."""
    state: Any = None
    """numba's state, of one that is to be lowered."""

    @property
    def weight(self) -> int:
        """About how long lowering takes: the number of statements."""
        return sum(len(block.body) for block in self.state.func_ir.blocks.values())


def symbol_of(function: FunctionType, arguments: tuple[types.Type, ...]) -> str:
    """The name of a function for some types of arguments, the same in every build."""
    text = ", ".join(map(str, arguments))
    return f"{full_name(function)}.{hashlib.sha256(text.encode()).hexdigest()[:12]}"


class FrontEnd:
    """Types kernels, each once for given types of arguments, and lowers them."""

    def __init__(self, known: Callable[[Typed], bool], add: Callable[[Typed], None]) -> None:
        """Begin with nothing.

        Args:
            known: asked of each function before it is typed; fills in what it returns and calls if
                that is known from before, and says whether it is.
            add: told of each function that was typed and is to be lowered.
        """
        self._known, self._add = known, add
        self._typed: dict[str, Typed] = {}
        self._open: list[Typed] = []
        self._typing, self._target = cpu_target.typing_context, cpu_target.target_context
        _install(self)
        self._target.refresh()
        self._typing.refresh()

    def typed(self, function: FunctionType, arguments: tuple[types.Type, ...]) -> Typed:
        """A function with its result's type, for some types of arguments."""
        symbol = symbol_of(function, arguments)
        found = self._typed.get(symbol)
        if found is None:
            found = self._typed[symbol] = Typed(function, arguments, symbol)
            self._open.append(found)
            try:
                if not self._known(found):
                    self._infer(found)
            finally:
                self._open.pop()
            self._declare(found)
        if found.returned is None:
            raise PoiseError(f"{full_name(function)} calls itself, which kernels cannot")
        if self._open:
            self._open[-1].calls[symbol] = found
        return found

    def _infer(self, item: Typed) -> None:
        tree_of(item.function)  # refuses what the pipeline does not take
        flags = compiler.Flags()
        flags.nrt = marks(item.function).allocates
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.release_gil = True
        exact = {"reassoc"} if marks(item.function).exact else set[str]()
        flags.fastmath = cpu.FastMathOptions(set(_FASTMATH - exact))
        flags.error_model = "numpy"
        pipeline = _Pipeline(self._typing, self._target, None, item.arguments, None, flags, {})
        item.calls.clear()
        try:
            pipeline.compile_extra(item.function)
        except errors.NumbaError as error:
            raise PoiseError(_explained(item, error)) from None
        item.returned = pipeline.state.return_type
        item.state = pipeline.state
        self._add(item)

    def _declare(self, item: Typed) -> None:
        """Let callers call it by its symbol."""
        assert item.returned is not None
        declared = funcdesc.ExternalFunctionDescriptor(item.symbol, item.returned, item.arguments)
        self._target.insert_user_function(item.symbol, declared, ())

    def lowered(self, item: Typed) -> tuple[str, list[str]]:
        """The function in LLVM's language, and what numba itself wrote that it may need."""
        state = item.state
        described = funcdesc.PythonFunctionDescriptor.from_specialized_function(
            state.func_ir,
            state.typemap,
            state.return_type,
            state.calltypes,
            mangler=lambda *_, **__: item.symbol,
            inline=False,
            noalias=False,
            abi_tags=(),
        )
        described.env_name = f"environment.{item.symbol}"
        context = state.targetctx
        library = context.codegen().create_library(item.symbol)
        flags = compiler.ConfigStack().enter(state.flags.copy())
        with flags, context.push_code_library(library):
            lower = typed.NativeLowering().lowering_class(
                context, library, described, state.func_ir, metadata=state.metadata
            )
            try:
                lower.lower()
            except errors.NumbaError as error:
                raise PoiseError(_explained(item, error)) from None
        (text,) = library.texts
        return text, library.needed()


def _explained(item: Typed, error: errors.NumbaError) -> str:
    file = inspect.getsourcefile(item.function)
    line = error.loc.line if getattr(error, "loc", None) else item.function.__code__.co_firstlineno
    arguments = ", ".join(map(str, item.arguments))
    said = str(error).strip()
    if "NRT required" in said or "Only accept returning of array passed" in said:
        said = "it makes an array: mark it with allocates=True; lists cannot be made at all"
    return f"{file}:{line}: {full_name(item.function)}({arguments}) cannot be compiled: {said}"


# what numba is told ------------------------------------------------------------------------------


class _Kernel(types.Callable, types.Dummy):
    """The type of a kernel function, as a global of others."""

    front: FrontEnd

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        super().__init__(f"Kernel({full_name(function)})")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Signature:
        shape = inspect.signature(self.function)
        bound = shape.bind(*args, **kws)
        if len(bound.arguments) < len(shape.parameters):
            raise errors.TypingError(f"{full_name(self.function)}: kernels have no defaults")
        arguments = tuple(types.unliteral(bound.arguments[name]) for name in shape.parameters)
        return signature(_Kernel.front.typed(self.function, arguments).returned, *arguments)

    def get_call_signatures(self) -> tuple[list[Any], bool]:
        return [], True

    def get_impl_key(self, sig: Signature) -> str:
        return symbol_of(self.function, sig.args)


@register_model(_Kernel)
class _KernelModel(models.OpaqueModel):
    pass


class _Texts(codegen.JITCodeLibrary):
    """A code library that keeps what it is given, and does nothing with it."""

    def __init__(self, owner: Any, name: str) -> None:
        codegen.CodeLibrary.__init__(self, owner, name)
        self._linking_libraries: list[Any] = []
        self.texts: list[str] = []

    def add_linking_library(self, library: Any) -> None:
        library._ensure_finalized()
        self._linking_libraries.append(library)

    def add_ir_module(self, module: Any) -> None:
        self.texts.append(cgutils.normalize_ir_text(str(module)))

    def add_llvm_module(self, module: Any) -> None:
        self.texts.append(str(module))

    def finalize(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    def needed(self) -> list[str]:
        """The texts of all libraries that this one needs, each once."""
        found: dict[str, None] = {}
        todo, seen = list(self._linking_libraries), {id(self)}
        while todo:
            library = todo.pop()
            if id(library) not in seen:
                seen.add(id(library))
                found.update(dict.fromkeys(library.texts))
                todo += library._linking_libraries
        return list(found)


def _executable(self: Any, library: Any, description: Any, environment: Any) -> Any:
    """What numba takes for a function that can be run; nothing here is."""
    library._ensure_finalized()
    name = description.qualname.split(".")[-1]
    return _dynfunc.make_function(description.lookup_module(), name, "", 1, environment, (library,))


def _raised(self: Any, error: Any, arguments: Any, place: Any, name: Any) -> Any:
    """What is raised; not where, which would put this machine's paths into the library."""
    return error, arguments, None


@register_pass(mutates_CFG=False, analysis_only=True)
class _Stop(LoweringPass):
    """The end of typing: what was inferred stays in the pipeline's state."""

    _name = "poise_stop"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state["cr"] = compiler._LowerResult(None, None, cfunc=None, env=None)
        return True


class _Pipeline(compiler.CompilerBase):
    """Typing, without what only closures, generators, `with` and branches on types need."""

    def define_pipelines(self) -> list[PassManager]:
        passes = PassManager("poise")
        passes.add_pass(untyped.TranslateByteCode, "analyse the bytecode")
        passes.add_pass(untyped.FixupArgs, "fix up the arguments")
        passes.add_pass(untyped.IRProcessing, "process numba's code")
        passes.add_pass(untyped.GenericRewrites, "rewrite raise statements")
        passes.add_pass(untyped.ReconstructSSA, "single assignment")
        passes.add_pass(typed.NopythonTypeInference, "infer types")
        passes.add_pass(typed.PreLowerStripPhis, "remove phi nodes")
        passes.add_pass(typed.IRLegalization, "legalise")
        passes.add_pass(_Stop, "stop")
        passes.finalize()
        return [passes]


def _install(front: FrontEnd) -> None:
    """Let numba write text rather than machine code, in this process, from now on."""
    _Kernel.front = front
    codegen.JITCPUCodegen._library_class = _Texts
    cpu.CPUContext.get_executable = _executable
    callconv.CPUCallConv.build_excinfo_struct = _raised
    typeof_impl.register(FunctionType, _typeof_function)


def _typeof_function(value: FunctionType, context: Any) -> types.Type | None:
    return None if marks_of(value) is None else _Kernel(value)
