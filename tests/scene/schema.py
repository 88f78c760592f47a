"""As much of JSON Schema as our schemas use; a word that it does not know is an error."""

from __future__ import annotations

from typing import Any

_NOTES = {"title", "description", "default", "$defs", "$schema", "discriminator"}
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "number": (int, float),
    "integer": int,
}


def fits(value: Any, schema: dict[str, Any], root: dict[str, Any] | None = None) -> bool:
    """Whether a value is as a schema has it."""
    whole = schema if root is None else root
    return all(
        _holds(value, word, rule, schema, whole)
        for word, rule in schema.items()
        if word not in _NOTES
    )


def _holds(value: Any, word: str, rule: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    numeric = isinstance(value, (int, float)) and not isinstance(value, bool)
    match word:
        case "$ref":
            return fits(value, root["$defs"][rule.removeprefix("#/$defs/")], root)
        case "type":
            is_flag = isinstance(value, bool) and rule != "boolean"
            return isinstance(value, _TYPES[rule]) and not is_flag
        case "anyOf" | "oneOf":
            return any(fits(value, each, root) for each in rule)
        case "const":
            return value == rule
        case "enum":
            return value in rule
        case "properties":
            given = value if isinstance(value, dict) else {}
            return all(fits(given[key], rule[key], root) for key in given if key in rule)
        case "required":
            return not isinstance(value, dict) or set(rule) <= set(value)
        case "additionalProperties":
            if not isinstance(value, dict):
                return True
            others = [value[key] for key in value if key not in schema.get("properties", {})]
            if isinstance(rule, bool):
                return rule or not others
            return all(fits(each, rule, root) for each in others)
        case "items":
            if not isinstance(value, list) or rule is False:
                return True
            return all(fits(each, rule, root) for each in value)
        case "prefixItems":
            if not isinstance(value, list):
                return True
            return all(fits(each, part, root) for each, part in zip(value, rule, strict=False))
        case "minItems":
            return not isinstance(value, list) or len(value) >= rule
        case "maxItems":
            return not isinstance(value, list) or len(value) <= rule
        case "minProperties":
            return not isinstance(value, dict) or len(value) >= rule
        case "maxProperties":
            return not isinstance(value, dict) or len(value) <= rule
        case "minimum":
            return not numeric or value >= rule
        case "maximum":
            return not numeric or value <= rule
        case "exclusiveMinimum":
            return not numeric or value > rule
        case "exclusiveMaximum":
            return not numeric or value < rule
        case _:
            raise AssertionError(f"the schema has {word!r}, which is not known here")
