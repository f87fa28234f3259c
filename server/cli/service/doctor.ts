import { stat } from "node:fs/promises";
import { assertGuarded } from "../../app/open-foundation.ts";
import { hasApiTokens } from "../../auth/api-tokens.ts";
import type { Config } from "../../config/config.ts";
import { loadStoreConfig } from "../../config/config-store.ts";
import { toDataPaths } from "../../config/data-folder.ts";
import { isLoopback } from "../../config/secure-url.ts";
import { CairnError } from "../../errors.ts";
import { tryListening } from "../../http/listen.ts";
import { findService } from "../../instance/hold-or-ask.ts";
import { examine } from "../../operations/doctor/examine.ts";
import type { Finding } from "../../operations/doctor/finding.ts";
import { printable } from "../../text/printable.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { type StoreUse, withStore } from "../with-store.ts";
import { refuseEmpty, SERVICE_OPTIONS } from "./run-service.ts";

/** `cairn doctor [repository]`: everything outside a service that it needs, each with what to do. */
export const createDoctorCommand: CreateCommand = ({ environment, folder, now, out, err }) =>
  createCommand({
    meta: {
      name: "doctor",
      description: "Check configuration, data folder, repository and machine, and say what to do",
    },
    args: {
      repository: { type: "positional", required: false, description: "Path or URL (default: CAIRN_REPO)" },
      data: SERVICE_OPTIONS.data,
      json: { type: "boolean", description: "Print findings as JSON" },
    },
    async run({ args }) {
      refuseEmpty({ "--data": args.data, "the repository": args.repository });
      const given = { CAIRN_DATA: args.data, CAIRN_REPO: args.repository };
      const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const findings = await examine({
        environment: { ...environment, ...set },
        folder,
        now,
        tryAddress: (config) => tryAddress(config, { environment, err, now }),
      });
      const [failures, warnings] = (["fail", "warn"] as const).map(
        (status) => findings.filter((finding) => finding.status === status).length,
      );
      const status = failures ? "fail" : warnings ? "warn" : "ok";
      if (args.json === true) out(JSON.stringify({ status, findings }, undefined, 2));
      else {
        for (const line of findings.flatMap(toLines)) out(line);
        out(`\n${status}: ${findings.length} findings, ${failures} to correct, ${warnings} to look at`);
      }
      return status === "fail" ? EXIT.FAILED : EXIT.OK;
    },
  });

/**
 * Tries the address of a service, by the checks of its start: others must not reach a service without tokens, and the port must be
 * free, or held by the service of this data folder. @throws BAD_REQUEST UNAVAILABLE
 */
async function tryAddress(config: Config, context: StoreUse["context"]): Promise<string> {
  const { auth, data, host, port } = config;
  if (!isLoopback(host) && auth.mode !== "tokens" && auth.oauth === undefined) {
    assertGuarded(!(await findTokens(data, context)), host);
  }
  try {
    await tryListening(config);
    return `A service may listen on ${host}:${port}.`;
  } catch (error) {
    const own = await findService(data);
    if (own === undefined || new URL(own.url).port !== String(port)) throw error;
    return `The service of this data folder listens on port ${port}.`;
  }
}

/** Looks for tokens in a data folder, which may be missing. Root opens no store of another account: its files would stop the service. */
async function findTokens(data: string, context: StoreUse["context"]): Promise<boolean> {
  const isHere = loadStoreConfig(context.environment).engine === "lmdb";
  const found = await stat(isHere ? toDataPaths(data).store : data).catch(() => undefined);
  if (found === undefined) return false;
  if (found.uid !== process.geteuid?.()) {
    const advice = "run this as the service's account, or set CAIRN_AUTH=tokens";
    throw new CairnError(
      "BAD_REQUEST",
      `Only the account of \`${data}\` can look whether there are tokens; ${advice}.`,
    );
  }
  return withStore({ context, command: "doctor", data }, hasApiTokens);
}

function toLines({ status, check, message, advice }: Finding): readonly string[] {
  const line = `${status.padEnd(4)}  ${check.padEnd(18)}  ${printable(message)}`;
  return advice === undefined ? [line] : [line, `${" ".repeat(26)}-> ${printable(advice)}`];
}
