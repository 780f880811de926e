// The connection that all tabs of a browser share. Browsers open only six connections to a host, and a page needs some of them.
import { Feed } from "./stream.js";

const ports = new Set();
const feed = new Feed((message) => { for (const port of ports) port.postMessage(message); });

self.addEventListener("connect", (event) => {
  const port = event.ports[0];
  ports.add(port);
  port.onmessage = () => ports.delete(port);
  if (feed.last) port.postMessage(feed.last);
});
feed.start();
