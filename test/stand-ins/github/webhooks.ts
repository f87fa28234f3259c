import { createHmac, randomUUID } from "node:crypto";

interface Webhook {
  readonly url: string;
  readonly secret: string;
  /** Absent: all. */
  readonly events?: readonly string[];
}

interface Delivery {
  /** A UUID, the same when it is sent again. */
  readonly id: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface Webhooks {
  add(hook: Webhook): void;
  emit(event: string, payload: Readonly<Record<string, unknown>>): void;
  /** Everything that happened, sent or not. */
  readonly deliveries: readonly Delivery[];
  /** Sends a delivery once more, as GitHub does when its owner asks for it. */
  redeliver(id: string): void;
  /** Resolves when everything so far has been taken or refused. */
  settled(): Promise<void>;
}

/** Milliseconds after which GitHub gives a delivery up. */
const PATIENCE_MS = 10_000;

export function createWebhooks(): Webhooks {
  const hooks: Webhook[] = [];
  const deliveries: Delivery[] = [];
  let last: Promise<void> = Promise.resolve();

  function send(delivery: Delivery): void {
    for (const hook of hooks) {
      if (hook.events !== undefined && !hook.events.includes(delivery.event)) continue;
      // In order; a receiver that is away misses it, and nobody tries again.
      last = last.then(() => post(hook, delivery).catch(() => undefined));
    }
  }

  return {
    deliveries,
    add: (hook) => void hooks.push(hook),
    emit(event, payload) {
      const delivery = { id: randomUUID(), event, payload };
      deliveries.push(delivery);
      send(delivery);
    },
    redeliver(id) {
      const delivery = deliveries.find((one) => one.id === id);
      if (delivery !== undefined) send(delivery);
    },
    settled: () => last,
  };
}

async function post(hook: Webhook, { id, event, payload }: Delivery): Promise<void> {
  const body = JSON.stringify(payload);
  const response = await fetch(hook.url, {
    method: "POST",
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/stand-in",
      "x-github-event": event,
      "x-github-delivery": id,
      "x-hub-signature-256": `sha256=${createHmac("sha256", hook.secret).update(body).digest("hex")}`,
    },
  });
  await response.arrayBuffer();
}
