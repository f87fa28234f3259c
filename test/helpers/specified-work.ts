import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunningCairn, runInProcess, startCairn } from "./cairn.ts";
import { createCheckoutRepository } from "./checkout-repository.ts";
import type { TestRepository } from "./repository.ts";
import { type AtEnd, temporaryFolder } from "./temporary.ts";

type Json = Record<string, unknown>;

export interface WorkAnswer {
  readonly status: number;
  /** What a tool answers, or problem details. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are compared, not trusted
  readonly body: any;
}

export type Person = keyof typeof ROLES;

export interface SpecifiedWork {
  readonly url: string;
  readonly data: string;
  readonly repository: TestRepository;
  /** Headers of a person's token. */
  as(who: Person): Readonly<Record<string, string>>;
  tokenFile(who: Person): string;
  /** Calls a tool of the work server over REST. */
  call(who: Person, tool: string, input?: object): Promise<WorkAnswer>;
  /** The answer's body of a call that succeeds. */
  ask(who: Person, tool: string, input?: object): Promise<WorkAnswer["body"]>;
  /** Creates a task as `rita`, and has `wim` claim it as `w1`; the answer of the claim. */
  begin(workflow: string, objective?: string, claim?: object): Promise<WorkAnswer["body"]>;
  /** As `begin`, a run that changes files without steps, with a plan for these. */
  beginPlanned(...files: readonly string[]): Promise<WorkAnswer["body"]>;
  /** Has `wim` do steps until none is left; the last answer. */
  advance(runId: string): Promise<WorkAnswer["body"]>;
  /** The text of one piece of evidence. */
  read(claimed: { task_id: string; run_id: string }, name: string): Promise<string>;
  /** Lines of the journal. */
  journal(runId: string): Promise<readonly Json[]>;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/** Each has the role, and nothing else; `ozan` is of another tenant. */
const ROLES = {
  rita: "requester",
  wim: "worker",
  zoe: "worker",
  pat: "approver",
  olga: "operator",
  ozan: "*",
} as const;

export const KITCHEN = "# The kitchen\n\nBread is baked before dawn.\n";
const STEPS = ["plan", "execute", "verify", "gate"].map((name) => `  - { name: ${name}, tool: workflow_${name} }\n`);
const WITH_STEPS = `name: risky\ndescription: Changes files.\nwrites: true\nsteps:\n${STEPS.join("")}`;

/** A shop whose prices and quotes depend on one module, and whose hours do not; and workflows that tests want. */
const FILES: Readonly<Record<string, string>> = {
  "manifests/shop/server.yaml": "name: shop\ndescription: A shop.\n",
  ...createTool(
    "price",
    `import { addTax } from "../_lib/tax.ts";\nexport default ({ net }) => ({ gross: addTax(net) });\n`,
  ),
  ...createTool(
    "quote",
    `import { addTax } from "../_lib/tax.ts";\nexport default ({ net }) => ({ gross: 2 * addTax(net) });\n`,
  ),
  ...createTool("hours", "export default ({ net }) => ({ gross: net });\n"),
  "tools/_lib/tax.ts":
    "/** Adds the value added tax of nineteen percent. */\nexport const addTax = (net) => net * 1.19;\n",
  "docs/harbour.md": "# The harbour\n\nThe zeppelin lands at the mooring mast on Fridays.\n",
  "docs/kitchen.md": KITCHEN,
  "manifests/policies/commands.yaml":
    "commands:\n  - { program: node, arguments: [--eval] }\n  - { program: cat, arguments: [] }\n",
  "manifests/workflows/plain.yaml": "name: plain\ndescription: A worker does it.\nleaseSeconds: 5\nmaxAttempts: 3\n",
  "manifests/workflows/bare.yaml": "name: bare\ndescription: A worker changes files.\nwrites: true\n",
  "manifests/workflows/brief.yaml": `${WITH_STEPS.replaceAll("risky", "brief")}leaseSeconds: 8\n`,
  "manifests/workflows/risky.yaml": `${WITH_STEPS}risk:\n  - { paths: [docs/danger/**], level: high }\napprovals: [high]\n`,
};

function createTool(name: string, handler: string): Record<string, string> {
  return {
    [`manifests/shop/${name}.yaml`]: `name: shop.${name}\nversion: 1.0.0\ndescription: Computes the ${name}.\ninput: { type: object, required: [net], properties: { net: { type: number } } }\noutput: { type: object, required: [gross], properties: { gross: { type: number } } }\n`,
    [`tools/shop/${name}.ts`]: handler,
  };
}

/** The checkout's own agent with a shop, served by a process, for people with tokens. */
export async function openSpecifiedWork(
  atEnd: AtEnd,
  environment: Readonly<Record<string, string>> = {},
): Promise<SpecifiedWork> {
  const { repository } = await createCheckoutRepository(await temporaryFolder(atEnd));
  await repository.commit(FILES);
  await repository.tag("v0.1.0");
  const data = await temporaryFolder(atEnd);
  const keys = await temporaryFolder(atEnd);
  const tokens = new Map<string, string>();
  for (const [actor, role] of Object.entries(ROLES)) {
    const who = ["--tenant", actor === "ozan" ? "other" : "acme", "--actor", actor, "--roles", role, "--scopes", "*"];
    const made = await runInProcess(["token", "create", ...who, "--data", data]);
    tokens.set(actor, made.stdout.trim());
    await writeFile(join(keys, actor), made.stdout.trim());
  }
  const start = (port = "0") =>
    startCairn(["serve", repository.path, "--data", data], { ...environment, PORT: port }, atEnd);
  let cairn: RunningCairn = await start();
  const { url } = cairn;

  const as: SpecifiedWork["as"] = (who) => ({ authorization: `Bearer ${tokens.get(who)}` });
  const call: SpecifiedWork["call"] = async (who, tool, input = {}) => {
    const response = await fetch(`${url}/agent/latest/api/tools/${tool}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...as(who) },
      body: JSON.stringify(input),
    });
    return { status: response.status, body: await response.json() };
  };
  const ask: SpecifiedWork["ask"] = async (who, tool, input) => {
    const { status, body } = await call(who, tool, input);
    if (status !== 200) throw new Error(`${tool}: ${JSON.stringify(body)}`);
    return body;
  };
  const begin: SpecifiedWork["begin"] = async (workflow, objective = "Do it.", claim = {}) => {
    const { task_id } = await ask("rita", "task_create", { title: "Something", objective, workflow });
    return ask("wim", "task_claim", { worker_id: "w1", task_id, ...claim });
  };
  return {
    url,
    data,
    repository,
    as,
    tokenFile: (who) => join(keys, who),
    call,
    ask,
    begin,
    async beginPlanned(...files) {
      const run = await begin("bare");
      const content = toReport(run, { status: "planned", objective: "Do it.", files, instructions: "So." });
      await ask("wim", "artifact_write", { run_id: run.run_id, name: "plan.json", content });
      return run;
    },
    async advance(run_id) {
      for (;;) {
        const answer = await ask("wim", "run_advance", { run_id });
        if (answer.state !== "step") return answer;
      }
    },
    async read({ task_id, run_id }, artifact_name) {
      const { raw, error } = await ask("rita", "artifact_read", { task_id, run_id, artifact_name });
      if (raw === undefined) throw new Error(error);
      return raw;
    },
    async journal(run_id) {
      return (await ask("rita", "run_events", { run_id, limit: 1000 })).events;
    },
    async kill() {
      await cairn.stop("SIGKILL");
    },
    async restart() {
      cairn = await start(new URL(url).port);
    },
  };
}

/** What names a run in the input of tools. */
export function toIds({ task_id, run_id }: { task_id: string; run_id: string }) {
  return { task_id, run_id };
}

/** The input of `task_complete` for a run of the worker `w1`. */
export function toEnd(claimed: { task_id: string; run_id: string }, more: Json = {}) {
  return { ...toIds(claimed), worker_id: "w1", status: "completed", result_summary: "Done.", ...more };
}

/** A report as the specification has them, of a run. */
export function toReport({ task_id, run_id }: { task_id: string; run_id: string }, more: Json = {}): string {
  return JSON.stringify({
    schema_version: 1,
    task_id,
    run_id,
    timestamps: { created_at: new Date().toISOString() },
    status: "completed",
    metrics: {},
    warnings: [],
    errors: [],
    ...more,
  });
}

/** An objective that is a diff which adds a file of one line. */
export function toAddition(path: string, line: string): string {
  return `\`\`\`diff\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n\`\`\``;
}

/** A patch that replaces the one line of a file. */
export function toReplacement(path: string, from: string, to: string): string {
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
}
