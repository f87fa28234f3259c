/**
 * How fast a log is verified, next to what could not be faster: hashing its entries one after the other.
 * `node bench/audit.ts [entries]`; both in one run, so that the ratio depends little on the machine.
 */
import { generateKeyPairSync, hash, randomBytes, sign } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GENESIS_HASH } from "../server/kernel/audit/verify/chain.ts";
import { toCheckpointText, toLogKey } from "../server/kernel/audit/verify/checkpoint.ts";
import { createFrontier, toLeafHash } from "../server/kernel/audit/verify/merkle.ts";
import { toNote } from "../server/kernel/audit/verify/note.ts";
import { openFolders, PARTS } from "../server/kernel/audit/verify/open-source.ts";
import { verifyLog } from "../server/kernel/audit/verify/verify-log.ts";
import { toRecordJson } from "../server/kernel/record.ts";
import { toCallRecord } from "../test/server/kernel/audit/call-record.ts";

const ROUNDS = 5;
/** Entries a second that verifying must reach. */
const GOAL = 50_000;
const size = Number(process.argv[2] ?? 100_000);

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const key = { name: "cairn/bench", publicKey: publicKey.export({ format: "der", type: "spki" }).subarray(-32) };
const folder = await mkdtemp(join(tmpdir(), "cairn-bench-"));
try {
  const { entries, records, root } = makeLog();
  const log = toLogKey(key, "acme");
  const text = toCheckpointText({ origin: log.name, size, root });
  await mkdir(join(folder, "acme"));
  await writeFile(join(folder, "acme", PARTS.entries), `${entries.join("\n")}\n`);
  await writeFile(join(folder, "acme", PARTS.records), `${records.join("\n")}\n`);
  await writeFile(join(folder, "acme", PARTS.checkpoints), "");
  await writeFile(
    join(folder, "acme", PARTS.checkpoint),
    toNote(text, log, (bytes) => sign(null, bytes, privateKey)),
  );

  const chain = await best(() => {
    let prev = "";
    for (const entry of entries) prev = hash("sha256", entry);
    return prev;
  });
  const verify = await best(async () => {
    for (const source of await openFolders(folder)) {
      const verdict = await verifyLog(source, key);
      if (!verdict.ok) throw new Error(verdict.problem);
    }
  });
  const [slow, fast] = [verify, chain].map((ms) => Math.round((size * 1_000) / ms));
  const passed = (slow ?? 0) >= GOAL;
  process.stdout.write(
    `verified ${slow} entries/s, each with a record; bare SHA-256 of the entries ${fast}/s, ratio ${(verify / chain).toFixed(1)}; ` +
      `at least ${GOAL}: ${passed ? "pass" : "FAIL"}\n`,
  );
  process.exitCode = passed ? 0 : 1;
} finally {
  await rm(folder, { recursive: true });
}

/** Entries of one call each, as calls with effects leave them. */
function makeLog() {
  const frontier = createFrontier();
  const entries: string[] = [];
  const records: string[] = [];
  let prev = GENESIS_HASH;
  for (let seq = 0; seq < size; seq += 1) {
    const record = toCallRecord("acme", { salt: randomBytes(16).toString("hex") });
    const json = toRecordJson(record);
    const calls = `{"${record.commit}":{"${record.id}":"${hash("sha256", json)}"}}`;
    const entry = `{"entry":{"calls":${calls},"kind":"calls","schemaVersion":1},"prev":"${prev}","seq":${seq}}`;
    prev = hash("sha256", entry);
    entries.push(entry);
    records.push(json);
    frontier.append(toLeafHash(Buffer.from(entry)));
  }
  return { entries, records, root: frontier.root() };
}

/** Milliseconds of the best of some rounds. */
async function best(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}
