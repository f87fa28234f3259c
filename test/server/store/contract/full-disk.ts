import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readChain } from "../chain.ts";
import type { Engine } from "../engines.ts";
import { collect, openStore } from "../open-store.ts";
import { openSmallDisk } from "../../../helpers/small-disk.ts";
import { startProgram } from "../start-program.ts";

export function describeFullDisk(engine: Engine): void {
  describe("a full disk", () => {
    test("makes commits unavailable, ends no process, loses nothing, and passes when there is room", async (context) => {
      const disk = await openSmallDisk(context);
      const directory = join(disk, "store");
      await mkdir(directory);
      const program = startProgram("disk-filler", engine, directory);
      program.go();
      expect(await program.ended()).toMatchObject({ code: 0, signal: null });
      const { acknowledged, failures, reasons, ...outcome } = JSON.parse(program.lines[0] ?? "");
      expect(reasons).not.toEqual([]);
      expect(outcome).toMatchObject({ readableWhenFull: true, recovered: true, lost: [], findings: [] });
      expect(new Set(failures)).toEqual(new Set(["UNAVAILABLE"]));
      for (const reason of reasons) expect(reason).toContain("no space is left on the disk (0 MiB)");
      expect(acknowledged.length).toBeGreaterThan(20);

      const store = await openStore(engine, { directory });
      const said = readChain(await collect(store.readLog("audit", { from: 0 })));
      expect(said.toSorted((a, b) => Number(a) - Number(b))).toEqual(
        acknowledged.toSorted((a: number, b: number) => a - b),
      );
      for (const n of acknowledged) expect(await store.get(["k", n])).toBeDefined();
    });
  });
}
