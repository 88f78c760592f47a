// The view as a component of the page.
import { Viewer } from "poise-view/viewer.js";

const style = new URL("view.css", import.meta.resolve("poise-view/viewer.js")).href;

/** The look of the view comes with it, once, however many views there are. */
function dress() {
  if (document.querySelector(`link[href="${style}"]`)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = style;
  document.head.append(link);
}

export default {
  template: `<div class="poise-view"></div>`,
  props: { path: String, tab: String },
  mounted() {
    dress();
    // Not reactive: nothing in here may be wrapped in the page's proxies.
    this.viewer = Object.freeze({
      it: new Viewer(this.$el, {
        path: this.path,
        tab: this.tab,
        emit: (name, value) => this.$emit(name, value),
      }),
    });
    this.$el.viewer = this.viewer.it;
  },
  beforeUnmount() {
    this.viewer.it.destroy();
  },
  methods: {
    frame() {
      this.viewer.it.frame();
    },
    pick(kind) {
      this.viewer.it.choosing.pick(kind);
    },
    snapshot(width, height, most) {
      const picture = this.viewer.it.snapshot(width ?? undefined, height ?? undefined);
      return picture && picture.length > most ? picture.length : picture;
    },
    download(name, scale, shown) {
      this.viewer.it.painter.download(name, scale, shown);
    },
    face(side) {
      this.viewer.it.insets.face(side);
    },
    enlarge(name) {
      const place = this.viewer.it.insets.order.indexOf(name);
      if (place > 0) this.viewer.it.insets.swap(place);
    },
  },
};
