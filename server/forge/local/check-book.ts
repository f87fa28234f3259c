import { forgeArmedBy, forgeCheckKey, forgeChecksOf } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { createRecordReader } from "../../json/stored.ts";
import type { CheckResult, CheckRun } from "../forge.ts";

/** Results of checks by commit, and the changes that wait for them. */
export interface CheckBook {
  write(head: string, check: string, result: CheckResult): Promise<void>;
  /** By name. */
  read(head: string): Promise<readonly CheckRun[]>;
  arm(head: string, key: string): Promise<void>;
  disarm(head: string, key: string): Promise<void>;
  /** The keys of the changes that land when this commit is green. */
  armed(head: string): Promise<readonly string[]>;
}

interface CheckRecord {
  readonly schemaVersion: 1;
  readonly status: "pending" | "success" | "failure" | "neutral";
  readonly summary: string;
}

const readRecord = createRecordReader<CheckRecord>("forge-check");

export function createCheckBook(store: Store): CheckBook {
  return Object.freeze({
    write: async (head: string, check: string, result: CheckResult) => {
      const value =
        result.status === "completed"
          ? { schemaVersion: 1, status: result.conclusion, summary: result.summary }
          : { schemaVersion: 1, status: "pending", summary: "" };
      await store.commit({ set: [{ key: forgeCheckKey(head, check), value }] });
    },
    read: async (head: string) => {
      const runs: CheckRun[] = [];
      for await (const { key, value } of store.scan({ prefix: forgeChecksOf(head) })) {
        runs.push({ name: String(key.at(-1)), status: readRecord(value).status });
      }
      return runs;
    },
    arm: async (head: string, key: string) => {
      await store.commit({ set: [{ key: [...forgeArmedBy(head), key], value: true }] });
    },
    disarm: async (head: string, key: string) => {
      await store.commit({ del: [[...forgeArmedBy(head), key]] });
    },
    armed: async (head: string) => {
      const keys: string[] = [];
      for await (const { key } of store.scan({ prefix: forgeArmedBy(head) })) keys.push(String(key.at(-1)));
      return keys;
    },
  });
}
