import { IncomingMessage } from "node:http";
import type { ServerRequest } from "srvx";
import { CairnError } from "../errors.ts";
import type { Webhooks } from "../forge/adapter.ts";
import { createMeter } from "../kernel/limits/meter.ts";
import type { CountDelivery } from "../operations/service-metrics.ts";
import { toNetwork } from "../config/public-address.ts";
import { readBytes } from "./body.ts";
import { toJsonDocument } from "./document.ts";
import { assertJsonType } from "./json-type.ts";
import type { Reply } from "./reply.ts";

export interface WebhookAnswer {
  /** The forge's name below `/webhooks/`. */
  readonly kind: string;
  /** Answers a request of the client at an IP address. */
  answer(request: ServerRequest, client: string | undefined): Promise<Reply>;
}

/** Deliveries a minute from one network: a sender who cannot sign must not keep the service busy with checksums. */
const RATE = 1_200;
/**
 * Bodies that arrive at once, each of which may take up to the limit of bodies in memory. Instead of one more, the one that
 * has been arriving for longest is given up: forges send in a moment, and a sender who cannot sign must not shut them out by sending slowly.
 */
const ARRIVING_LIMIT = 64;
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Answers `POST /webhooks/{kind}` of a forge: a sender who signs with the webhook's secret needs no token. */
export function createAnswerWebhook(options: {
  readonly webhooks: Webhooks;
  readonly count: CountDelivery;
  /** Milliseconds that nobody sets back. */
  readonly elapsed: () => number;
}): WebhookAnswer {
  const { webhooks, count } = options;
  const meter = createMeter(options.elapsed);
  // In the order of their arrival.
  const arriving = new Set<IncomingMessage>();

  async function answer(request: ServerRequest, client: string | undefined): Promise<Reply> {
    const taken = meter.take([{ key: toNetwork(client ?? ""), allowance: { rate: RATE } }]);
    if (!taken.ok) {
      const retryAfter = Math.max(1, Math.ceil(taken.retryMs / 1000));
      const message = `There are more deliveries than are taken; try again in ${retryAfter} s.`;
      throw new CairnError("RATE_LIMITED", message, { details: { retryAfter } });
    }
    taken.release();
    const result = await receive(request);
    count(result);
    return { document: toJsonDocument({ result }), status: 202 };
  }

  async function receive(request: ServerRequest) {
    const sent = request.runtime?.node?.req;
    if (!(sent instanceof IncomingMessage))
      throw new TypeError("Bodies are read from requests of Node's HTTP/1.1 only.");
    const header = (name: string) => (typeof sent.headers[name] === "string" ? sent.headers[name] : undefined);
    const type = sent.headers["content-type"] ?? "";
    const isForm = FORM.test(type);
    assertJsonType(isForm ? "application/json" : type, sent.headers["content-encoding"]);
    return webhooks.receive({ readBody: () => arrive(sent), isForm, header });
  }

  async function arrive(sent: IncomingMessage): Promise<Buffer> {
    const [oldest] = arriving;
    if (arriving.size >= ARRIVING_LIMIT) oldest?.destroy();
    arriving.add(sent);
    sent.once("close", () => arriving.delete(sent));
    return readBytes(sent).finally(() => arriving.delete(sent));
  }

  return {
    kind: webhooks.kind,
    answer: (request, client) =>
      answer(request, client).catch((error: unknown) => {
        count("refused");
        throw error;
      }),
  };
}
