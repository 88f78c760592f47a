// Words to the person at the screen: a pill at the top that passes or stays, and a line below.

export class Notices {
  /** @param {HTMLElement} layer */
  constructor(layer) {
    this.list = document.createElement("div");
    this.list.className = "poise-notices";
    this.list.setAttribute("role", "status");
    this.list.setAttribute("aria-live", "polite");
    this.line = document.createElement("div");
    this.line.className = "poise-line";
    this.line.hidden = true;
    layer.append(this.list, this.line);
    this.lasting = new Map();
  }

  /**
   * A notice that stays for as long as it takes to read it.
   * @param {string} text @param {"info"|"error"|"good"} kind @param {number} seconds
   */
  pass(text, kind = "info", seconds = Math.min(2 + 0.06 * text.length, 20)) {
    if (this.list.lastChild?.textContent === text) return; // it is still there to be read
    const pill = this.#pill(text, kind);
    setTimeout(() => pill.remove(), 1000 * seconds);
    while (this.list.children.length > 4) this.list.firstChild.remove();
  }

  /** A notice that stays until it is taken away with null. */
  keep(key, text, kind = "info") {
    this.lasting.get(key)?.remove();
    this.lasting.delete(key);
    if (!text) return;
    this.lasting.set(key, this.#pill(text, kind));
    this.lasting.get(key).classList.add(key);
  }

  /** What is being done now. @param {string|null} text */
  say(text) {
    this.line.hidden = !text;
    if (text) this.line.textContent = text;
  }

  #pill(text, kind) {
    const pill = document.createElement("button");
    pill.type = "button";
    pill.className = `poise-notice ${kind}`;
    pill.textContent = text;
    pill.title = "Click to hide";
    pill.addEventListener("click", () => pill.remove());
    this.list.append(pill);
    return pill;
  }
}
