import { IncomingMessage } from "node:http";
import { readFileSync } from "node:fs";
import type { ServerRequest } from "srvx";
import type { FeedbackRecord } from "../../architect/pipeline/feedback-record.ts";
import { noFeedback } from "../../architect/no-feedback.ts";
import type { Progress } from "../../architect/doings.ts";
import type { Architect } from "../../architect/open-architect.ts";
import { hasScope } from "../../auth/scopes.ts";
import type { Caller } from "../../auth/caller.ts";
import { CairnError } from "../../errors.ts";
import { readIdempotencyKey } from "../../idempotency-key.ts";
import { ARCHITECT_CHAT, holds, type Principal } from "../../principal.ts";
import { compileSchema } from "../../versions/manifests/schema/compile-schema.ts";
import type { Resolved } from "../../versions/registry/resolve/resolve.ts";
import { readJson } from "../body.ts";
import { toJsonDocument } from "../document.ts";
import { toEventStream } from "../event-stream.ts";
import { readPreferences } from "../preferences.ts";
import { toProblem } from "../problem.ts";
import type { Reply } from "../reply.ts";
import { versionHeaders } from "../version-headers.ts";
import { toSentence } from "../../kernel/stages/check-input.ts";
import { defined } from "../../json/defined.ts";

/** The Architect's addresses: `/agent/{version}/architect/...`. */
export interface ArchitectAnswers {
  /** `POST chat`: what came of the feedback, or where that can be asked later, or a stream of how it goes. */
  chat(request: ServerRequest, addressed: Addressed, principal: Principal, caller: Caller): Promise<Reply | Response>;
  /** `GET feedback/{id}`: where it stands. */
  status(principal: Principal, id: string): Promise<Reply>;
}

/** A version as an address has named it, and what that means now. */
interface Addressed {
  readonly address: string;
  readonly resolved: Resolved;
}

interface ChatRequest {
  readonly message: string;
  readonly attachments?: readonly string[];
  readonly dry_run?: boolean;
  readonly credit?: boolean;
}

/** Seconds that an answer is waited for, unless the client says how long; and at most. */
const WAIT_S = 60;
const WAIT_LIMIT_S = 300;

export function createArchitectAnswers(architect: Architect): ArchitectAnswers {
  const readChat = createChatReader();
  /** Describes where feedback stands, and what is being done about it. */
  const describe = async (record: FeedbackRecord) => {
    const doing = record.outcome === null ? await architect.findDoing(record) : undefined;
    return { ...toStatus(record), ...defined({ doing }) };
  };
  return Object.freeze<ArchitectAnswers>({
    async chat(request, { address, resolved }, principal, caller) {
      const sent = request.runtime?.node?.req;
      if (!(sent instanceof IncomingMessage)) {
        throw new TypeError("Bodies are read from requests of Node's HTTP/1.1 only.");
      }
      const {
        message,
        attachments = [],
        dry_run: dryRun = false,
        credit: hasCredit = false,
      } = readChat(await readJson(sent));
      const key = readIdempotencyKey(sent.headers["idempotency-key"]);
      const { version } = resolved;
      const record = await architect.submit({
        version,
        address,
        principal,
        roles: caller.roles,
        servers: [...version.servers.keys()].filter((server) => hasScope(caller, server)),
        message,
        attachments,
        dryRun,
        hasCredit,
        isMoving: !resolved.immutable,
        ...defined({ idempotencyKey: key }),
      });
      const { tenant, id } = record;
      const headers = { ...toVersionHeaders(resolved, record), "cairn-feedback": id };
      const { respondAsync, wait } = readPreferences(request.headers.get("prefer"));
      if (acceptsEvents(request.headers.get("accept"))) {
        return toEventStream(headers, async ({ send }, signal) => {
          const tell = ({ stage, message: text }: Progress) => {
            if (text !== "") send("progress", { stage, message: text });
          };
          const stop = architect.follow({ tenant, id }, tell);
          send("feedback", toStatus(record));
          try {
            const settled = await architect.settle(tenant, id, { waitMs: WAIT_LIMIT_S * 1000, signal });
            const { outcome } = settled;
            if (outcome?.kind === "answer") send("answer", outcome.answer);
            else if (outcome?.kind === "error") send("error", outcome.error);
            else send("status", await describe(settled));
          } finally {
            stop();
          }
        });
      }
      const applied = respondAsync ? "respond-async" : wait === undefined ? undefined : `wait=${wait}`;
      const seconds = respondAsync ? (wait ?? 0) : (wait ?? WAIT_S);
      const waitMs = Math.min(seconds, WAIT_LIMIT_S) * 1000;
      const settled = await architect.settle(tenant, id, { waitMs, signal: request.signal });
      const reply = toReply(settled, await describe(settled));
      const preference = applied === undefined ? {} : { "preference-applied": applied };
      return { ...reply, headers: { ...headers, ...reply.headers, ...preference } };
    },
    async status(principal, id) {
      const record = await architect.find(principal.tenant, id);
      if (!mayReadFeedback(principal, record)) throw noFeedback(id);
      return { document: toJsonDocument(await describe(record)), headers: runHeader(record) };
    },
  });
}

