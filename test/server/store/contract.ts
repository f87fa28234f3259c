import { describe } from "vitest";
import { describeAgainstModel } from "./contract/against-model.ts";
import { describeCalls } from "./contract/calls.ts";
import { describeClaims } from "./contract/claims.ts";
import { describeCommits } from "./contract/commits.ts";
import { describeFullDisk } from "./contract/full-disk.ts";
import { describeIdsAndTtls } from "./contract/ids-and-ttls.ts";
import { describeKeysAndValues } from "./contract/keys-and-values.ts";
import { describeKills, describeSharing } from "./contract/processes.ts";
import { describeReading } from "./contract/reading.ts";
import type { Engine, SharedEngine } from "./engines.ts";

/** What every engine of the `Store` port keeps, as far as one process can see. */
export function describeStore(engine: Engine): void {
  describe(`the store on ${engine}`, () => {
    describeCommits(engine);
    describeIdsAndTtls(engine);
    describeKeysAndValues(engine);
    describeClaims(engine);
    describeReading(engine);
    describeAgainstModel(engine);
    describeCalls(engine);
  });
}

/** What takes the end of a process to see. */
export function describeStoreOfProcess(engine: Engine): void {
  describe(`the store on ${engine}`, () => {
    describeKills(engine);
    describeFullDisk(engine);
  });
}

/** What takes several processes to see. */
export function describeSharedStore(engine: SharedEngine): void {
  describe(`the store on ${engine}`, () => describeSharing(engine));
}
