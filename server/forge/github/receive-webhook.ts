import { CairnError } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import type { Nudge } from "../nudges.ts";
import { readWebhook, type WebhookNews } from "./read-webhook.ts";
import { isSignature, verifyWebhook } from "./verify-webhook.ts";

/** A delivery as it came. */
export interface Delivery {
  /** Reads the bytes as they were signed. Nothing is read of a delivery that its headers show to be nobody's. */
  readonly readBody: () => Promise<Buffer>;
  /** Whether the body is a form, with the payload as one of its fields, or the payload itself. */
  readonly isForm: boolean;
  readonly signature: string | undefined;
  readonly event: string | undefined;
  readonly id: string | undefined;
}

export interface Webhooks {
  /** What becomes of it; work goes on afterwards. UNAUTHENTICATED when GitHub has not signed it. */
  receive(delivery: Delivery): Promise<"taken" | "repeated" | "ignored">;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

export interface WebhookOptions {
  readonly secret: string;
  /** `owner/name`: an app hears of all repositories that it is installed in. */
  readonly repository: string;
  readonly store: Store;
  /** Looks at the repository; calls at the same moment are one. */
  readonly refresh: () => Promise<unknown>;
  readonly nudge: (nudge: Nudge) => void;
  readonly onError: (error: unknown) => void;
}

/** How long the same delivery has no second effect. */
const SEEN_MS = 60 * 60_000;

export function createWebhooks(options: WebhookOptions): Webhooks {
  const { secret, repository, store, refresh, nudge, onError } = options;
  const working = new Set<Promise<void>>();

  async function work({ refs, nudges }: WebhookNews): Promise<void> {
    // Whoever is nudged finds the refs where they are now.
    if (refs) await refresh();
    for (const one of nudges) nudge(one);
  }

  /** Ids are not signed, so what was signed counts as well: else whoever has overheard a delivery gives it another id. */
  async function isNew(id: string, signature: string): Promise<boolean> {
    const keys = [
      ["webhooks", "github", "id", id],
      ["webhooks", "github", "signature", signature],
    ];
    const check = keys.map((key) => ({ key, rev: 0 }));
    return (await store.commit({ check, set: keys.map((key) => ({ key, value: true, ttl: SEEN_MS })) })).ok;
  }

  return Object.freeze({
    async receive({ readBody, isForm, signature, event, id }: Delivery) {
      if (!isSignature(signature)) throw createUnsigned();
      if (id === undefined || !/^[\w-]{1,100}$/.test(id)) {
        throw new CairnError("BAD_REQUEST", "The header `X-GitHub-Delivery` must name the delivery.");
      }
      const body = await readBody();
      if (!verifyWebhook(secret, body, signature)) throw createUnsigned();
      const news = readWebhook(event ?? "", readPayload(body, isForm), repository);
      if (news === undefined) return "ignored";
      if (!(await isNew(id, signature))) return "repeated";
      const done: Promise<void> = work(news)
        .catch(onError)
        .finally(() => working.delete(done));
      working.add(done);
      return "taken";
    },
    settled: async () => void (await Promise.all(working)),
  });
}

function createUnsigned(): CairnError {
  return new CairnError("UNAUTHENTICATED", "Deliveries are taken from GitHub alone.");
}

function readPayload(body: Buffer, isForm: boolean): unknown {
  const text = isForm ? new URLSearchParams(body.toString()).get("payload") : body.toString();
  if (text === null) throw new CairnError("BAD_REQUEST", "The form has no field `payload`.");
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new CairnError("PARSE_ERROR", "The payload is not JSON.", { cause });
  }
}
