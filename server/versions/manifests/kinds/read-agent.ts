import { gt, major } from "semver";
import { HOST_API_VERSION } from "../../../host-api.ts";
import type { AgentCheck } from "../../agent-check.ts";
import type { Problem } from "../../problem.ts";
import type { Agent, Limits } from "../../version.ts";
import type { Manifest } from "../manifest.ts";
import { checkUnique } from "./check-unique.ts";
import type { FileRead } from "./file-read.ts";

export interface AgentContent {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly hostApi: string;
  readonly compare?: "declared" | "strict";
  readonly defaults?: { readonly limits?: Partial<Limits> };
  readonly checks?: readonly (Pick<AgentCheck, "name" | "command"> & Partial<AgentCheck>)[];
}

const DEFAULT_LIMITS: Limits = Object.freeze({ time: 10_000, cpu: 1000, memory: 64, payload: 1_048_576 });

/** Milliseconds that a check may take which does not say. */
const DEFAULT_CHECK_MS = 60_000;

export function readAgent({ content, problem }: Manifest<AgentContent>): FileRead<Agent> {
  const { hostApi, checks = [] } = content;
  const problems: Problem[] = [...checkUnique(checks, "name", ["checks"], problem)];
  if (major(hostApi) !== major(HOST_API_VERSION) || gt(hostApi, HOST_API_VERSION)) {
    const message = `The handlers are written for host API ${hostApi}; this server offers ${HOST_API_VERSION}.`;
    const first = `${major(HOST_API_VERSION)}.0.0`;
    const offered = first === HOST_API_VERSION ? first : `a version from ${first} to ${HOST_API_VERSION}`;
    const fix = `Write ${offered}, or use a server that offers ${hostApi}.`;
    problems.push(problem("host-api", ["hostApi"], message, fix));
  }
  const limits = Object.freeze({ ...DEFAULT_LIMITS, ...content.defaults?.limits });
  const complete = checks.map((check) => Object.freeze({ timeout: DEFAULT_CHECK_MS, ...check }));
  return {
    value: Object.freeze({ ...content, defaults: Object.freeze({ limits }), checks: Object.freeze(complete) }),
    problems,
  };
}
