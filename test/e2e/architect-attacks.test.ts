import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { openArchitectService, type ArchitectService } from "../helpers/architect-service.ts";
import type { AtEnd } from "../helpers/temporary.ts";
import { type ModelStandIn, startModel } from "../stand-ins/model.ts";
import { obeying } from "../stand-ins/planning-model.ts";
import { type Attack, ATTACKS } from "../server/architect/attacks.ts";
import { REPOSITORY } from "../server/architect/ground.ts";

const HOST = "attachments.example.com";
/** Lets the sender send, and attachments come from the test; all else is as the attacked repository has it. */
const EXTRA = {
  "manifests/policies/sending.yaml": `roles:\n  sender: ["architect:chat"]\negress: [${HOST}]\n`,
};

const closing: (() => Promise<void> | void)[] = [];
const atEnd: AtEnd = (close) => void closing.unshift(close);
afterAll(async () => {
  for (const close of closing) await close();
});

let served = "";
const files = createServer((_request, response) => response.end(served)).listen(0, "127.0.0.1");
atEnd(async () => {
  files.close();
});

interface Arena extends ArchitectService {
  readonly model: ModelStandIn;
}

/** Links cannot be committed as texts; the planner's own test has those. */
const SENT = ATTACKS.filter(({ repository }) => Object.values(repository).every((file) => typeof file === "string"));

let shared: Promise<Arena> | undefined;

/** Attacks that need no repository of their own share a service. */
function enter({ repository }: Attack): Promise<Arena> {
  if (Object.keys(repository).length > 0) return open(repository);
  return (shared ??= open({}));
}

async function open(repository: Attack["repository"]): Promise<Arena> {
  const model = await startModel({ text: "" });
  atEnd(model.close);
  const { port } = files.address() as AddressInfo;
  const texts = Object.entries({ ...REPOSITORY, ...EXTRA, ...repository }).filter(
    ([, text]) => typeof text === "string",
  );
  const service = await openArchitectService({
    files: Object.fromEntries(texts) as Record<string, string>,
    environment: {
      CAIRN_MODEL_URL: model.url,
      CAIRN_MODEL_NAME: "hostile",
      CAIRN_EGRESS_MAP: `${HOST}=http://127.0.0.1:${port}`,
    },
    atEnd,
  });
  return { ...service, model };
}

describe("a model that does what data tells it, behind the Architect's address", () => {
  test.each(SENT.map((attack) => [attack.name, attack] as const))(
    "[A6] [abuse 40] changes nothing when %s",
    async (_, attack) => {
      const { chat, origin, model } = await enter(attack);
      served = attack.attachments.map(({ text }) => text).join("\n");
      model.script(obeying(attack));
      const before = await origin.git("for-each-ref");
      const attachments = attack.attachments.length === 0 ? [] : [`https://${HOST}/log`];
      const { status, body } = await chat("ada", { message: attack.message, attachments });
      expect(await origin.git("for-each-ref")).toBe(before);
      const said = JSON.stringify(body);
      for (const secret of attack.secrets) expect(said).not.toContain(secret);
      if (attack.outcome === "failed") expect([status, body.name]).toEqual([503, "UPSTREAM_ERROR"]);
      // What the message does not name, and what changes policies, waits for somebody else.
      else if (attack.outcome === "flagged" || (attack.outcome === "waiting" && attack.failsLater !== true)) {
        expect([status, body.status]).toEqual([202, "waiting"]);
      } else expect([status, body.result]).toEqual([200, "rejected"]);
    },
  );
});
