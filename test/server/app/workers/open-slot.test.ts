import { createConnection, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Ended, openSlot, type Slot } from "../../../../server/app/workers/open-slot.ts";
import { type Link, openLink } from "../../../../server/instance/workers/open-link.ts";
import { createLog } from "../../../../server/log/log.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { openStore } from "../../store/open-store.ts";

/** A process that a slot has started, as the test plays it. */
interface Played {
  readonly link: Link;
  end(ended: Ended): void;
  readonly kill: ReturnType<typeof vi.fn>;
}

/** Opens a slot whose processes are played by this one. */
async function openPlayed() {
  const pipes = join(await temporaryFolder(), "pipes");
  const server = createServer().listen(pipes);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const near: Socket[] = [];
  server.on("connection", (socket) => void near.push(socket));
  const played: Promise<Played>[] = [];
  const pauses: number[] = [];
  let time = 0;
  // As many ends of pipes as a test has processes.
  const far = await Promise.all([1, 2, 3, 4].map(() => connect(pipes)));
  await vi.waitFor(() => expect(near).toHaveLength(far.length));
  const slot: Slot = openSlot({
    number: 1,
    id: "id-1",
    hello: { home: "id-1", folder: "/data", lock: "/lock", origin: 3 },
    release: "1.0.0",
    store: await openStore("lmdb"),
    members: () => [slot.member()],
    environment: () => ({}),
    start() {
      const [socket, other] = [near[played.length], far[played.length]];
      if (socket === undefined || other === undefined) throw new Error("The test has no more processes.");
      const { promise: ended, resolve } = Promise.withResolvers<Ended>();
      const kill = vi.fn();
      played.push(
        openLink(other, () => undefined).then((link) => ({
          link,
          kill,
          end(how) {
            other.destroy();
            resolve(how);
          },
        })),
      );
      return { socket, ended, kill };
    },
    createId: () => `opening-${played.length}`,
    storeTime: () => 5,
    elapsed: () => time,
    sleep: async (ms) => void pauses.push(ms),
    log: createLog("silent"),
    onError(error) {
      throw error;
    },
  });
  const nth = (at: number) => vi.waitFor(() => played[at] ?? Promise.reject(new Error("not started")));
  return { slot, nth, pauses, pass: (ms: number) => void (time += ms), count: () => played.length };
}

async function connect(path: string): Promise<Socket> {
  const socket = createConnection(path);
  await once(socket, "connect");
  onTestFinished(() => void socket.destroy());
  return socket;
}

const KILLED: Ended = { code: null, signal: "SIGKILL" };

test("serves once its worker does, and says where others reach it", async () => {
  const { slot, nth } = await openPlayed();
  const { link, end } = await nth(0);
  expect(link.hello).toMatchObject({ self: { id: "id-1", opening: "opening-1", label: "worker 1" }, origin: 3 });
  expect(await link.members()).toEqual([link.hello.self]);
  link.announce({ address: "http://127.0.0.1:9" });
  link.announce({ url: "http://127.0.0.1:3000", lines: ["Cairn serves"] });
  expect(await slot.serves).toEqual({
    address: "http://127.0.0.1:9",
    url: "http://127.0.0.1:3000",
    lines: ["Cairn serves"],
  });
  expect(slot.member().address).toBe("http://127.0.0.1:9");
  const stopped = slot.stop(60_000);
  await link.stopping;
  end({ code: 0, signal: null });
  await stopped;
});

test("starts a worker again, at once where it had begun well, and ever later where it had not", async () => {
  const { slot, nth, pauses, pass } = await openPlayed();
  const first = await nth(0);
  first.link.announce({ address: "http://127.0.0.1:9", lines: [] });
  await slot.serves;
  pass(10_000);
  first.end(KILLED);
  const second = await nth(1);
  expect(slot.member()).toMatchObject({ id: "id-1", opening: "opening-2" });
  expect(slot.member().address).toBeUndefined();
  second.end(KILLED);
  (await nth(2)).end({ code: 3, signal: null });
  const fourth = await nth(3);
  expect(pauses).toEqual([0, 100, 200]);
  const stopped = slot.stop(60_000);
  fourth.end({ code: 0, signal: null });
  await stopped;
});

test.each([
  [2, "BAD_REQUEST"],
  [3, "UNAVAILABLE"],
])("does not start again a first process that ends with %i before it serves", async (code, name) => {
  const { slot, nth, count } = await openPlayed();
  (await nth(0)).end({ code, signal: null });
  await expect(slot.serves).rejects.toMatchObject({ name, message: expect.stringContaining("Worker 1 ended") });
  await slot.stop(60_000);
  expect(count()).toBe(1);
});

test("kills a worker that does not end when it is asked to", async () => {
  const { slot, nth } = await openPlayed();
  const { kill, end } = await nth(0);
  kill.mockImplementation(() => end(KILLED));
  await slot.stop(0);
  expect(kill).toHaveBeenCalledTimes(1);
  await expect(slot.serves).rejects.toMatchObject({ name: "UNAVAILABLE" });
});
