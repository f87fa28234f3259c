import type { Redactor } from "../../log/redact.ts";
import type { Json } from "../../store/store.ts";
import type { Assigned } from "../assigner.ts";
import type { Call } from "../call.ts";
import type { Place } from "../limits/admission.ts";
import type { Charge } from "../limits/budgets.ts";
import type { CallRecord } from "../record.ts";

/** A call under way. Each stage gives back the state that follows, and changes none. */
export interface CallState {
  readonly call: Call;
  readonly id: string;
  /** Milliseconds since 1970, as is `deadline`. */
  readonly startedAt: number;
  readonly deadline: number;
  readonly seed: string;
  /** Of the digests in the call's record. */
  readonly salt: string;
  /** The service's, or one that also knows the values of this call's input that are to be redacted. */
  readonly redactor: Redactor;
  readonly conversationId: string;
  /** The conversation's first call, where this one goes on with it. */
  readonly continued: CallRecord | undefined;
  /** With the defaults of its schema, once it is checked. */
  readonly input: Json;
  /** The input as JSON text, its members in their own order; empty until the input is checked. */
  readonly inputText: string;
  /** SHA-256 of the salt and the input's canonical JSON; empty until the input is checked. */
  readonly inputDigest: string;
  /** SHA-256 of the idempotency key and the input; empty without a key. */
  readonly keyedDigest: string;
  /** The parameters that it runs with. */
  readonly assigned: Assigned;
  /** Held until the call ends; absent where nothing limits it. */
  readonly place: Place | undefined;
  /** Held until the record is written; absent where no budget counts the call. */
  readonly charge: Charge | undefined;
  /** True once limits let it run. */
  readonly isAdmitted: boolean;
}
