import { globSync } from "node:fs";

/** Environment of a process whose clock is a day ahead, though time passes for it as for all; nothing without faketime. */
export function toDayAhead(): Readonly<Record<string, string>> {
  const [library] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
  if (library !== undefined) return { LD_PRELOAD: library, FAKETIME: "+1d", FAKETIME_DONT_FAKE_MONOTONIC: "1" };
  if (process.env["CI"] !== undefined) throw new Error("faketime is not installed");
  process.stderr.write("All clocks are right, because faketime is not installed (apt-get install faketime).\n");
  return {};
}
