// What a view shows, as plain values: for tests, and for people who look under the bonnet.

/** @param {import("./viewer.js").Viewer} viewer */
export function stateOf(viewer) {
  const { overlays, stage } = viewer;
  const named = (valueOf) => Object.fromEntries(stage.sites.map((site) => [site.name, valueOf(stage.siteAt(site))]));
  return {
    open: viewer.isOpen,
    rests: viewer.rests,
    frame: viewer.placed?.[7] ?? null,
    quality: viewer.painter.quality,
    handled: viewer.handled ?? null,
    counts: { ...viewer.counts },
    selection: viewer.selection,
    goals: overlays.goals.shown,
    pins: overlays.pins.shown,
    recruited: viewer.recruited,
    limits: overlays.limits.shown ?? null,
    sites: named((place) => place.toArray()),
    screen: named((place) => viewer.onScreen(place)),
  };
}
