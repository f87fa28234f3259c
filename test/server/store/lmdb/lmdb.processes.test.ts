import { describe, expect, test } from "vitest";
import { openLmdbStore } from "../../../../server/store/lmdb/lmdb.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { describeStoreOfProcess } from "../contract.ts";
import { openStore, range } from "../open-store.ts";
import { startProgram } from "../start-program.ts";

describeStoreOfProcess("lmdb");

const IN_USE = {
  name: "UNAVAILABLE",
  message: expect.stringMatching(/^The store in `.*` is in use by another process\.$/),
};

describe("the file of a store", () => {
  test("is open in one process, whoever comes while it is written is told so and not that it is damaged", async () => {
    const directory = await temporaryFolder();
    const holder = startProgram("chained-writer", "lmdb", directory, "holder");
    holder.go();
    await holder.said(5);
    await expect(openLmdbStore({ directory })).rejects.toMatchObject(IN_USE);
    const late = startProgram("store-user", "lmdb", directory);
    late.go();
    expect(await late.ended()).toMatchObject({ code: 0 });
    expect(JSON.parse(late.lines[0] ?? "")).toEqual({ came: "nowhere", error: "UNAVAILABLE" });
    const said = holder.lines.length;
    await holder.said(said + 5);
    holder.process.kill("SIGKILL");
    await holder.ended();
    expect(await (await openStore("lmdb", { directory })).admin.check()).toEqual([]);
  });

  test("goes to one of those that come in the same instant", async () => {
    const directory = await temporaryFolder();
    const programs = range(4).map((n) => startProgram("chained-writer", "lmdb", directory, `p${n}`));
    for (const program of programs) program.go();
    // A program says something once it has written, and otherwise nothing before it ends.
    await Promise.all(programs.map((program) => program.said(1)));
    const [winner, ...others] = programs.filter(({ lines }) => lines.length > 0);
    expect([winner?.process.exitCode, others]).toEqual([null, []]);
    winner?.process.kill("SIGKILL");
    const ends = await Promise.all(programs.map((program) => program.ended()));
    expect(ends.filter(({ complaint }) => complaint.includes("is in use by another process"))).toHaveLength(3);
    expect(await (await openStore("lmdb", { directory })).admin.check()).toEqual([]);
  });
});
