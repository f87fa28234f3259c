import { CairnError } from "../../errors.ts";
import type { DriftFiles } from "../../imports/drift/drift.ts";
import { isObject } from "../../json/is-object.ts";
import { renewalKey, renewalPlanKey } from "../../store/renewal-keys.ts";
import type { Store } from "../../store/store.ts";
import { toTime } from "../../text/to-time.ts";
import { createTask } from "../../capabilities/work/create-task.ts";
import { ARTIFACT_BYTES } from "../../capabilities/work/evidence.ts";
import { workAt, type WorkDeskOptions } from "../../capabilities/work/work-desk.ts";
import { ARCHITECT } from "../../capabilities/work/workflows.ts";
import { LOCAL_PRINCIPAL } from "../../principal.ts";
import { FRAGMENT_FOLDER } from "../../versions/tree.ts";
import type { Version } from "../../versions/version.ts";
import { type FeedbackRecord, openFeedback, type Renewal } from "../pipeline/feedback-record.ts";
import { HISTORY_FILE } from "../pipeline/merge-files.ts";
import { toWorkScope } from "../pipeline/work-book.ts";
import type { ChangePlan } from "../planners/plan.ts";

/** Wish of the service itself that an import be renewed, with the files that this would make others. */
export interface RenewalRequest {
  readonly renewal: Renewal;
  /** Version of the commit that `files` are of. */
  readonly version: Version;
  readonly files: DriftFiles;
  /** Sentences on what both people and the source changed. */
  readonly notes: readonly string[];
}

/** Renewal of an import that was asked for last. */
export interface LastRenewal {
  readonly id: string;
  readonly fingerprint: string;
  readonly commit: string;
}

/** Actor of what the service does about sources that change. */
const DRIFT_ACTOR = "cairn-drift";
/** Characters of a note. */
const MAX_NOTE = 1_000;

/**
 * Keeps a renewal as feedback of the service's own, with its plan and the task that is made of it, in one transaction. It belongs to
 * the tenant of callers without a token, and holds no capability. @throws BAD_REQUEST for a plan that is too large
 */
export async function submitRenewal(
  { renewal, version, files, notes }: RenewalRequest,
  options: WorkDeskOptions & { readonly now: () => number },
): Promise<FeedbackRecord> {
  const { tenant } = LOCAL_PRINCIPAL;
  const scope = toWorkScope(version);
  const message = `Renew the import ${renewal.name}: its source has changed.`;
  // Numbers are raised as the proof asks for, and not as the process says that has asked the source.
  const own = [...files].filter(([path]) => path !== HISTORY_FILE && !path.startsWith(`${FRAGMENT_FOLDER}/`));
  const plan = { files: own, notes: notes.map((note) => note.slice(0, MAX_NOTE).toWellFormed()) };
  if (Buffer.byteLength(JSON.stringify(plan)) > ARTIFACT_BYTES)
    throw new CairnError(
      "BAD_REQUEST",
      `The change has more than ${ARTIFACT_BYTES} bytes; make it with \`cairn drift\`.`,
    );
  const principal = { tenant, actor: DRIFT_ACTOR, capabilities: new Set<string>() };
  return workAt({ version, principal, scope, isArchitect: true }, options, async (desk) => {
    const task = await createTask(desk, { title: message, objective: message, workflow: ARCHITECT.name });
    const record = openFeedback(desk, {
      id: task.task_id,
      tenant,
      actor: DRIFT_ACTOR,
      capabilities: [],
      roles: [],
      servers: [],
      version: version.semver,
      commit: version.commit,
      scope,
      message,
      attachments: [],
      dry_run: false,
      renewal,
      created_at: toTime(options.now()),
    });
    desk.set(renewalPlanKey(tenant, record.id), plan);
    const last = { id: record.id, fingerprint: renewal.fingerprint, commit: version.commit };
    desk.set(renewalKey(renewal.kind, renewal.name), last);
    return record;
  });
}

/** Loads the plan that was handed in with a renewal. Its sentences are those of the proof, as of `cairn bump`. */
export async function loadRenewalPlan(
  store: Pick<Store, "get">,
  { tenant, id, renewal }: FeedbackRecord,
): Promise<ChangePlan> {
  const kept = (await store.get(renewalPlanKey(tenant, id)))?.value;
  if (!isObject(kept)) throw new TypeError("The plan of a renewal is gone.");
  const { files, notes } = kept as unknown as {
    readonly files: readonly (readonly [string, string | null])[];
    readonly notes: string[];
  };
  return {
    kind: "change",
    title: `Renew the import ${renewal?.name ?? ""}`,
    changes: [],
    files: new Map(files),
    evidence: { notes },
  };
}

/** Finds the renewal of an import that was asked for last. */
export async function findLastRenewal(
  store: Pick<Store, "get">,
  { kind, name }: Pick<Renewal, "kind" | "name">,
): Promise<LastRenewal | undefined> {
  const value = (await store.get(renewalKey(kind, name)))?.value;
  return isObject(value) ? (value as unknown as LastRenewal) : undefined;
}
