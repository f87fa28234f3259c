// Preloaded into a process: every connection of it fails at once, and standard error names the host of each.
import { writeSync } from "node:fs";
import { Socket } from "node:net";

Socket.prototype.connect = function refuse(this: Socket, ...values: unknown[]) {
  const [first] = values.flat() as [{ host?: string; path?: string } | undefined];
  writeSync(2, `tried ${first?.host ?? first?.path}\n`);
  queueMicrotask(() => this.destroy(new Error("There is no network.")));
  return this;
};
