import { once } from "node:events";
import { createConnection } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { holdOrAsk } from "../../../server/instance/hold-or-ask.ts";
import { createRemoteStore } from "../../../server/instance/remote-store.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";
import { openStore } from "../store/open-store.ts";

test("connections that say nothing are closed after a while, and keep a command waiting no longer than that", async () => {
  const data = await temporaryFolder();
  // It has a connection of its own.
  await openStore("asked", { directory: data });
  const silent = Array.from({ length: 70 }, () => createConnection(join(data, "instance", "socket")));
  onTestFinished(() => silent.forEach((socket) => socket.destroy()));
  for (const socket of silent) socket.on("error", () => undefined).resume();
  const ended = silent.map((socket) => once(socket, "close"));
  const use = await holdOrAsk({ data, command: "token list", now: Date.now });
  if (!("peer" in use)) throw new Error("nobody has the folder");
  const store = createRemoteStore(use.peer);
  expect(await store.get(["k"])).toBeUndefined();
  await store.admin.close();
  await Promise.all(ended);
});