/** Of the version that the feedback is about: sent again under its key, that is what its address meant the first time. */
function toVersionHeaders(resolved: Resolved, { commit, version }: FeedbackRecord): Readonly<Record<string, string>> {
  const headers = versionHeaders(resolved, "/architect/chat");
  if (resolved.version.commit === commit) return headers;
  const link = `</agent/${commit}/architect/chat>; rel="canonical"`;
  return { ...headers, "cairn-commit": commit, "cairn-version": version, link };
}

/** Its answer where it has one, else 202 and where to ask. */
function toReply(record: FeedbackRecord, status: object): Reply {
  const { outcome, commit, id } = record;
  const headers = runHeader(record);
  if (outcome?.kind === "answer") return { document: toJsonDocument(outcome.answer), headers };
  if (outcome?.kind === "error") return toProblem(outcome.error, {}, headers);
  const location = `/agent/${commit}/architect/feedback/${id}`;
  const later = { ...headers, location, "retry-after": "1" };
  return { document: toJsonDocument(status), status: 202, headers: later };
}

function runHeader({ run_id }: FeedbackRecord): Readonly<Record<string, string>> {
  return run_id === null ? {} : { "cairn-run": run_id };
}

/** Checks that a caller of the tenant may read feedback: their own, and with the right to send some that of others. */
export function mayReadFeedback(principal: Principal, { actor }: FeedbackRecord): boolean {
  return actor === principal.actor || holds(principal, ARCHITECT_CHAT);
}

/** Describes where feedback stands. */
export function toStatus({
  id,
  stage,
  version,
  commit,
  dry_run,
  created_at,
  run_id,
  planner,
  offered,
  proposal,
  outcome,
}: FeedbackRecord) {
  const { branch, url } = proposal?.change ?? {};
  return {
    id,
    status: outcome !== null ? "ended" : stage === "approval" ? "waiting" : "running",
    stage,
    version,
    commit,
    dry_run,
    created_at,
    task_id: id,
    ...(run_id === null ? {} : { run_id }),
    ...(planner === null ? {} : { planner }),
    ...defined({ offered }),
    ...(proposal === null
      ? {}
      : {
          proposal: {
            version: proposal.semver,
            base: proposal.base,
            ...defined({ branch, url }),
          },
        }),
    ...(outcome?.kind === "answer" ? { answer: outcome.answer } : {}),
    ...(outcome?.kind === "error" ? { error: outcome.error } : {}),
  };
}

/** Says whether the client asks for a stream by name: whoever takes anything gets the answer. */
function acceptsEvents(accept: string | null): boolean {
  return (accept ?? "").split(",").some((type) => /^\s*text\/event-stream\s*(?:;|$)/i.test(type));
}

function createChatReader(): (body: unknown) => ChatRequest {
  const url = new URL("../../../schemas/architect-chat-input.schema.json", import.meta.url);
  const check = compileSchema(JSON.parse(readFileSync(url, "utf8")) as Readonly<Record<string, unknown>>);
  return (body) => {
    const violations = check(body);
    if (violations.length === 0) return body as ChatRequest;
    throw new CairnError("BAD_REQUEST", `The body is wrong: ${toSentence(violations)}`, { details: violations });
  };
}
