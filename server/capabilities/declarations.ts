import { ARTIFACT_GRANTS, ARTIFACTS } from "./artifacts/api.ts";
import { type Grant, listDeclarations, type NameOf, type SyscallDeclaration } from "./declaration.ts";
import { FETCH, FETCH_GRANTS } from "./fetch/api.ts";
import { ELICIT, INTERACTION_GRANTS, ROOTS, SAMPLE } from "./interaction/api.ts";
import { REPOSITORY, REPOSITORY_GRANTS } from "./knowledge/api.ts";
import { LINEAGE, LINEAGE_GRANTS } from "./lineage/api.ts";
import { LOG, PROGRESS } from "./log/api.ts";
import { MCP, MCP_GRANTS } from "./mcp/api.ts";
import { MODEL, MODEL_GRANTS } from "./model/api.ts";
import { PRINCIPAL, PRINCIPAL_GRANTS } from "./principal/api.ts";
import { SCHEMA } from "./schema/api.ts";
import { SESSION, SESSION_GRANTS } from "./session/api.ts";
import { SLEEP } from "./sleep/api.ts";
import { STATE, STATE_GRANTS } from "./state/api.ts";
import { TOOLS, TOOLS_GRANTS } from "./tools/api.ts";
import { TUNER, TUNER_GRANTS } from "./tuner/api.ts";
import { MIGRATION_GRANTS, WORK, WORK_GRANTS } from "./work/declare.ts";
import { EXECUTION, FILES, GIT, WORKSPACE_GRANTS } from "./workspace/api.ts";

/** Every member of `ctx` that leaves the isolate. Pure data of the host API: the checks of manifests and isolates load it. */
export const DECLARATIONS = {
  log: LOG,
  progress: PROGRESS,
  sleep: SLEEP,
  session: SESSION,
  state: STATE,
  lineage: LINEAGE,
  artifacts: ARTIFACTS,
  schema: SCHEMA,
  principal: PRINCIPAL,
  fetch: FETCH,
  mcp: MCP,
  tools: TOOLS,
  model: MODEL,
  elicit: ELICIT,
  sample: SAMPLE,
  roots: ROOTS,
  tuner: TUNER,
  work: WORK,
  fs: FILES,
  exec: EXECUTION,
  git: GIT,
  repository: REPOSITORY,
} as const;

/** The words that a manifest may list under `uses`, in the order of the schema of tools. */
export const GRANTS = {
  clock: { breaks: ["deterministic"] },
  random: { breaks: ["deterministic"] },
  ...SESSION_GRANTS,
  ...STATE_GRANTS,
  ...LINEAGE_GRANTS,
  ...PRINCIPAL_GRANTS,
  ...ARTIFACT_GRANTS,
  ...FETCH_GRANTS,
  ...MCP_GRANTS,
  ...TOOLS_GRANTS,
  ...MODEL_GRANTS,
  ...INTERACTION_GRANTS,
  ...TUNER_GRANTS,
  ...WORK_GRANTS,
  ...WORKSPACE_GRANTS,
  ...REPOSITORY_GRANTS,
  ...MIGRATION_GRANTS,
} as const satisfies Readonly<Record<string, Grant>>;

export type Syscall = keyof typeof GRANTS;
export type SyscallName = NameOf<typeof DECLARATIONS>;

export const SYSCALLS = Object.keys(GRANTS) as readonly Syscall[];

const byName: ReadonlyMap<unknown, SyscallDeclaration<Syscall>> = new Map(
  listDeclarations<Syscall>(DECLARATIONS).map((declaration) => [declaration.name, declaration]),
);

/** The declaration of a syscall; undefined where there is none of this name. */
export function findDeclaration(name: unknown): SyscallDeclaration<Syscall> | undefined {
  return byName.get(name);
}
