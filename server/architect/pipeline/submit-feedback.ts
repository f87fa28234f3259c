import { hash } from "node:crypto";
import { canonicalJson } from "../../json/canonical-json.ts";
import { CairnError } from "../../errors.ts";
import { ARCHITECT_CHAT, holds, type Principal } from "../../principal.ts";
import type { Json } from "../../store/store.ts";
import { feedbackKey, feedbackOnceKey, OPEN_FEEDBACK } from "../../store/keys.ts";
import { workAt, type WorkDeskOptions } from "../../capabilities/work/work-desk.ts";
import { toTime } from "../../text/to-time.ts";
import type { Version } from "../../versions/version.ts";
import type { RecordDesk, WorkDesk } from "../../capabilities/work/desk.ts";
import { createTask } from "../../capabilities/work/create-task.ts";
import { ARCHITECT } from "../../capabilities/work/workflows.ts";
import { type FeedbackRecord, openFeedback, readFeedbackRecord } from "./feedback-record.ts";
import { ATTACHMENT_LIMITS, findUriFault } from "./load-attachments.ts";
import { toWorkScope } from "./work-book.ts";

export interface Submission {
  readonly version: Version;
  /** The version as the address named it: `latest` and labels mean another one tomorrow. */
  readonly address: string;
  readonly principal: Principal;
  /** The sender's, which the branch that a change is for has a say about, too. */
  readonly roles: readonly string[];
  /** Servers that the sender's credentials are good for. */
  readonly servers: readonly string[];
  readonly message: string;
  readonly attachments: readonly string[];
  readonly dryRun: boolean;
  /** Says whether it came to an address that moves, such as `latest`. */
  readonly isMoving?: boolean;
  /** True if the sender agrees to be named on the forge. */
  readonly hasCredit?: boolean;
  readonly idempotencyKey?: string;
}

