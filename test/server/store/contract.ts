import { describe } from "vitest";
import { describeAgainstModel } from "./contract/against-model.ts";
import { describeClaims } from "./contract/claims.ts";
import { describeCommits } from "./contract/commits.ts";
import { describeFullDisk } from "./contract/full-disk.ts";
import { describeIdsAndTtls } from "./contract/ids-and-ttls.ts";
import { describeKeysAndValues } from "./contract/keys-and-values.ts";
import { describeProcesses } from "./contract/processes.ts";
import { describeReading } from "./contract/reading.ts";
import type { Engine } from "./engines.ts";

/** What every engine of the `Store` port keeps, as far as one process can see. */
export function describeStore(engine: Engine): void {
  describe(`the store on ${engine}`, () => {
    describeCommits(engine);
    describeIdsAndTtls(engine);
    describeKeysAndValues(engine);
    describeClaims(engine);
    describeReading(engine);
    describeAgainstModel(engine);
  });
}

/** What takes several processes, or the end of one, to see. */
export function describeStoreOfProcesses(engine: Engine): void {
  describe(`the store on ${engine}`, () => {
    describeProcesses(engine);
    describeFullDisk(engine);
  });
}
