import { resolve } from "node:path";
import { openStoreAlone } from "../../app/open-store.ts";
import { makeBackup } from "../../backup/make-backup.ts";
import type { Manifest } from "../../backup/manifest.ts";
import type { Config } from "../../config/config.ts";
import { KEY_FILES } from "../../kernel/audit/service-key.ts";
import { loadGit, redact } from "../../versions/git/git.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { createCommand, type CreateCommand, version } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { createProgress, toSignal } from "../progress.ts";

/** `cairn backup <to>`: everything in a data folder, whether or not a service runs on it. */
export const createBackupCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "backup", description: "Copy everything in a data folder, whether or not a service runs on it" },
    args: {
      to: { type: "positional", required: true, valueHint: "folder", description: "A folder that is not there yet" },
      ...DATA_OPTION,
    },
    async run({ args }) {
      const { environment, folder, out, err, now } = context;
      const config = loadAuditConfig(environment, args.data);
      const { data } = config;
      const target = resolve(folder, args.to);
      const git = await loadGit({ environment });
      const [onProgress, signal] = [createProgress(context), toSignal(context)];
      const manifest = await withStore({ context, command: "backup", data }, (store) =>
        makeBackup({
          data,
          target,
          store,
          openCopy: openStoreAlone,
          git,
          now,
          release: version,
          onProgress,
          signal,
        }),
      );
      out(`${target} holds what was in ${data} at ${manifest.begunAt}: ${summarise(manifest)}`);
      err(`cairn: not in it: ${listOutside(config, manifest).join("; ")}`);
      for (const path of manifest.leftOut) err(`cairn: left out: ${path}`);
      for (const finding of manifest.findings) err(`cairn: the store is damaged: ${finding}`);
      return manifest.findings.length === 0 ? EXIT.OK : EXIT.FAILED;
    },
  });

/** Summarises the size of a backup. */
export function summarise({ entries }: Manifest): string {
  const files = entries.filter((entry) => entry.kind === "file");
  const bytes = files.reduce((sum, entry) => sum + entry.bytes, 0);
  return `${files.length} files, ${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** Lists the files outside the data folder that a service needs. */
function listOutside({ auditKey, tagSigners, repository }: Config, { entries }: Manifest): readonly string[] {
  const has = (file: string) => entries.some(({ path }) => path === file);
  const lacksKey = auditKey === undefined && has(KEY_FILES.public) && !has(KEY_FILES.secret);
  return [
    "what the environment says, with every key and secret in it",
    ...(repository === undefined ? [] : [`the repository \`${redact(repository)}\``]),
    ...(auditKey === undefined ? [] : [`the audit's signing key \`${auditKey}\``]),
    ...(lacksKey
      ? [
          "the audit's signing key, which CAIRN_AUDIT_KEY names for the service: without it, no service starts on this backup",
        ]
      : []),
    ...(tagSigners === undefined ? [] : [`the signers of tags \`${tagSigners}\``]),
  ];
}