/** Characters of a message. */
export const MESSAGE_LIMIT = 20_000;
const TITLE_LENGTH = 120;
/** The answer to a question of the Architect: `yes <id of the feedback> b`. */
const CHOICE =
  /^\s*(?:yes|ja|sí|si|oui|是)[,:]?\s+(?<of>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[,:]?\s+\(?(?<letter>[abc])\)?[.!]?\s*$/i;

/**
 * Keeps feedback with the task that is made of it, in one transaction: what was answered is worked on, whatever happens.
 *
 * @throws FORBIDDEN; BAD_REQUEST; RATE_LIMITED; UNPROCESSABLE when the idempotency key was used for something else.
 */
export async function submitFeedback(
  submission: Submission,
  options: WorkDeskOptions & { readonly now: () => number },
): Promise<FeedbackRecord> {
  const {
    version,
    address,
    principal,
    roles,
    servers,
    message,
    attachments,
    dryRun,
    isMoving,
    hasCredit,
    idempotencyKey,
  } = submission;
  const { tenant, actor, capabilities } = principal;
  if (!holds(principal, ARCHITECT_CHAT)) {
    throw new CairnError(
      "FORBIDDEN",
      `To send feedback, \`${actor}\` would have to hold \`${ARCHITECT_CHAT}\`; policies grant it to roles, and \`cairn token create --roles\` gives a token its roles.`,
    );
  }
  check(submission);
  const scope = toWorkScope(version);
  const place = { version, principal: { ...principal, capabilities: new Set<string>() }, scope, isArchitect: true };
  return workAt(place, options, async (desk) => {
    // Of what was sent: a key keeps the version that the address meant first.
    const digest = digestOf({ address, message, attachments, dryRun, ...(hasCredit === true && { hasCredit }) });
    const once = idempotencyKey === undefined ? undefined : feedbackOnceKey(tenant, actor, idempotencyKey);
    const known = once === undefined ? undefined : await desk.get(once);
    if (known !== undefined) {
      const { id, digest: other } = known as { readonly id: string; readonly digest: string };
      // An older Cairn went by the commit.
      const older = digestOf({ commit: version.commit, message, attachments, dryRun });
      if (other === digest || other === older) return readFeedbackRecord(await desk.get(feedbackKey(tenant, id)));
      throw new CairnError("UNPROCESSABLE", "The idempotency key was used for other feedback.");
    }
    await assertRoom(desk);
    const chosen = await readChoice(desk, principal, message);
    const said = { message, attachments, ...chosen };
    const task = await createTask(desk, {
      title: toTitle(said.message),
      objective: said.message,
      workflow: ARCHITECT.name,
    });
    const record = openFeedback(desk, {
      id: task.task_id,
      tenant,
      actor,
      capabilities: [...capabilities],
      roles,
      servers,
      version: version.semver,
      commit: version.commit,
      scope,
      ...said,
      dry_run: dryRun,
      ...(isMoving === true ? { moving: true } : {}),
      ...(hasCredit === true ? { credit: true } : {}),
      created_at: toTime(options.now()),
    });
    if (once !== undefined) desk.set(once, { id: record.id, digest });
    return record;
  });
}

/** The earlier feedback that a message answers with one of the letters it was offered; undefined where it is no such answer. */
async function readChoice(
  desk: WorkDesk,
  { tenant, actor }: Principal,
  message: string,
): Promise<Pick<FeedbackRecord, "message" | "attachments" | "choice"> | undefined> {
  const { of, letter } = CHOICE.exec(message)?.groups ?? {};
  if (of === undefined || letter === undefined) return undefined;
  const kept = await desk.get(feedbackKey(tenant, of));
  const asked = kept === undefined ? undefined : readFeedbackRecord(kept);
  if (asked === undefined || asked.actor !== actor) {
    throw new CairnError("BAD_REQUEST", `You have sent no feedback \`${of}\`.`);
  }
  const { offered = [], attachments } = asked;
  const offer = offered.find(({ id }) => id === letter.toLowerCase());
  if (offer === undefined) {
    const letters = offered.map(({ id }) => `\`${id}\``).join(", ");
    const what = letters === "" ? "no choice" : `no choice but ${letters}`;
    throw new CairnError("BAD_REQUEST", `The answer to the feedback \`${of}\` has offered ${what}.`);
  }
  return { message: asked.message, attachments, choice: { of, ...offer } };
}

function digestOf(sent: Json): string {
  return hash("sha256", canonicalJson(sent));
}

function check({ message, attachments }: Submission): void {
  const wrong = (what: string) => new CairnError("BAD_REQUEST", what);
  if (message.trim() === "") throw wrong("`message` is empty; it says what is to change, or what is wrong.");
  if (message.includes("\0") || !message.isWellFormed()) throw wrong("`message` has characters that no text has.");
  if (message.length > MESSAGE_LIMIT) {
    throw wrong(
      `\`message\` has ${message.length} characters, of which ${MESSAGE_LIMIT} are allowed; attach the rest.`,
    );
  }
  const { count, uriLength } = ATTACHMENT_LIMITS;
  if (attachments.length > count)
    throw wrong(`There are ${attachments.length} attachments; at most ${count} are read.`);
  for (const [index, uri] of attachments.entries()) {
    const fault = uri.length > uriLength ? `has more than ${uriLength} characters` : findUriFault(uri);
    if (fault !== undefined) throw wrong(`\`attachments[${index}]\`, \`${uri.slice(0, 200)}\`, ${fault}.`);
  }
}

function toTitle(message: string): string {
  const [line = ""] = message.trim().split("\n");
  return line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH).toWellFormed()} ...`;
}

/** Feedback of one tenant that is being worked on, or waits. */
const OPEN_LIMIT = 64;

/** @throws RATE_LIMITED where as much feedback of the tenant is open as may be at a time. */
export async function assertRoom(desk: Pick<RecordDesk, "glance" | "tenant">): Promise<void> {
  const open = (await desk.glance(OPEN_FEEDBACK, 10_000)).filter(({ value }) => value === desk.tenant).length;
  if (open < OPEN_LIMIT) return;
  const text = `${open} pieces of feedback are being worked on or wait; no more are taken before one has ended.`;
  throw new CairnError("RATE_LIMITED", text, { details: { retryAfter: 60 } });
}
