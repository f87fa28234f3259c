import { setTimeout as sleep } from "node:timers/promises";
import { findUnknownVariables, readConfig, readDataFolder } from "../../config/config.ts";
import { createRedactor } from "../../log/redact.ts";
import { checkCredentials, loadAllSecrets } from "./check-credentials.ts";
import { checkData } from "./check-data.ts";
import {
  checkArtifacts,
  checkCommands,
  checkCompiler,
  checkHandlers,
  checkMemory,
  checkOpenFiles,
  checkTemporary,
} from "./check-machine.ts";
import { checkRepository } from "./check-repository.ts";
import { checkClock, checkServices } from "./check-services.ts";
import { checkStore } from "./check-store.ts";
import { type DoctorContext, fail, type Finding, ok, toReason, warn } from "./finding.ts";

/** Milliseconds for one check, which may be several requests of ten seconds. */
const CHECK_MS = 40_000;

/**
 * Examines everything outside a service that it needs, whether or not one runs; changes nothing. Each check ends in findings, also one
 * that breaks down, with every secret masked. With a wrong configuration, only checks that need none are made.
 */
export async function examine(context: Omit<DoctorContext, "config">): Promise<readonly Finding[]> {
  const { environment } = context;
  const read = readConfig(environment);
  const data = read.ok ? read.config.data : readDataFolder(environment);
  const lookedAtData = guard("data.folder", () => checkData({ data }));
  const findings = await Promise.all([
    checkConfiguration(read.ok ? [] : read.problems, environment),
    lookedAtData,
    guard("keys.secrets", () => checkCredentials(environment, read.ok ? read.config : undefined)),
    ...(read.ok ? checkConfigured({ ...context, config: read.config }, lookedAtData) : []),
    guard("machine.memory", async () => [checkMemory()]),
    guard("machine.files", checkOpenFiles),
    guard("machine.temporary", async () => [await checkTemporary()]),
    guard("sandbox.handlers", async () => [await checkHandlers()]),
    guard("sandbox.commands", async () => [await checkCommands()]),
    guard("sandbox.artifacts", async () => [await checkArtifacts()]),
    guard("architect.types", async () => [checkCompiler()]),
  ]);
  return createRedactor(await loadAllSecrets(environment)).json(findings.flat());
}

function checkConfigured(
  context: DoctorContext,
  lookedAtData: Promise<unknown>,
): readonly Promise<readonly Finding[]>[] {
  return [
    guard("store.database", () => checkStore(context.config)),
    guard("git.access", () => checkRepository(context)),
    guard("model.endpoint", () => checkServices(context)),
    guard("service.address", async () => {
      // It may open the store to look for tokens, and would be found as the process that uses the data folder.
      await lookedAtData;
      return [await checkAddress(context)];
    }),
    guard("machine.clock", async () => [await checkClock(context)]),
  ];
}

/** Checks that a service may listen on its address, by the checks of its start. */
async function checkAddress({ config, tryAddress }: DoctorContext): Promise<Finding> {
  return tryAddress(config).then(
    (found) => ok("service.address", found),
    (error: unknown) =>
      fail("service.address", `${toReason(error)}.`, "The service does not start until this is corrected."),
  );
}

async function checkConfiguration(
  problems: readonly string[],
  environment: DoctorContext["environment"],
): Promise<readonly Finding[]> {
  const unknown = findUnknownVariables(environment);
  const table = "docs/configuration.md lists every variable.";
  const findings = [
    ...problems.map((problem) => fail("configuration", `${problem}.`, `The service does not start with it; ${table}`)),
    ...unknown.map((sentence) =>
      warn("configuration", sentence.replace(/(?<!\?)$/, "."), `It has no effect; ${table}`),
    ),
  ];
  return findings.length === 0 ? [ok("configuration", "Every variable that is set can be understood.")] : findings;
}

/** Makes one check. One that breaks down, or does not end within `CHECK_MS`, hides none of the others. */
async function guard(check: string, run: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  const done = new AbortController();
  const late = async () => {
    await sleep(CHECK_MS, undefined, { signal: done.signal });
    const found = `The check did not end within ${CHECK_MS / 1000} s.`;
    return [fail(check, found, "See what it waits for: a slow disk, a host that does not answer; run this again.")];
  };
  try {
    return await Promise.race([run(), late()]);
  } catch (error) {
    return [fail(check, `The check broke down: ${toReason(error)}.`, "Correct that, and run this again.")];
  } finally {
    done.abort();
  }
}
