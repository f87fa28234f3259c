import { CairnError } from "../../../errors.ts";
import type { Delivery, WebhookOptions, Webhooks } from "../../adapter.ts";
import { readWebhook, type WebhookNews } from "./read-webhook.ts";
import { isSignature, verifyWebhook } from "./verify-webhook.ts";

/** Options of the webhooks of one repository on GitHub. */
export interface GitHubWebhookOptions extends WebhookOptions {
  readonly secret: string;
  /** `owner/name`: an app hears of all repositories that it is installed in. */
  readonly repository: string;
}

/** Time in which a repeated delivery has no second effect, in milliseconds. */
const SEEN_MS = 60 * 60_000;

export function createWebhooks(options: GitHubWebhookOptions): Webhooks {
  const { secret, repository, store, refresh, nudge, onError } = options;
  const working = new Set<Promise<void>>();

  async function work({ refs, nudges }: WebhookNews): Promise<void> {
    // Listeners have to find the refs where they are now.
    if (refs) await refresh();
    for (const one of nudges) nudge(one);
  }

  /** Ids are not signed, so the signature counts as well: else an eavesdropper could give a delivery another id. */
  async function isNew(id: string, signature: string): Promise<boolean> {
    const keys = [
      ["webhooks", "github", "id", id],
      ["webhooks", "github", "signature", signature],
    ];
    const check = keys.map((key) => ({ key, rev: 0 }));
    return (await store.commit({ check, set: keys.map((key) => ({ key, value: true, ttl: SEEN_MS })) })).ok;
  }

  return Object.freeze({
    kind: "github",
    async receive({ readBody, isForm, header }: Delivery) {
      const [signature, id] = [header("x-hub-signature-256"), header("x-github-delivery")];
      if (!isSignature(signature)) throw createUnsigned();
      if (id === undefined || !/^[\w-]{1,100}$/.test(id)) {
        throw new CairnError("BAD_REQUEST", "The header `X-GitHub-Delivery` must name the delivery.");
      }
      const body = await readBody();
      if (!verifyWebhook(secret, body, signature)) throw createUnsigned();
      const news = readWebhook(header("x-github-event") ?? "", readPayload(body, isForm), repository);
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
