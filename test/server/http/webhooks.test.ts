import { createHmac } from "node:crypto";
import { H3 } from "h3";
import { expect, onTestFinished, test } from "vitest";
import { errorRow } from "../../../server/errors.ts";
import { createWebhooks } from "../../../server/forge/github/webhooks/receive-webhook.ts";
import { listenHttp } from "../../../server/http/listen.ts";
import { createAnswerWebhook } from "../../../server/http/webhooks.ts";
import { connectRaw, sendRaw } from "../../helpers/raw-http.ts";
import { openTestStore } from "../../helpers/store.ts";

const SECRET = "a-secret-of-some-length";
const BODY = JSON.stringify({ zen: "Keep it logically awesome." });

/** The route on a listener of its own; a failure is its status alone. */
async function listen(): Promise<string> {
  const { answer } = createAnswerWebhook({
    webhooks: createWebhooks({
      secret: SECRET,
      repository: "acme/tools",
      store: await openTestStore(),
      refresh: async () => undefined,
      nudge: () => undefined,
      onError: () => undefined,
    }),
    count: () => undefined,
    elapsed: () => 0,
  });
  const app = new H3({ silent: true }).post("/webhooks/github", ({ req }) =>
    answer(req, req.ip).then(
      ({ status = 200 }) => new Response(null, { status }),
      (error: unknown) => new Response(null, { status: errorRow(error).status }),
    ),
  );
  const { url, close } = await listenHttp(app, () => false, { host: "127.0.0.1", port: 0 });
  onTestFinished(close);
  return url;
}

function toHeaders(signature: string): [string, string][] {
  return [
    ["Content-Type", "application/json"],
    ["X-Hub-Signature-256", signature],
    ["X-GitHub-Event", "ping"],
    ["X-GitHub-Delivery", "1"],
  ];
}

const signed = `sha256=${createHmac("sha256", SECRET).update(BODY).digest("hex")}`;
const deliver = (url: string) => sendRaw(url, { path: "/webhooks/github", headers: toHeaders(signed), body: BODY });

/** Begins a delivery with a body of which the rest does not come. */
async function beginSlowly(url: string, headers: readonly (readonly [string, string])[]) {
  const connection = await connectRaw(url);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  connection.write(`POST /webhooks/github HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n${lines}\r\n{`);
  return connection;
}

test("a delivery is taken while 200 slow ones arrive that only look signed", async () => {
  const url = await listen();
  for (let count = 0; count < 200; count++) await beginSlowly(url, toHeaders(`sha256=${"0".repeat(64)}`));
  expect(await deliver(url)).toMatchObject({ status: 202 });
});

test.each([
  ["no signature", [["Content-Type", "application/json"]]],
  ["a signature of another form", toHeaders("sha1=0")],
] as const)("a delivery with %s is refused before its body is there", async (_, headers) => {
  const connection = await beginSlowly(await listen(), headers);
  expect(await connection.read()).toMatchObject({ status: 401 });
});

test("a delivery with a wrong signature is refused", async () => {
  const headers = toHeaders(`sha256=${"0".repeat(64)}`);
  expect(await sendRaw(await listen(), { path: "/webhooks/github", headers, body: BODY })).toMatchObject({
    status: 401,
  });
});
