import { explainNotShown, saveTestResult, type TestResult } from "../../examples/test-results.ts";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";
import { toNewVersion } from "./approve.ts";
import type { ArchitectContext } from "./context.ts";
import type { FeedbackRecord, Proposed } from "./feedback-record.ts";
import { loadExamples } from "./keep-evidence.ts";
import { type Base, explainBranch, toTag } from "./repository.ts";
import type { Run, Transition } from "./run.ts";
import type { WorkBook } from "./work-book.ts";
import { defined } from "../../json/defined.ts";

/** A landed version that has a tag and is served. */
interface Release {
  readonly semver: string;
  readonly tag: string;
  /** The version that it says it was made from. */
  readonly parent?: string;
  readonly base: Base;
}

/** Looks at the upstream before it is given up that a landed commit can be served. */
const LOOKS = 20;

/** Tags what has landed with the version that it says it is, if that is a new one, waits until it is served, and answers. */
export async function publish(context: ArchitectContext, { record, book }: Run): Promise<Transition> {
  const { store, audit } = context;
  const { proposal, tenant, actor, id } = record;
  const oid = proposal?.landed ?? null;
  if (proposal === null || oid === null) throw new TypeError("Nothing has landed.");
  const release = await makeRelease(context, record, oid, proposal);
  const examples = await loadExamples(book, oid, id);
  if (examples !== undefined) await saveTestResult(store, examples);
  const details = { run: book.runId, commit: oid, ...(release === undefined ? {} : { tag: release.tag }) };
  await audit.changed({ change: "feedback.landed", tenant, actor, target: id, details });
  const notes = [
    await readTitle(book),
    describeRelease(proposal, release),
    ...(release === undefined
      ? []
      : [explainBranch(record.version, release.base, release.parent ?? record.version) ?? []]
    ).flat(),
    ...describeCompany(proposal),
    ...(examples === undefined ? [] : explainExamples(examples)),
    ...(proposal.change?.url === undefined ? [] : [`Its pull request is ${proposal.change.url}.`]),
    `Run ${book.runId} has the plan, the checks and the patch.`,
    `\`undo ${id}\` takes it back.`,
  ].join(" ");
  const answer = { result: "committed", ...toNewVersion(release?.semver), commit_hash: oid, notes } as const;
  const done = [{ step: "land", message: `Landed as ${release?.tag ?? oid}.` }];
  return { record, next: { step: "end", answer, done } };
}

/** Resolves to nothing where the version is what it was. */
async function makeRelease(
  context: ArchitectContext,
  record: FeedbackRecord,
  oid: string,
  { isRelease, base: branch }: Proposed,
): Promise<Release | undefined> {
  const { forge, repository, registry, tell } = context;
  if (forge === undefined) throw new TypeError("Nothing can have landed.");
  const { ok, message: fault = "The repository cannot be read." } = await registry.refresh();
  if (!ok) throw new CairnError("UNAVAILABLE", fault);
  const version = await registry.read(oid);
  if (!isRelease) return undefined;
  const { semver, history } = version;
  const parent = history.versions.get(semver)?.parent;
  const base = await repository.findBase(oid, { branch });
  const { build } = base;
  let tag = toTag(semver, build);
  const message = `Version ${semver}\n\nCairn-Feedback: ${record.id}`;
  if ((await forge.tag(tag, oid, message)) === "taken") {
    // Somebody has given the number away meanwhile: several commits may have the same, told apart by this.
    tag = toTag(semver, record.id.slice(0, 8));
    if ((await forge.tag(tag, oid, message)) === "taken") {
      throw new CairnError("CONFLICT", `The tag \`${tag}\` stands for another commit.`);
    }
  }
  tell(record, "tag", `Tagged as ${tag}.`);
  await waitUntilServed(context, tag, oid);
  return { semver, tag, base, ...defined({ parent }) };
}

async function waitUntilServed({ registry, watchForge }: ArchitectContext, tag: string, oid: string): Promise<void> {
  const lookout = watchForge(() => true);
  try {
    for (let look = 0; look < LOOKS; look++) {
      await registry.refresh();
      const served = await registry.resolve(tag.slice(1)).catch(() => undefined);
      if (served?.version.commit === oid) return;
      await lookout.pause();
    }
  } finally {
    lookout.close();
  }
  throw new CairnError("UNAVAILABLE", `\`${tag}\` is not served yet.`);
}

async function readTitle(book: WorkBook): Promise<string> {
  const plan = readJson((await book.read("plan.json")) ?? "null");
  const objective = isObject(plan) ? plan["objective"] : undefined;
  return typeof objective === "string" ? `${objective.split("\n")[0]}.`.replace(/\.\.$/, ".") : "";
}

function describeRelease({ base }: Proposed, release: Release | undefined): string {
  if (release === undefined) return `It is on \`${base}\`; no version needs another number for it.`;
  const made = release.parent === undefined ? "" : `, made from ${release.parent}`;
  return `It is live as ${release.tag.slice(1)}${made}; every older version answers as before.`;
}

function describeCompany({ together = [] }: Proposed): readonly string[] {
  if (together.length === 0) return [];
  const others = together.length === 1 ? "another change" : `${together.length} other changes`;
  return [`It landed together with ${others}.`];
}

/** Says what the examples do not show of what has landed. */
function explainExamples(result: TestResult): readonly string[] {
  const { failed } = result;
  const broken = failed === 0 ? "" : `${failed} ${failed === 1 ? "example fails" : "examples fail"}, as before.`;
  return [explainNotShown(result), broken].filter((text) => text !== "");
}
