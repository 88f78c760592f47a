// The websocket to the studio: JSON commands out, frames and messages in, opened again when it closes.

const DELAYS = [300, 700, 1500, 3000, 5000]; // milliseconds before another try

export class Connection {
  /**
   * @param {string} address
   * @param {object} listener is told of frames, messages, and whether the connection is open
   * @param {(numbers: Float32Array) => void} listener.frame
   * @param {(message: object) => void} listener.message
   * @param {(open: boolean) => void} listener.status
   */
  constructor(address, listener) {
    this.address = address;
    this.listener = listener;
    this.tries = 0;
    this.ended = false;
    this.sent = this.asked = this.heard = 0;
    this.#open();
  }

  #open() {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.tries = 0;
      this.sent = this.asked = this.heard = 0;
      this.listener.status(true);
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.#receive(JSON.parse(data));
      else this.listener.frame(new Float32Array(data));
    };
    socket.onclose = () => {
      if (this.ended) return;
      this.listener.status(false);
      this.timer = setTimeout(() => this.#open(), DELAYS[Math.min(this.tries++, DELAYS.length - 1)]);
    };
  }

  #receive(message) {
    if (message.type === "heard") this.heard = message.count;
    else this.listener.message(message);
  }

  /** Since when (milliseconds) the studio has owed an answer; null where it owes none. */
  get owing() {
    return this.isOpen && this.heard < this.asked ? this.askedAt : null;
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Send a command; what is sent while the connection is closed is lost, and said to be so. */
  send(command) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(command));
    this.sent++;
    if (command.do !== "move") {
      // Frames answer moves; everything else is answered by a count of what was heard.
      if (this.owing === null) this.askedAt = performance.now();
      this.asked = this.sent;
    }
    return true;
  }

  close() {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}

/** Where the stream of a tab is. @param {string} path @param {string} tab */
export function streamAddress(path, tab) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}${window.path_prefix ?? ""}${path}?tab=${encodeURIComponent(tab)}`;
}
