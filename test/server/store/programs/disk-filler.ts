import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CairnError } from "../../../../server/errors.ts";
import { openWhenTold, say } from "./program.ts";

// Writes until the disk is full, goes on for a while, makes room, and says what became of it all.
const { store, directory } = await openWhenTold();
const ballast = join(directory, "ballast");
writeFileSync(ballast, Buffer.alloc(1024 * 1024));

const acknowledged: number[] = [];
const failures: string[] = [];
const reasons = new Set<string>();
let next = 0;

async function writeOne(size: number): Promise<boolean> {
  const n = next++;
  try {
    const set = [{ key: ["k", n], value: "x".repeat(size) }];
    const result = await store.commit({ set, append: [{ log: "audit", entry: n }], id: `write ${n}` });
    if (result.ok) acknowledged.push(n);
    return result.ok;
  } catch (error) {
    failures.push(error instanceof CairnError ? error.name : String(error));
    reasons.add(String(error));
    return false;
  }
}

for (let full = false; !full;) full = (await Promise.all([1, 2, 3, 4].map(() => writeOne(40_000)))).includes(false);
for (let n = 0; n < 20; n++) await Promise.all([writeOne(40_000), writeOne(10)]);
const readableWhenFull = (await store.get(["k", acknowledged[0] ?? -1])) !== undefined;
const whenFull = acknowledged.length;

rmSync(ballast);
const recovered = await writeOne(40_000);
const lost: number[] = [];
for (const n of acknowledged) if ((await store.get(["k", n])) === undefined) lost.push(n);
const findings = await store.admin.check();
await store.admin.close();
say({ acknowledged, failures, reasons: [...reasons], readableWhenFull, whenFull, recovered, lost, findings });
