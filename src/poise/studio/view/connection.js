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
    this.#open();
  }

  #open() {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.tries = 0;
      this.listener.status(true);
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.listener.message(JSON.parse(data));
      else this.listener.frame(new Float32Array(data));
    };
    socket.onclose = () => {
      if (this.ended) return;
      this.listener.status(false);
      this.timer = setTimeout(() => this.#open(), DELAYS[Math.min(this.tries++, DELAYS.length - 1)]);
    };
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Send a command; what is sent while the connection is closed is lost, and said to be so. */
  send(command) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(command));
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
