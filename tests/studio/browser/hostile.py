"""A scene in which every name would like to be something else: markup, a property, a script."""

import poise
from poise import tasks as t
from poise.figure import Builder, Capsule, Hinge

RUN = "window['__xss']=1"
"""What must never run; without "/" and ".", which most names do not have."""

WAYS = {
    "quotes": f'a" style="animation:q-spin 1s" onanimationstart="{RUN}" autofocus onfocus="{RUN}',
    "apostrophes": f"a' onmouseover='{RUN}' tabindex='0",
    "tags": f"<img src=x onerror={RUN}><svg onload={RUN}>",
    "entities": f"&quot;&gt;&lt;img src=x onerror={RUN}&gt;&#60;",
    "address": f"javascript:{RUN}",
    "template": f"{{{{ constructor['constructor'](`{RUN}`)() }}}} ${{{RUN}}}",
    "property": f'a" :style="{RUN}" @click="{RUN}" v-html="{RUN}',
    "prototype": "__proto__",
    "long": "W" * 180,
    "right to left": "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
}
"""Names that are names, by the way in which they are hostile."""

WORSE = f"</script><script>{RUN}</script><!--"
"""What names with "/" can do besides; those of tasks and forces may have it."""

ACTING = {"long": "W" * 10_000, "control": f"a\n<img src=x onerror={RUN}>\x1b[2J"}
"""Names that are none, and are refused."""


def hostile() -> poise.Scene:
    """A figure for each way, with segments, joints, sites and postures; tasks, props and forces."""
    scene = poise.Scene({way: _figure(way, i) for i, way in enumerate(WAYS.values())})
    for i, way in enumerate([*WAYS.values(), WORSE]):
        place = way if way != WORSE else WAYS["tags"]
        target = (0.3 * (i % 10), 0.1, 0.5)
        scene.add(t.Position(f"{place}/{place}", target), priority=1 + i % 2, name=way)
        scene.add(t.Rest(), name=f"{way} of criteria")
        scene.forces.apply(f"{place}/{place}", force=(0, 0, -1), name=f"{way} of forces")
        if way != WORSE:
            scene.place(poise.box(0.1, 0.1, 0.1, name=f"{way} of props"), (0.3 * i, -0.5, 0.1))
            scene.forces.support(f"{way}/{way}", ratio=1.0)
    return scene


def _figure(way: str, number: int) -> poise.Figure:
    builder = Builder(way)
    builder.segment(f"{way} of segments", shapes=[Capsule((0, 0, 0), (0, 0, 0.2), 0.03)], mass=1)
    builder.segment(way, shapes=[Capsule((0, 0, 0), (0, 0, 0.2), 0.03)], mass=1)
    builder.root(f"{way} of segments", "fixed", (0.3 * number, 0, 0))
    builder.joint(way, Hinge("y", (-1, 1), coordinate=way), f"{way} of segments", way, (0, 0, 0.2))
    square = ((-0.05, -0.05), (0.05, -0.05), (0.05, 0.05), (-0.05, 0.05))
    builder.site(way, way, (0, 0, 0.2), outline=square)
    builder.posture(way)
    return builder.build()
