import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CairnError } from "../../../errors.ts";
import { COMMAND_LIMITS } from "../limits.ts";
import { runSandboxed } from "./run-sandboxed.ts";
import { createSeccompFilter } from "./seccomp-filter.ts";

/** Sandbox of this machine, probed once; without one no commands run. */
export type Sandbox = AvailableSandbox | { readonly available: false; readonly reason: string };

export interface AvailableSandbox {
  readonly available: true;
  readonly filter: Uint8Array;
  readonly isRoot: boolean;
  /** The Node that commands find. */
  readonly node: string;
}

const TIMEOUT_MS = 10_000;
/** Program that checks the process in the sandbox: no capability, a filter, no user's identity, an empty network. */
const CHECK = `
const { readFileSync } = require("node:fs");
const status = readFileSync("/proc/self/status", "utf8");
const is = (name, value) => new RegExp("^" + name + ":\\\\s+" + value + "$", "m").test(status);
const networks = readFileSync("/proc/net/dev", "utf8").split("\\n").slice(2).filter((line) => line.trim() !== "" && !line.includes("lo:"));
const fine = is("CapEff", "0+") && is("CapBnd", "0+") && is("NoNewPrivs", "1") && is("Seccomp", "2") && process.getuid() === 65534;
process.stdout.write(fine && networks.every((line) => /^\\s*(?:sit|ip6?tnl|tunl|gre|gretap|erspan|ip_vti|ip6_vti|ip6gre)\\d*:/.test(line)) ? "closed" : status);
`;

/** Runs a program in a sandbox and has it look around. Nothing is taken for granted of what the machine allows. */
export async function probeSandbox(): Promise<Sandbox> {
  const filter = createSeccompFilter(process.arch);
  if (process.platform !== "linux" || filter === undefined) {
    return { available: false, reason: `There is no sandbox for \`${process.platform}\` on \`${process.arch}\`.` };
  }
  const isRoot = process.getuid?.() === 0;
  let tree: string | undefined;
  try {
    tree = await mkdtemp(join(tmpdir(), "cairn-probe-"));
    await chmod(tree, 0o755);
    const result = await runSandboxed({
      tree,
      writable: false,
      cwd: "",
      command: ["node", "-e", CHECK],
      environment: {},
      limits: COMMAND_LIMITS,
      stdin: "",
      timeoutMs: TIMEOUT_MS,
      node: process.execPath,
      filter,
      isRoot,
    });
    if (result.stdout === "closed") return { available: true, filter, isRoot, node: process.execPath };
    const said = (result.stderr || result.stdout).trim().slice(-300);
    return {
      available: false,
      reason: `A program in the sandbox did not run as it should: ${said || `exit code ${result.exit_code}`}`,
    };
  } catch (error) {
    return { available: false, reason: toReason(error) };
  } finally {
    if (tree !== undefined) await rm(tree, { recursive: true, force: true });
  }
}

function toReason(error: unknown): string {
  const cause = error instanceof CairnError ? error.cause : undefined;
  const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
  if (isMissing) return "`choom` of util-linux is not installed.";
  const words = error instanceof Error ? error.message : String(error);
  if (words.includes("failed to execute bwrap")) return "`bwrap` is not installed (package `bubblewrap`).";
  return words;
}
