"""Objects that are closed: setting an attribute that does not exist raises, with the nearest name.

`closed` closes a class. Without it Python takes `handle.wieght = 2` and does nothing, and
`del scene.forces` leaves a scene that fails later.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, NoReturn, TypeVar

from poise.errors import ClosedError, unknown_name

_Class = TypeVar("_Class", bound=type[Any])
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

_LONGEST = 500
"""How many characters a mapping prints; a longer one prints its size and its first names."""
_TOLD = 12  # names of a longer one


class Attributes(NamedTuple):
    """The public attributes of a class by what can be done with them."""

    settable: frozenset[str]
    """Properties with a setter, and what the class annotates."""
    given: frozenset[str]
    """What it annotates as `Final`: set once, when the object is made."""
    read: frozenset[str]
    """Properties without a setter."""
    methods: frozenset[str]

    def __contains__(self, name: object) -> bool:
        """Whether there is one of that name."""
        return any(name in each for each in self)

    @classmethod
    def of(cls, owner: type[Any]) -> Attributes:
        """Those of a class and of all that it derives from."""
        settable: set[str] = set()
        given: set[str] = set()
        read: set[str] = set()
        methods: set[str] = set()
        for base in reversed(owner.__mro__[:-1]):
            for name, annotation in inspect.get_annotations(base).items():
                kind = re.match(r"(?:typing\.)?(ClassVar|Final)?", str(annotation))
                word = kind.group(1) if kind else None
                if word != "ClassVar":
                    (given if word == "Final" else settable).add(name)
            for name, value in vars(base).items():
                if isinstance(value, property):
                    (read if value.fset is None else settable).add(name)
                elif isinstance(value, cached_property):
                    read.add(name)
                elif callable(value) or isinstance(value, (classmethod, staticmethod)):
                    methods.add(name)
        sets = (settable, given, read, methods)
        return cls(*(frozenset(name for name in each if name[0] != "_") for each in sets))


def closed(cls: _Class) -> _Class:
    """Close a class: only what it declares can be set, and nothing of that can be deleted.

    These are properties with a setter and attributes that the class annotates; those annotated as
    `Final`, and the fields of a frozen dataclass, only while the object is made. Names that begin
    with an underscore are the class's own. A class derived from it is open, as Python's are, unless
    it is closed as well.

    What to do instead of setting an attribute that can only be read, or that people look for in
    vain, a class says in `_instead`: by the attribute's name, "*" for all others that can be read.
    What an annotated attribute may be set to it says in `_checks`: by the attribute's name a
    function that gives the value to keep, or raises.
    """
    attributes = Attributes.of(cls)
    checks: Mapping[str, Callable[[Any], Any]] = getattr(cls, "_checks", {})
    settable, given = attributes.settable, attributes.given
    assign = object.__setattr__
    parameters = getattr(cls, "__dataclass_params__", None)
    frozen = attributes._replace(settable=frozenset[str](), given=settable)

    def set_declared(self: Any, name: str, value: Any) -> None:
        if name not in settable and name[:1] != "_":
            was_given = name in given and name in self.__dict__
            if was_given or (type(self) is cls and name not in given):
                refuse(self, name, attributes)
        assign(self, name, checks[name](value) if name in checks else value)

    def set_nothing(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in settable:
            refuse(self, name, frozen, f"dataclasses.replace(…, {name}=…) makes another")
        assign(self, name, value)

    def delete(self: Any, name: str) -> None:
        if name in attributes:
            raise ClosedError(f"{_called(self)}.{name} cannot be deleted")
        if type(self) is cls and (is_frozen or name[:1] != "_"):
            refuse(self, name, attributes)
        object.__delattr__(self, name)

    is_frozen = parameters is not None and parameters.frozen
    if not hasattr(cls, "__getattr__"):
        type.__setattr__(cls, "__getattr__", _refuse_reading)
    type.__setattr__(cls, "__setattr__", set_nothing if is_frozen else set_declared)
    type.__setattr__(cls, "__delattr__", delete)
    return cls


def refuse(
    thing: Any,
    name: str,
    attributes: Attributes,
    advice: str = "",
    *,
    more: Iterable[str] = (),
    where: str = "",
) -> NoReturn:
    """Raise because an attribute cannot be set: it can only be read, or does not exist.

    Args:
        thing: the object.
        name: of the attribute.
        attributes: of its class.
        advice: what to do instead, unless its class says that.
        more: names of others that can be set.
        where: how to call the object; by default by its class.
    """
    settable, given, read, methods = attributes
    kind = type(thing).__name__
    called = _called(thing)
    told: Mapping[str, str] = getattr(thing, "_instead", {})
    if name in methods:
        raise ClosedError(f"{called}.{name} is a method, and cannot be set")
    if name in given or name in read:
        fallback = advice if name in given else ""
        instead = told.get(name, told.get("*", fallback)).format(name=name)
        raise ClosedError(f"{called}.{name} is read-only{instead and '; '}{instead}")
    names = [*sorted(settable), *more, *sorted(given), *sorted(read)]
    article = "an" if kind[0] in "AEIO" else "a"
    where = where or f"{article} {kind}"
    if name in told:
        raise ClosedError(f"{where}: there is no attribute {name!r}; {told[name]}")
    raise ClosedError(str(unknown_name("attribute", name, dict.fromkeys(names), where)))


def _refuse_reading(thing: Any, name: str) -> Any:
    """Raise because there is no attribute to read, with the nearest name.

    Python calls it for what was not found, and for what a property found missing on its way.
    """
    kind = type(thing)
    if name[:1] == "_":  # of Python and of other libraries, which ask by it what a thing can do
        raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
    if hasattr(kind, name):
        return object.__getattribute__(thing, name)  # which raises again, in its own words
    settable, given, read, methods = Attributes.of(kind)
    names = sorted(
        settable | given | read | methods | {each for each in vars(thing) if each[0] != "_"}
    )
    article = "an" if kind.__name__[0] in "AEIO" else "a"
    raise ClosedError(str(unknown_name("attribute", name, names, f"{article} {kind.__name__}")))


def _called(thing: Any) -> str:
    """What people call a variable for such a thing: "stability_diagram" for a StabilityDiagram."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(thing).__name__).lower()


def _refuse_writing(*_: Any, **__: Any) -> NoReturn:
    raise ClosedError("this mapping is read-only; dict(…) makes one that can be changed")


_read_only: Any = _refuse_writing


class ReadOnlyDict(dict[_Key, _Value]):
    """A dict that cannot be written, and that prints its names alone where it is long."""

    def __repr__(self) -> str:
        """As that of a dict, unless it is long."""
        whole = dict.__repr__(self)
        if len(whole) <= _LONGEST:
            return whole
        names = ", ".join(str(key) for key in list(self)[:_TOLD])
        return f"<{len(self)} by name: {names}{', …' if len(self) > _TOLD else ''}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Made anew from a plain dict: items cannot be put in one by one."""
        return type(self), (dict(self),)

    __setitem__ = __delitem__ = __ior__ = _read_only
    clear = pop = popitem = setdefault = update = _read_only
