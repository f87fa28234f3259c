import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Caller } from "../../server/auth/caller.ts";
import { agentFiles } from "../helpers/agent.ts";
import { createFuzzRequests, type FuzzRequest } from "../helpers/fuzz-requests.ts";
import { authenticateAs, openTestService } from "../helpers/open-service.ts";
import { type RawAnswer, sendRaw } from "../helpers/raw-http.ts";
import { createRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const REQUESTS = process.env["CAIRN_LONG"] === "1" ? 100_000 : 1_500;
const BATCH = 25;
const TOKEN = "token-of-the-fuzzer";
const CALLER: Caller = { actor: "ci", tenant: "acme", roles: ["*"], scopes: new Set(["*"]) };

const TOOLS = {
  echo: { handler: "export default (input) => ({ n: Object.keys(input).length });\n" },
  strict: {
    handler: "export default ({ kind }) => ({ kind });\n",
    manifest: `input:
  type: object
  required: [kind]
  properties:
    patient: { type: string, maxLength: 20 }
    kind: { type: string, enum: [a, b], x-mcp-header: Kind }
  additionalProperties: false`,
  },
  upstream: { handler: "export default (input, ctx) => { throw ctx.fail('UPSTREAM_ERROR', 'no'); };\n" },
};

test(
  `${REQUESTS} hostile requests are answered alike by the lean way in and without it`,
  { timeout: 3_600_000 },
  async () => {
    const repository = await createRepository();
    await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: TOOLS }));
    const open = async (lean: string) => {
      const data = await temporaryFolder();
      const { PATH, HOME } = process.env;
      const environment = {
        PATH,
        HOME,
        PORT: "0",
        CAIRN_REPO: repository.path,
        CAIRN_DATA: data,
        CAIRN_LEAN_HTTP: lean,
      };
      return openTestService(environment, repository.path, {
        authenticate: authenticateAs({ [`Bearer ${TOKEN}`]: CALLER }),
      });
    };
    const [lean, plain] = await Promise.all([open("on"), open("off")]);
    const statuses = new Map<number, number>();
    const compare = async (request: FuzzRequest) => {
      const [one, other] = await Promise.all([lean, plain].map(async ({ url }) => show(await sendRaw(url, request))));
      expect(one).toEqual(other);
      statuses.set(one?.status ?? 0, (statuses.get(one?.status ?? 0) ?? 0) + 1);
    };
    const targets = { version: "1.0.0", tokens: [TOKEN], session: crypto.randomUUID(), redacted: "patient" };
    const requests = createFuzzRequests(targets).filter(isComparable);
    const property = fc.asyncProperty(fc.array(requests, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
      await Promise.all(batch.map(compare));
    });
    await fc.assert(property, { numRuns: Math.ceil(REQUESTS / BATCH), endOnFailure: true });
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 20);
  },
);

/** Reads of earlier calls differ with the time, and tags of entities with the address; nothing but POST is for the lean way in. */
function isComparable({ method, body = "" }: FuzzRequest): boolean {
  return method === "POST" && !/logs:|session:/.test(Buffer.from(body as string).toString());
}

/** An answer without what differs between any two: identifiers and times. */
function show({ status, headers, body }: RawAnswer) {
  headers.delete("date");
  const text = JSON.stringify({ headers: [...headers], body });
  const shown = text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "uuid")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")
    .replaceAll(/127\.0\.0\.1:\d+/g, "host");
  return { status, shown };
}
