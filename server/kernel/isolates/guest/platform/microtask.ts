import { define } from "../guest-host.ts";

define("queueMicrotask", (callback: () => void): void => {
  if (typeof callback !== "function") throw new TypeError("`queueMicrotask` takes a function.");
  void runLater(callback);
});

async function runLater(callback: () => void): Promise<void> {
  await undefined;
  callback();
}
