import { readFile } from "node:fs/promises";
import { findUnknownVariables, readConfig, readDataFolder } from "../../config/config.ts";
import { checkData } from "./check-data.ts";
import { checkCommands, checkHandlers, checkMemory, checkOpenFiles } from "./check-machine.ts";
import { checkRepository } from "./check-repository.ts";
import { checkClock, checkServices } from "./check-services.ts";
import { type DoctorContext, fail, type Finding, ok, toReason, warn } from "./finding.ts";

/**
 * Examines everything outside a service that it needs, whether or not one runs; changes nothing. Each check ends in findings, also one
 * that breaks down. With a wrong configuration, only checks that need none are made.
 */
export async function examine(context: Omit<DoctorContext, "config">): Promise<readonly Finding[]> {
  const { environment } = context;
  const read = readConfig(environment);
  const data = read.ok ? read.config.data : readDataFolder(environment);
  const findings = await Promise.all([
    checkConfiguration(read.ok ? [] : read.problems, environment),
    guard("data.folder", () => checkData({ data })),
    ...(read.ok ? checkConfigured({ ...context, config: read.config }) : []),
    guard("machine.memory", async () => [checkMemory()]),
    guard("machine.files", checkOpenFiles),
    guard("sandbox.handlers", async () => [await checkHandlers()]),
    guard("sandbox.commands", async () => [await checkCommands()]),
  ]);
  return findings.flat();
}

function checkConfigured(context: DoctorContext): readonly Promise<readonly Finding[]>[] {
  return [
    guard("keys.files", () => checkFiles(context)),
    guard("git.access", () => checkRepository(context)),
    guard("model.endpoint", () => checkServices(context)),
    guard("machine.clock", async () => [await checkClock(context)]),
  ];
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

/** Checks the files of keys that the configuration names. */
async function checkFiles({ config: { auditKey, tagSigners } }: DoctorContext): Promise<readonly Finding[]> {
  const named = { CAIRN_AUDIT_KEY: auditKey, CAIRN_REQUIRE_SIGNED_TAGS: tagSigners };
  const findings = Object.entries(named).map(async ([variable, path]) => {
    if (path === undefined) return [];
    return readFile(path).then(
      () => [ok("keys.files", `The file of ${variable} can be read.`)],
      (error: unknown) => [
        fail(
          "keys.files",
          `The file of ${variable} cannot be read: ${toReason(error)}.`,
          "Restore it, or correct the path and its owner.",
        ),
      ],
    );
  });
  return (await Promise.all(findings)).flat();
}

async function guard(check: string, run: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await run();
  } catch (error) {
    return [fail(check, `The check broke down: ${toReason(error)}.`, "Correct that, and run this again.")];
  }
}
