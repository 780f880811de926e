// The page's side of the connection. All tabs share a worker; without workers, one tab holds the connection for all.
import { Feed } from "./stream.js";

export function connect(take) {
  if (globalThis.SharedWorker) {
    let worker;
    let lost = null;
    const join = () => {
      worker = new SharedWorker("/console/assets/worker.js", { type: "module", name: "tve-sandbox-console" });
      worker.port.onmessage = (event) => { lost = null; take(event.data); };
      // The worker could not be loaded, because the sandbox has stopped.
      worker.onerror = () => {
        lost ??= Date.now();
        take({ lost });
        setTimeout(join, 1_000);
      };
    };
    join();
    addEventListener("pagehide", () => worker.port.postMessage("bye"));
    // A page that a browser restores from its cache is no longer connected to the worker.
    addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
    return;
  }
  const feed = new Feed((message) => { take(message); channel?.postMessage(message); });
  // Outside of a secure context there are no locks, so each tab has its own connection.
  const channel = navigator.locks && globalThis.BroadcastChannel ? new BroadcastChannel("tve-sandbox-console") : null;
  if (!channel) return feed.start();
  channel.onmessage = (event) => {
    if (event.data === "hello") { if (feed.last) channel.postMessage(feed.last); } else take(event.data);
  };
  channel.postMessage("hello");
  navigator.locks.request("tve-sandbox-console", () => new Promise(() => feed.start()));
}
