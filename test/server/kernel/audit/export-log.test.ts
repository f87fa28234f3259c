import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { createEventHead } from "../../../../server/kernel/audit/audit-event.ts";
import { exportLog } from "../../../../server/kernel/audit/export-log.ts";
import { redact } from "../../../../server/kernel/audit/redact.ts";
import { openFolders } from "../../../../server/kernel/audit/verify/open-source.ts";
import { verifyLog } from "../../../../server/kernel/audit/verify/verify-log.ts";
import { createRecordReader } from "../../../../server/json/stored.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { openAudited } from "./audited.ts";
import { createId, toCallRecord } from "./call-record.ts";

const PROGRAM = resolve("test/server/kernel/audit/verify/verify_log.py");

function hasPython(): boolean {
  try {
    execFileSync("python3", ["--version"]);
    return true;
  } catch {
    process.stdout.write("python3 is not here: the second implementation of the verifier is not run\n");
    return false;
  }
}

function runPython(folder: string): Promise<{ readonly code: unknown; readonly text: string }> {
  return new Promise((done) => {
    execFile("python3", [PROGRAM, folder], (error, stdout, stderr) => {
      done({ code: error?.code ?? 0, text: `${stdout}${stderr}`.trim() });
    });
  });
}

/** A log of more than one tile, with entries of every kind. */
async function exportMixed(tenant: string) {
  const audited = await openAudited();
  const { store, journal, audit } = audited;
  const first = await audited.call(tenant);
  for (let count = 0; count < 300; count += 1)
    await audited.call(tenant, { logs: [{ at: 1, level: "info", message: "ü" }] });
  for (let count = 0; count < 70; count += 1) journal.trail(toCallRecord(tenant));
  await journal.settled();
  await audit.changed({ change: "token.revoked", tenant, actor: "ada", target: "t" });
  const options = { store, toHead: createEventHead(createId, randomBytes), now: Date.now };
  await redact(options, tenant, new Set([first.id]), "ada");
  await audit.settled();
  const folder = await temporaryFolder();
  return { ...audited, folder, written: await exportLog(store, tenant, folder) };
}

describe("an exported log", () => {
  test("holds what its schemas describe, and is for its owner's eyes only", async () => {
    const { folder, signer, written } = await exportMixed("acme");
    const readEntry = createRecordReader("audit-entry");
    const lines = (await readFile(join(folder, "acme/entries.jsonl"), "utf8")).trimEnd().split("\n");
    for (const line of lines) readEntry(JSON.parse(line).entry);
    expect(lines).toHaveLength(written);
    expect((await stat(join(folder, "acme/records.jsonl"))).mode & 0o777).toBe(0o600);
    const [log] = await openFolders(folder);
    expect(log && (await verifyLog(log, signer.key))).toMatchObject({ ok: true, redacted: 1, records: 373 });
  });

  test("stays in its folder whatever its tenant is called", async () => {
    for (const tenant of ["..", "a/b", "ü ber", ".hidden", "x+y"]) {
      const audited = await openAudited();
      await audited.call(tenant);
      await audited.audit.settled();
      const folder = await temporaryFolder();
      await exportLog(audited.store, tenant, folder);
      const logs = await openFolders(folder);
      expect(logs.map((log) => log.tenant)).toEqual([tenant]);
      for (const log of logs) expect(await verifyLog(log, audited.signer.key)).toMatchObject({ ok: true });
    }
  });

  test.runIf(hasPython())("[D9] is what an independent implementation in another language makes of it", async () => {
    const { folder, signer } = await exportMixed("acme");
    const path = join(folder, "acme");
    const [log] = await openFolders(folder);
    const verdict = log && (await verifyLog(log, signer.key));
    if (verdict?.ok !== true) throw new Error(verdict?.problem);
    const { size, root } = verdict.checkpoint;
    expect(await runPython(path)).toEqual({ code: 0, text: `${size} ${Buffer.from(root).toString("base64")}` });
    const entries = await readFile(join(path, "entries.jsonl"), "utf8");
    await writeFile(join(path, "entries.jsonl"), entries.replace(/[0-9a-f]{64}/, "0".repeat(64)));
    expect(await runPython(path)).toEqual({
      code: 1,
      text: expect.stringContaining("FAILED: entry 1 does not follow"),
    });
  });
});
