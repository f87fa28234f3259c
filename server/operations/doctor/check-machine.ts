import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { findCompiler } from "../../architect/pipeline/verify/check-types.ts";
import { probeSandbox } from "../../capabilities/workspace/sandbox/probe-sandbox.ts";
import { assertTemporary } from "../../config/temporary-folder.ts";
import { findNetworkCut, UNSHARE } from "../../kernel/isolates/open-artifact-sandbox.ts";
import { openSandbox } from "../../kernel/isolates/open-sandbox.ts";
import { adviseOn } from "./advice.ts";
import { fail, type Finding, ok, toReason, warn } from "./finding.ts";

/** Bytes that a service of a few tools needs, and those with which it has room for replacing a process. */
const LEAST_MEMORY = 256 * 2 ** 20;
const ROOMY_MEMORY = 512 * 2 ** 20;
/** Open files: a stream takes one, and so does every process of git and the sandbox a few. */
const FEW_FILES = 4096;

/** Memory that this process may have: of the machine, or of its control group. */
export function checkMemory(total = totalmem(), limit = process.constrainedMemory()): Finding {
  // No limit is a number of its own, larger than the machine.
  const isLimited = limit > 0 && limit < total;
  const bytes = isLimited ? limit : total;
  const shown = `${Math.floor(bytes / 2 ** 20)} MiB of memory${isLimited ? ", by the limit of the container or unit" : ""}.`;
  const advice = "Give it at least 512 MiB (`MemoryMax`, `resources.limits.memory`).";
  if (bytes < LEAST_MEMORY) return fail("machine.memory", shown, advice);
  return bytes < ROOMY_MEMORY ? warn("machine.memory", shown, advice) : ok("machine.memory", shown);
}

/** Open files that this process may have. Node raises the soft limit to the hard one by itself. */
export async function checkOpenFiles(): Promise<readonly Finding[]> {
  const text = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(text)?.[1];
  if (hard === undefined) return [];
  const shown = `${hard} open files are allowed.`;
  if (Number(hard) >= FEW_FILES) return [ok("machine.files", shown)];
  return [warn("machine.files", shown, `Raise the limit to ${FEW_FILES} or more (\`LimitNOFILE\`, \`ulimit -n\`).`)];
}

/** Makes a folder among the temporary files, as sandboxes do. */
export async function checkTemporary(): Promise<Finding> {
  return assertTemporary().then(
    () => ok("machine.temporary", `\`${tmpdir()}\` takes temporary files.`),
    (error: unknown) => {
      const [found = "", advice = ""] = (error as Error).message.split(/(?<=\))\. /);
      return fail("machine.temporary", `${found}.`, advice);
    },
  );
}

/** Starts the process that handlers run in, and ends it again. */
export async function checkHandlers(): Promise<Finding> {
  try {
    const sandbox = await openSandbox({ spare: false });
    await sandbox.close();
    return ok("sandbox.handlers", "Handlers have a process to run in.");
  } catch (error) {
    const advice = "Run `npm ci` without `--omit=optional`, on the platform that the service runs on.";
    return fail("sandbox.handlers", `Handlers cannot run: ${toReason(error)}`, advice);
  }
}

/** Looks for the compiler without which no change of code can be verified. */
export function checkCompiler(): Finding {
  try {
    findCompiler();
    return ok("architect.types", "Changes of code can have their types checked.");
  } catch (error) {
    return warn(
      "architect.types",
      `Changes of code cannot be verified: ${toReason(error)}`,
      "Run `npm install typescript` beside Cairn.",
    );
  }
}

/** Starts a program without a network, as the process of artifacts is. */
export async function checkArtifacts(): Promise<Finding> {
  if ((await findNetworkCut()).length > 0) {
    return ok("sandbox.artifacts", "Artifacts have a process without a network.");
  }
  const reason = existsSync(UNSHARE) ? `\`${UNSHARE} --net\` is refused` : `\`${UNSHARE}\` is not installed`;
  const found = `Artifacts run in a process that has a network: ${reason}.`;
  return warn("sandbox.artifacts", found, adviseOn("namespaces", reason));
}

/** Runs a program in the sandbox of runs' commands. Without one, all but `exec.run` works. */
export async function checkCommands(): Promise<Finding> {
  const probed = await probeSandbox();
  if (probed.available) return ok("sandbox.commands", "Commands of runs have a sandbox.");
  const reason = probed.reason.replace(/\.+$/, "");
  return warn("sandbox.commands", `Runs execute no commands: ${reason}.`, adviseOn("namespaces", reason));
}
