import { spawnSync } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/temporary.ts";

const UNIT = "deploy/systemd/cairn.service";
const COMMAND = "/usr/local/bin/cairn";
/** Settings that mount over /proc or forbid namespaces, so that bubblewrap could not start, and one that stops V8. */
const EXCEPTIONS = new Set([
  "RestrictNamespaces",
  "ProtectKernelLogs",
  "ProtectKernelTunables",
  "ProtectHostname",
  "ProtectProc",
  "ProcSubset",
  "MemoryDenyWriteExecute",
]);

test("deploy/systemd/cairn.service is a unit that systemd understands wholly", async (context) => {
  if (spawnSync("systemd-analyze", ["--version"]).error !== undefined) {
    const reason = "systemd-analyze is not installed (`apt-get install systemd`)";
    if (process.env["CI"] !== undefined) throw new Error(reason);
    process.stderr.write(`SKIPPED "${context.task.name}": ${reason}\n`);
    return context.skip(reason);
  }
  const folder = await temporaryFolder();
  const [unit, command] = [join(folder, "cairn.service"), join(folder, "cairn")];
  await writeFile(command, "#!/bin/sh\n");
  await chmod(command, 0o755);
  await writeFile(unit, (await readFile(UNIT, "utf8")).replace(COMMAND, command));
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
  expect({ status, stderr: stderr.split("\n").filter((line) => line.includes("cairn")) }).toEqual({
    status: 0,
    stderr: [],
  });
});

test("deploy/systemd/cairn.service leaves open what sandboxes and isolates need", async () => {
  const lines = (await readFile(UNIT, "utf8")).split("\n");
  const names = lines.filter((line) => /^[A-Z]\w+=/.test(line)).map((line) => line.replace(/=.*/, ""));
  expect(names).toEqual(expect.arrayContaining(["NoNewPrivileges", "CapabilityBoundingSet", "SystemCallFilter"]));
  expect(names.filter((name) => EXCEPTIONS.has(name))).toEqual([]);
});
