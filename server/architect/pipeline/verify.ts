import { toFindings } from "./describe-change.ts";
import type { ArchitectContext } from "./context.ts";
import { toMoved } from "./build.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import { keepEvidence } from "./keep-evidence.ts";
import { listChangedValues } from "./values/list-changed-values.ts";
import { type Built, type Candidate, type Next, type Run, toRejected, type Transition } from "./run.ts";

/** Tries the built change in every way there is, and keeps what was found as the evidence of the run. */
export async function verify(
  context: ArchitectContext,
  run: Run,
  { planned, built }: Extract<Next, { readonly step: "verify" }>,
): Promise<Transition> {
  const { record, book } = run;
  const candidate = await verifyBuilt(context, [record], built);
  await Promise.all([keepEvidence(book, candidate), context.workspaces.remove(built.workspace.runId)]);
  const { verification, base } = candidate;
  if (verification.status === "passed") return { record, next: { step: "approve", candidate } };
  const reason = `The change was worked out, and does not hold:\n${toFindings(verification)}`;
  const accepted = "A change is accepted that passes all of these.";
  const rejection = { kind: "reject", reason, accepted, isMendable: true } as const;
  return base.head === planned.from ? toRejected(record, rejection) : toMoved(context, run, rejection);
}

/**
 * Verifies a change of one or more pieces of feedback; recorded calls are replayed of the first one's tenant, but for a draft.
 */
export async function verifyBuilt(
  context: ArchitectContext,
  records: readonly [FeedbackRecord, ...FeedbackRecord[]],
  built: Built,
  { isDraft = false }: { readonly isDraft?: boolean } = {},
): Promise<Candidate> {
  const { filesOf, signal } = context;
  const { plan, base, baseVersion, semver, files, workspace } = built;
  const tell = (message: string) => {
    for (const record of records) context.tell(record, "verify", message);
  };
  const now = await filesOf(base.head);
  const changed = [...files.keys()];
  tell(`Verifies ${semver}.`);
  const [verification, impact] = await Promise.all([
    context.verify({
      before: { version: baseVersion, readText: now.readText },
      workspace,
      changed,
      ...(base.build !== "" && { build: base.build }),
      tenant: records[0].tenant,
      isDraft,
      // Where changes land within moments, a person only looks at them afterwards.
      comparesAnswers: !context.landsAtOnce && !isDraft,
      signal,
      onCheck: ({ name, status }) => tell(`${name}: ${status}`),
    }),
    now.describeImpact(baseVersion, [...plan.files.keys()]),
  ]);
  const [{ diff }, values] = await Promise.all([workspace.git.diff(changed), listChangedValues(files, now.readText)]);
  return { ...built, verification, diff, impact, values };
}
