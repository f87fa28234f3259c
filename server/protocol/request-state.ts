import type { Json } from "../json/types.ts";
import { createHmac, timingSafeEqual } from "node:crypto";
import { CairnError } from "../errors.ts";
import type { Resume } from "../kernel/call.ts";
import type { Principal } from "../principal.ts";
import { readJson } from "../json/read-json.ts";

/** Milliseconds that a person has for an answer. */
const LIFETIME_MS = 30 * 60 * 1000;
/** Characters; answers of earlier rounds travel in it. */
const LENGTH_LIMIT = 512 * 1024;

/** State that a client returns with its answers, so that the server need remember nothing. */
export interface RequestState {
  readonly resume?: Resume;
  readonly answers: Readonly<Record<string, Json>>;
}

/** The request that a state belongs to: another caller's, version's or request's state is refused. */
export interface StateBinding {
  readonly principal: Principal;
  readonly commit: string;
  readonly method: string;
  readonly name: string;
  /** Of the arguments. */
  readonly digest: string;
}

export interface RequestStates {
  write(state: RequestState, binding: StateBinding): string;
  /** BAD_REQUEST for what was not written here, for this request, a short while ago. */
  read(text: unknown, binding: StateBinding): RequestState;
}

/** States signed with HMAC-SHA-256: a client can read its own, but neither change one nor use it for something else. */
export function createRequestStates(key: Buffer, now: () => number): RequestStates {
  const sign = (payload: string, { principal, commit, method, name, digest }: StateBinding): string => {
    const bound = JSON.stringify([payload, principal.tenant, principal.actor, commit, method, name, digest]);
    return createHmac("sha256", key).update(bound).digest("base64url");
  };
  return {
    write(state, binding) {
      const payload = Buffer.from(JSON.stringify({ ...state, expiresAt: now() + LIFETIME_MS })).toString("base64url");
      const text = `${payload}.${sign(payload, binding)}`;
      if (text.length <= LENGTH_LIMIT) return text;
      throw new CairnError("PAYLOAD_TOO_LARGE", "The answers so far are too much to be carried to and fro.");
    },
    read(given, binding) {
      const text = typeof given === "string" && given.length <= LENGTH_LIMIT ? given : "";
      const end = text.lastIndexOf(".");
      const payload = text.slice(0, Math.max(0, end));
      if (!isSame(text.slice(end + 1), sign(payload, binding))) {
        throw new CairnError("BAD_REQUEST", "`requestState` is not what this server gave for this request.");
      }
      const { expiresAt, ...state } = readJson(Buffer.from(payload, "base64url").toString()) as RequestState & {
        expiresAt: number;
      };
      if (expiresAt > now()) return state;
      throw new CairnError("BAD_REQUEST", "`requestState` has expired; send the request again without it.");
    },
  };
}

/** In a time that tells nothing of how much of it is the same. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
