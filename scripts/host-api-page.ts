// Writes docs/host-api.md, the reference of `ctx`, from the types of the host API, their declarations, and the tools that use them.
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { format } from "prettier";
import type { SyscallDeclaration } from "../server/capabilities/declaration.ts";
import { GRANTS } from "../server/capabilities/declarations.ts";
import { ERRORS } from "../server/errors.ts";
import { HOST_API_VERSION } from "../server/host-api.ts";
import { type Example, readExamples } from "./host-api/read-examples.ts";
import { demand, type Member, type Node, readMembers, readTypes, type Types } from "./host-api/read-members.ts";

export const PAGE = "docs/host-api.md";

/** Renders the page, as prettier leaves it. Throws where a member of `ctx` has no docstring. */
export async function renderHostApiPage(): Promise<string> {
  const types = readTypes();
  const members = readMembers(types);
  const examples = readExamples();
  const missing = flatten(members).filter(({ doc }) => doc === "");
  if (missing.length > 0) {
    throw new Error(`No docstring: ${missing.map(({ path }) => path.join(".")).join(", ")}`);
  }
  const shown = new Set(["Context", "Handler"]);
  const text = [
    ...toIntroduction(types),
    ...toIndex(members),
    ...members.flatMap((member) => toSection(member, types, examples, shown)),
    ...toGrants(),
  ].join("\n");
  return format(text, { parser: "markdown", printWidth: 120, proseWrap: "preserve" });
}
function flatten(members: readonly Member[]): readonly Member[] {
  return members.flatMap((member) => [member, ...flatten(member.members)]);
}

const DEBUGGING = `## Debugging

- **Lines**: \`console.log\` and \`ctx.log\` are shown by \`cairn dev\` and \`cairn test\`. An error has its place in the TypeScript source.
- **Breakpoints**: a handler is a module that Node.js runs as it is, so a debugger needs no Cairn. Call it with what it uses of \`ctx\`, and attach Chrome (\`chrome://inspect\`) or VS Code:

\`\`\`sh
node --inspect-brk --input-type=module --eval '
  const { default: greet } = await import("./tools/runner/greet.ts");
  const ctx = { log: { info: console.log }, params: {}, fetch: async () => ({ ok: true, text: () => "", json: () => ({}) }) };
  console.log(await greet({ name: "Ada", language: "en" }, ctx));
'
\`\`\`

\`cairn dev\` has no \`--inspect\`. V8 can pause a handler in its isolate (tried with isolated-vm 7.0.1, whose inspector also knows modules), but Cairn would end what is paused:

- The time limit of the call continues while it is paused. So does the limit by the clock that finds isolates which V8 cannot stop: the process is ended, with all that runs in it, and the version is held for an offender.
- A call that was lost so runs again in another isolate, and edits replace isolates, too. A debugger would have to follow.
- A port of a debugger is a way into the process that holds the handlers, for pages in a browser too (DNS rebinding). It would need a secret path, and checks of \`Host\` and \`Origin\`.

**Bodies** of \`ctx.fetch\` come whole, at most 4 MiB, and are not streams: a recording and a replay give a handler its answer in one piece, and pieces of a network would differ from run to run. For lines, write
\`response.text().split("\\n")\`.
`.split("\n");

function toIntroduction(types: Types): readonly string[] {
  return [
    "# Host API",
    "",
    "<!-- Written by `npm run docs:host-api` from the types of the host API. Change those, and run it again. -->",
    "",
    `For those who write handlers: every member of \`ctx\`, with its arguments, result, errors and an example. This is host API ${HOST_API_VERSION}.`,
    "[Manifests](manifests.md#a-handler) says how a handler is written and what else it has; [errors](errors.md) has all errors.",
    "",
    "```ts",
    'import type { Handler } from "cairn-gitops/host-api";',
    "```",
    "",
    "```ts",
    demand(types, "Handler").whole.replace(/^export /, ""),
    "```",
    "",
    "A member needs a word under `uses` of the tool's manifest, where one is named. Without it, the call is refused. Types of arguments",
    "and results follow the members that use them. A promise rejects with an error that has `name` and `message`. A handler may catch it.",
    "Examples are from the tools and tests of Cairn itself.",
    "",
    ...DEBUGGING,
  ];
}

