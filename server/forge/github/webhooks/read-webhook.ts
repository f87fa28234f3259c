import { isObject } from "../../../json/is-object.ts";
import type { Nudge } from "../../nudges.ts";
import { defined } from "../../../json/defined.ts";

/** The part of a delivery that Cairn can use. */
export interface WebhookNews {
  /** Says whether branches, tags or heads of pull requests have moved. */
  readonly refs: boolean;
  readonly nudges: readonly Nudge[];
}

const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * Reads the payload of an event; what is of no use, or not of the repository, is `undefined`. Whatever else it says is not
 * believed: it is where to look again.
 */
export function readWebhook(event: string, payload: unknown, repository: string): WebhookNews | undefined {
  if (textOf(payload, "repository", "full_name")?.toLowerCase() !== repository.toLowerCase()) return undefined;
  const text = (...path: readonly string[]) => textOf(payload, ...path);
  switch (event) {
    case "push":
      return { refs: true, nudges: compact({ branch: toBranch(text("ref")), commit: toOid(text("after")) }) };
    case "create":
    case "delete":
      return { refs: true, nudges: compact({ branch: text("ref_type") === "branch" ? text("ref") : undefined }) };
    case "pull_request": {
      const number = numberOf(payload, "number");
      const head = { branch: text("pull_request", "head", "ref"), commit: toOid(text("pull_request", "head", "sha")) };
      return { refs: true, nudges: compact({ ...head, number }) };
    }
    case "check_run":
      return { refs: false, nudges: compact({ commit: toOid(text("check_run", "head_sha")) }) };
    case "check_suite":
      return { refs: false, nudges: compact({ commit: toOid(text("check_suite", "head_sha")) }) };
    case "status":
      return { refs: false, nudges: compact({ commit: toOid(text("sha")) }) };
    default:
      return undefined;
  }
}

function compact(nudge: { readonly [Name in keyof Nudge]: Nudge[Name] | undefined }): readonly Nudge[] {
  const { branch, commit, number } = nudge;
  if (branch === undefined && commit === undefined && number === undefined) return [];
  return [
    {
      ...defined({ branch, commit, number }),
    },
  ];
}

function toBranch(ref: string | undefined): string | undefined {
  return ref?.startsWith("refs/heads/") === true ? ref.slice("refs/heads/".length) : undefined;
}

/** Reads an object id; that of a branch that was deleted is all zeros, and none. */
function toOid(text: string | undefined): string | undefined {
  return text !== undefined && OID.test(text) && !/^0+$/.test(text) ? text : undefined;
}

function textOf(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce((at: unknown, name) => (isObject(at) ? at[name] : undefined), value);
  return typeof found === "string" ? found : undefined;
}

function numberOf(value: unknown, name: string): number | undefined {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === "number" && Number.isSafeInteger(found) ? found : undefined;
}
