import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadDump, toDump } from "../../../../../server/capabilities/state/data/dump.ts";
import { createPlaceSource, type DataSource } from "../../../../../server/capabilities/state/data/source.ts";
import { openTestStore } from "../../../../helpers/store.ts";
import { temporaryFolder } from "../../../../helpers/temporary.ts";

const PLACE = { tenant: "acme", server: "desk", scope: "desk" };
const HEAD = { ...PLACE, exportedAt: "2026-01-01T00:00:00Z" };
const VALUES = [null, "line\u2028separator\n", { b: 1, a: ["\ud800", 1.5] }];

async function dumpLines(): Promise<readonly string[]> {
  const store = await openTestStore();
  await store.commit({
    set: VALUES.map((value, index) => ({ key: ["state", "acme", "desk", "desk", "k", index], value })),
    append: ["one", "two"].map((entry, at) => ({
      log: "lineage/acme/desk/desk",
      entry: { at, entry, schemaVersion: 1 },
    })),
  });
  return Array.fromAsync(toDump(HEAD, createPlaceSource(store, PLACE)));
}

async function load(lines: readonly string[]) {
  const path = join(await temporaryFolder(), "dump.jsonl");
  await writeFile(path, lines.join(""));
  return loadDump(path, PLACE);
}

const readAll = ({ source }: { readonly source: DataSource }) => Array.fromAsync(source.entries());

describe("an export of state", () => {
  test("gives back each value, byte for byte, and each entry of the lineage with its hash", async () => {
    const { head, source } = await load(await dumpLines());
    expect(head).toMatchObject(HEAD);
    const entries = await Array.fromAsync(source.entries());
    expect(entries.map(({ key, value }) => [key, JSON.stringify(value)])).toEqual(
      VALUES.map((value, index) => [["k", index], JSON.stringify(value)]),
    );
    expect(await Array.fromAsync(source.lineage())).toMatchObject([
      { seq: 0, at: 0, entry: "one", checksum: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { seq: 1, at: 1, entry: "two" },
    ]);
  });

  test("is refused, with the line, when a byte of it was changed, a line left out, or its end is missing", async () => {
    const lines = await dumpLines();
    const changed = (at: number, from: string, to: string) =>
      lines.map((line, index) => (index === at ? line.replace(from, to) : line));
    const bad: readonly (readonly [readonly string[], RegExp])[] = [
      [changed(3, "1.5", "2.5"), /line 7: its digest is not that of the lines before/],
      [changed(4, "one", "uno"), /line 5: its hash does not go on with the chain before/],
      [changed(0, "acme", "evil"), /line 7: its digest/],
      [lines.toSpliced(4, 1), /line 5: its hash does not go on/],
      [lines.toSpliced(2, 1), /line 6: its digest/],
      [lines.slice(0, -1), /line 6: the end is missing, so the file was cut short/],
      [[...lines, lines[1] ?? ""], /line 8: nothing comes after the digest/],
      [changed(1, "{", ""), /line 2: it is no JSON/],
      [changed(1, '"key"', '"kex"'), /line 2: it is neither an entry nor one of a lineage/],
    ];
    for (const [file, says] of bad) {
      await expect(readAll(await load(file))).rejects.toMatchObject({
        name: "BAD_REQUEST",
        message: expect.stringMatching(says),
      });
    }
    await expect(load(["{}\n"])).rejects.toThrow("line 1: it is not the head of an export of `cairn state`");
    await expect(load([])).rejects.toThrow("line 1: the file is empty");
  });

  test("is refused, with the line, for each entry that the store would not take, though counts and digest are right", async () => {
    const many = Array.from({ length: 600 }, (_, index) => `{"key":["m",${index}],"value":0}\n`);
    const deep = "[".repeat(20_000) + "]".repeat(20_000);
    const long = "x".repeat(2_000);
    const bad: readonly (readonly [string, RegExp])[] = [
      ['{"key":["z"],"value":1e999}', /line 607: its number 1e999 would change/],
      [`{"key":["z"],"value":${deep}}`, /line 607: The value at .* nests deeper than 256 levels/],
      [`{"key":["z"],"value":"${"v".repeat(9_000_000)}"}`, /line 607: A value takes 9000002 bytes as JSON, more than/],
      [`{"key":["z"],"value":"${"v".repeat(40_000_000)}"}`, /line 607: it is longer than the 16777216 bytes/],
      ['{"key":["k",1],"value":0}', /line 607: its key is that of line 3\.$/],
      ['{"key":["k",1e999],"value":0}', /line 607: its number 1e999 would change/],
      ['{"key":["\\ud800"],"value":0}', /line 607: The key .* half of a surrogate pair/],
      [`{"key":["${long}"],"value":0}`, /line 607: .*more than the 1900 a key may have/],
      [`{"key":["${long.slice(0, 1_890)}"],"value":0}`, /line 607: its key takes 1892 bytes, more than the \d+ it may/],
      ['{"lineage":{"seq":2,"checksum":"","at":1e999,"entry":0}}', /line 607: its number 1e999 would change/],
      [`{"lineage":{"seq":2,"checksum":"","at":0,"entry":${deep}}}`, /line 607: The value .* nests deeper/],
    ];
    for (const [line, says] of bad) {
      const lines = [...(await dumpLines()).slice(0, -1), ...many, `${line}\n`];
      const keys = lines.filter((one) => one.startsWith('{"key"')).length;
      const lineage = lines.filter((one) => one.startsWith('{"lineage"')).length;
      const sha256 = createHash("sha256").update(lines.join("")).digest("hex");
      const { source } = await load([...lines, `${JSON.stringify({ end: { keys, lineage, sha256 } })}\n`]);
      await expect(Array.fromAsync(source.lineage())).rejects.toMatchObject({
        name: "BAD_REQUEST",
        message: expect.stringMatching(says),
      });
    }
    const missing = loadDump("/no-such-folder/x.jsonl", PLACE);
    await expect(missing).rejects.toThrow("`/no-such-folder/x.jsonl` cannot be read: ENOENT.");
  });
});
