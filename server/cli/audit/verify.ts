import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readVkey } from "../../kernel/audit/verify/note.ts";
import { openAddress, openFolders } from "../../kernel/audit/verify/open-source.ts";
import { type LogSource, verifyLog } from "../../kernel/audit/verify/verify-log.ts";
import { CairnError } from "../../errors.ts";
import { createCommand, type CreateCommand, type CliContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";

/** `cairn audit verify <dir|url> --key K`: needs nothing of the service but what it has published. */
export const createAuditVerify: CreateCommand = (context) =>
  createCommand({
    meta: { name: "audit verify", description: "Say whether audit logs are whole, and where they are not" },
    args: {
      source: {
        type: "positional",
        required: true,
        valueHint: "dir|url",
        description: "A folder that `cairn audit export` wrote, or https://.../audit/{tenant} (CAIRN_TOKEN is sent)",
      },
      key: { type: "string", required: true, valueHint: "vkey", description: "What `cairn audit key` printed" },
      since: {
        type: "string",
        valueHint: "file",
        description: "A checkpoint kept from earlier, which the log must have grown from",
      },
    },
    async run({ args }) {
      const { folder, out, err } = context;
      const key = readVkey(args.key);
      if (key === undefined) {
        throw new CairnError("BAD_REQUEST", `\`${args.key}\` is no key; \`cairn audit key\` prints it.`);
      }
      const logs = await open(context, args.source);
      const since = args.since === undefined ? undefined : await load(resolve(folder, args.since));
      if (since !== undefined && logs.length > 1) {
        throw new CairnError("BAD_REQUEST", "`--since` is of one log: name the folder of that log.");
      }
      let code: number = EXIT.OK;
      for (const log of logs) {
        const verdict = await verifyLog(log, key, since).catch((error: unknown) => {
          throw unreadable(args.source, error);
        });
        if (verdict.ok) {
          const { size, root } = verdict.checkpoint;
          const taken = verdict.redacted === 0 ? "" : `, ${verdict.redacted} of them taken away`;
          const head = `root ${Buffer.from(root).toString("base64")}`;
          out(`${log.tenant}: ok, ${size} entries, ${verdict.records} records${taken}, ${head}`);
        } else {
          const where = verdict.seq === undefined ? "" : `entry ${verdict.seq}: `;
          err(`${log.tenant}: FAILED: ${where}${verdict.problem}`);
          code = EXIT.FAILED;
        }
      }
      return code;
    },
  });

async function open({ environment, folder }: CliContext, source: string): Promise<readonly LogSource[]> {
  try {
    if (/^https?:\/\//.test(source)) return [await openAddress(source, environment["CAIRN_TOKEN"])];
    const logs = await openFolders(resolve(folder, source));
    if (logs.length > 0) return logs;
  } catch (error) {
    throw unreadable(source, error);
  }
  throw new CairnError("BAD_REQUEST", `There is no exported log in \`${source}\`.`);
}

function load(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: unknown) => {
    throw unreadable(file, error);
  });
}

function unreadable(source: string, cause: unknown): CairnError {
  return new CairnError("UNAVAILABLE", `\`${source}\` cannot be read: ${String(cause)}`, { cause });
}