function toIndex(members: readonly Member[]): readonly string[] {
  const rows = flatten(members)
    .filter(({ members: inner }) => inner.length === 0)
    .map(({ path, doc, declaration }) => {
      const needs = declaration?.needs ?? readNeed(doc);
      return `| ${toLink(path)} | ${firstSentence(doc)} | ${needs === undefined ? "" : `\`${needs}\``} |`;
    });
  return ["## Index", "", "| member | purpose | `uses` |", "| --- | --- | --- |", ...rows, ""];
}

/** Reads the word that a member needs which never leaves the isolate, such as `ctx.now`. */
function readNeed(doc: string): string | undefined {
  return /Needs `([a-z.]+)`/.exec(doc)?.[1];
}

function toLink(path: readonly string[]): string {
  return `[\`${path.join(".")}\`](#${path.join("").toLowerCase()})`;
}

function firstSentence(doc: string): string {
  return (/^.*?[.;:](?= |$)/.exec(doc)?.[0] ?? doc).replace(/[;:]$/, ".").replaceAll("|", "\\|");
}

function toSection(
  member: Member,
  types: Types,
  examples: ReadonlyMap<string, Example>,
  shown: Set<string>,
): readonly string[] {
  const { path, part, doc, members, declaration } = member;
  const inner = members.flatMap((one) => toSection(one, types, examples, shown));
  const head = [`${"#".repeat(Math.min(path.length, 4))} \`${path.join(".")}\``, "", doc, ""];
  if (members.length > 0) return [...head, ...inner];
  const example = examples.get(path.join("."));
  return [
    ...head,
    "```ts",
    part.source,
    "```",
    "",
    ...toTypes(part.node, types, shown),
    ...toFacts(doc, declaration),
    ...(example === undefined ? [] : [`Example, from \`${example.file}\`:`, "", "```ts", example.code, "```", ""]),
  ];
}

function toFacts(doc: string, declaration: SyscallDeclaration | undefined): readonly string[] {
  const errors = Object.keys(ERRORS).filter((name) => new RegExp(`\\b${name}\\b`).test(doc));
  const { needs, mutates, inPreviews, isNote } = declaration ?? {};
  return [
    ...(needs === undefined ? [] : [`- **\`uses\`**: \`${needs}\``]),
    ...(mutates === undefined
      ? []
      : ["- **Effect**: it outlives the call, so tools with `sideEffect: false` are refused it"]),
    ...(declaration === undefined || inPreviews ? [] : ["- **Previews** of pull requests are refused it"]),
    ...(isNote === undefined ? [] : ["- **Result**: none; nothing waits for it"]),
    ...(errors.length === 0 ? [] : [`- **Errors**: ${errors.map((name) => `[\`${name}\`](errors.md)`).join(", ")}`]),
    "",
  ];
}

/** Renders the types that a member names, and those that they name, unless an earlier member has shown them. */
function toTypes(node: Node, types: Types, shown: Set<string>): readonly string[] {
  const found: string[] = [];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) return part.forEach(visit);
    if (typeof part !== "object" || part === null) return;
    const one = part as Node;
    const name = one.type === "TSTypeReference" ? (one["typeName"] as { name?: string }).name : undefined;
    const declared = name === undefined ? undefined : types.get(name);
    if (name !== undefined && declared !== undefined && !shown.has(name)) {
      shown.add(name);
      found.push(declared.whole.replace(/^export /m, ""));
      visit(declared.node);
    }
    for (const [key, child] of Object.entries(one)) if (key !== "parent") visit(child);
  };
  visit(node);
  return found.length === 0 ? [] : ["```ts", found.join("\n\n"), "```", ""];
}

function toGrants(): readonly string[] {
  const rows = Object.entries(GRANTS).map(
    ([word, { breaks }]) => `| \`${word}\` | ${breaks.map((promise) => PROMISES[promise]).join(", ")} |`,
  );
  return [
    "## Words under `uses`",
    "",
    "A tool that uses a word cannot make the promises beside it ([limits](limits.md#what-a-tool-promises)).",
    "",
    "| word | promises that it excludes |",
    "| --- | --- |",
    ...rows,
    "",
  ];
}

const PROMISES = {
  deterministic: "`deterministic: true`",
  "no side effect": "`sideEffect: false`",
  "no tenant": "`tenantScoped: false`",
} as const;
if (import.meta.main) {
  process.chdir(dirname(import.meta.dirname));
  writeFileSync(PAGE, await renderHostApiPage());
}
