import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe as describeAlways, expect, test } from "vitest";
import { encodeEntryKey } from "../../../../server/store/commit-plan.ts";
import { splitKey } from "../../../../server/store/key-codec.ts";
import type { Key } from "../../../../server/store/store.ts";
import { eventually } from "../../../helpers/eventually.ts";
import { hasPostgres } from "../../../stand-ins/postgres.ts";
import { createPlace } from "./create-place.ts";

const describe = describeAlways.runIf(hasPostgres("nodes of neighbouring releases"));
const EARLIER = globSync("test/fixtures/nodes/*.txt").sort();
const LEASE_MS = 15_000;
const HOUR_MS = 3_600_000;

/** What an earlier release says to a database: its tables, and its statements by their names. */
function readStatements(path: string) {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  const named = lines.flatMap((line) => (/^(\w+): (.*)$/.exec(line)?.slice(1) as [string, string] | undefined) ?? []);
  const texts = new Map(
    Array.from({ length: named.length / 2 }, (_, at) => [named[2 * at] ?? "", named[2 * at + 1] ?? ""]),
  );
  return { tables: lines.filter((line) => line.startsWith("create ")), texts };
}

describe.each(EARLIER.map((path) => [basename(path, ".txt"), path] as const))("beside release %s", (release, path) => {
  const { tables, texts } = readStatements(path);

  /** A node of that release on the database, as far as it speaks to the database and to other nodes through it. */
  async function join({ admin }: Pick<Awaited<ReturnType<typeof createPlace>>, "admin">) {
    const say = async (name: string, values: unknown[] = []) =>
      (await admin(texts.get(name) ?? expect.fail(`no statement ${name}`), values)).rows;
    const holder = randomUUID();
    await say("insertNode", ["earlier", holder, "node earlier", "http://127.0.0.1:1", release, LEASE_MS]);
    return {
      say,
      async write(key: Key, body: string): Promise<string> {
        const turn = randomUUID();
        const bytes = encodeEntryKey(key);
        await say("begin");
        expect(await say("lockNode", ["earlier"])).toMatchObject([{ holder }]);
        await say("lockEntries", [[bytes]]);
        const [{ rev } = expect.fail("no revision")] = await say("takeRevs");
        await say("insertEntries", [[bytes], [rev], [0], [0], [splitKey(bytes).parent], [body]]);
        await say("insertTurn", [turn]);
        await say("insertHint", [turn, JSON.stringify({ keys: [key] })]);
        await say("commit");
        return turn;
      },
      leave: () => say("releaseNode", ["earlier", holder]),
    };
  }

  test("a node of today keeps tables on which each statement of that release can be said", async () => {
    const { open, admin } = await createPlace();
    await open("today");
    const failed: string[] = [];
    const plain = [...texts].filter(([, text]) => !/^(?:begin|commit|rollback|show)\b/.test(text));
    for (const [name, text] of plain) await admin(`prepare ${name} as ${text}`).catch(() => failed.push(name));
    expect([failed, plain.length > 50]).toEqual([[], true]);
  });

  test("a node of today serves tables which that release has made", async () => {
    const { open, admin } = await createPlace();
    for (const text of tables) await admin(text);
    await admin(texts.get("insertVersion") ?? "", [randomUUID(), 2]);
    const earlier = await join({ admin });
    const turn = await earlier.write(["k"], '{"by":"earlier"}');
    const { store, members } = await open("today");
    expect((await members?.list())?.map(({ id }) => id)).toEqual(["earlier", "today"]);
    expect(await store.get(["k"])).toMatchObject({ value: { by: "earlier" } });
    expect(await store.commit({ set: [{ key: ["k"], value: 1 }] })).toMatchObject({ ok: true });
    expect(await earlier.say("findTurn", [turn])).toEqual([{ happened: true }]);
  });

  test("both know each other, and each sees and hears what the other writes", async () => {
    const place = await createPlace();
    const alarms: string[] = [];
    const { store, members } = await place.open("today", { release: "9.9.9" }, (message) => alarms.push(message));
    const earlier = await join(place);
    const known = (await members?.list())?.map((member) => [member.id, member.release]);
    expect(known).toEqual([
      ["earlier", release],
      ["today", "9.9.9"],
    ]);
    const heard = Promise.withResolvers<void>();
    store.watch(["k"], heard.resolve);
    await earlier.write(["k", "x"], '{"by":"earlier"}');
    await heard.promise;
    const read = await store.get(["k", "x"]);
    expect(read?.value).toEqual({ by: "earlier" });

    const written = {
      check: [{ key: ["k", "x"], rev: read?.rev ?? 0 }],
      set: [{ key: ["k", "y"], value: { by: "today" } }],
    };
    expect(await store.commit(written)).toMatchObject({ ok: true });
    const hints = await earlier.say("listHints", [0, 10]);
    expect(hints.map(({ keys }) => JSON.parse(String(keys)))).toEqual([{ keys: [["k", "x"]] }, { keys: [["k", "y"]] }]);
    expect(await earlier.say("findTurn", [hints[1]?.["id"]])).toEqual([{ happened: true }]);
    const [row] = await earlier.say("readEntries", [[encodeEntryKey(["k", "y"])]]);
    expect(row).toMatchObject({ body: '{"by":"today"}', expires_at: "0", leased_until: "0" });
    const [{ rev } = expect.fail("no revision")] = await earlier.say("takeRevs");
    expect(Number(rev)).toBeGreaterThan(Number(row?.["rev"]));

    // What the one throws away, the other does not miss.
    await earlier.say("purgeTurns", [HOUR_MS, hints[0]?.["id"]]);
    expect(await store.commit({ set: [{ key: ["k", "z"], value: 1 }] })).toMatchObject({ ok: true });
    await earlier.leave();
    await eventually(async () => expect((await members?.list())?.map(({ id }) => id)).toEqual(["today"]));
    expect(alarms).toEqual([]);
  });
});
