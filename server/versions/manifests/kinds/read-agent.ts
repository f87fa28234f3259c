import { gt, major } from "semver";
import { HOST_API_VERSION } from "../../../host-api.ts";
import type { Problem } from "../../problem.ts";
import type { Agent, Limits } from "../../version.ts";
import type { Manifest } from "../manifest.ts";
import type { FileRead } from "./file-read.ts";

export interface AgentContent {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly hostApi: string;
  readonly defaults?: { readonly limits?: Partial<Limits> };
}

const DEFAULT_LIMITS: Limits = Object.freeze({ time: 10_000, cpu: 1000, memory: 64, payload: 1_048_576 });

export function readAgent({ content, problem }: Manifest<AgentContent>): FileRead<Agent> {
  const problems: Problem[] = [];
  const { hostApi } = content;
  if (major(hostApi) !== major(HOST_API_VERSION) || gt(hostApi, HOST_API_VERSION)) {
    const message = `The handlers are written for host API ${hostApi}; this server offers ${HOST_API_VERSION}.`;
    const first = `${major(HOST_API_VERSION)}.0.0`;
    const offered = first === HOST_API_VERSION ? first : `a version from ${first} to ${HOST_API_VERSION}`;
    const fix = `Write ${offered}, or use a server that offers ${hostApi}.`;
    problems.push(problem("host-api", ["hostApi"], message, fix));
  }
  const limits = Object.freeze({ ...DEFAULT_LIMITS, ...content.defaults?.limits });
  return { value: Object.freeze({ ...content, defaults: Object.freeze({ limits }) }), problems };
}
