// The connection to the sandbox's events, which reports the events or the time since which there have been none.

const beat = 5_000;

export class Feed {
  // The function tell receives { state } with the last event, or { lost } with the time at which the connection was lost.
  constructor(tell, {
    open = () => new EventSource("/console/api/events"), now = () => Date.now(), after = (work, time) => setTimeout(work, time),
  } = {}) {
    Object.assign(this, { tell, open, now, after });
    this.last = null;
    this.source = null;
    this.heard = now();
  }

  start() {
    this.connect();
    const look = () => { this.look(); this.after(look, 1_000); };
    this.after(look, 1_000);
  }

  connect() {
    const source = this.open();
    this.source = source;
    this.heard = this.now();
    source.addEventListener("state", (event) => {
      this.heard = this.now();
      this.say({ state: JSON.parse(event.data) });
    });
    source.addEventListener("error", () => { if (source === this.source) this.lose(); });
  }

  // The sandbox sends an event every few seconds, so a connection that is silent for longer is considered lost.
  look() {
    if (this.source && this.now() - this.heard > 3 * beat) this.lose();
  }

  lose() {
    this.source.close();
    this.source = null;
    if (!this.last?.lost) this.say({ lost: this.now() });
    this.after(() => this.connect(), 1_000);
  }

  say(message) {
    // A tab that opens later must not repeat the sentences of this event.
    this.last = message.state ? { state: { ...message.state, said: [] } } : message;
    this.tell(message);
  }
}
