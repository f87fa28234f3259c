import { readFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ArchitectService, openArchitectService } from "../helpers/architect-service.ts";
import type { AtEnd } from "../helpers/temporary.ts";
import { type OpenMeteo, startOpenMeteo } from "../stand-ins/open-meteo.ts";

const closing: (() => Promise<void> | void)[] = [];
const atEnd: AtEnd = (close) => void closing.unshift(close);
let service: ArchitectService;
let weather: OpenMeteo;

/** The example agent of this checkout, as if it had reached 1.0.0, where numbers mean what they say. */
beforeAll(async () => {
  weather = await startOpenMeteo();
  atEnd(weather.close);
  const paths = globSync(["manifests/**/*.yaml", "tools/**/*.ts", "schemas/*.json", "versions.yaml"]);
  const files = await Promise.all(paths.map(async (path) => [path, await readFile(path, "utf8")] as const));
  const all = Object.fromEntries(files);
  const hosts = ["api", "geocoding-api", "archive-api"].map((host) => `${host}.open-meteo.com=${weather.url}`);
  service = await openArchitectService({
    files: { ...all, "versions.yaml": (all["versions.yaml"] ?? "").replaceAll("0.1.0", "1.0.0") },
    people: {
      mia: { tenant: "acme", actor: "mia", roles: ["*"], scopes: new Set(["*"]) },
      pat: { tenant: "acme", actor: "pat", roles: ["*"], scopes: new Set(["*"]) },
    },
    environment: { CAIRN_EGRESS_MAP: hosts.join(",") },
    atEnd,
  });
});
afterAll(async () => {
  for (const close of closing) await close();
});

/** Says it as a dry run, which must change nothing, and then in earnest. */
async function say(message: string) {
  const refs = await service.origin.git("for-each-ref");
  const dry = await service.chat("mia", { message, dry_run: true });
  expect(await service.origin.git("for-each-ref")).toBe(refs);
  expect(dry.body.notes).toMatch(/^Dry run/);
  const { status, body } = await service.chat("mia", { message });
  return { dry: dry.body, status, body };
}

describe("what people say to the Architect of the example agent", () => {
  test("the weather tool should accept kelvin: a minor version that answers in kelvin, and the old one as it was", async () => {
    const { dry, body } = await say("The weather tool should accept kelvin.");
    expect(dry).toMatchObject({ result: "committed", new_version: "1.1.0" });
    expect(dry.notes).toContain("It needs a minor bump of 1.0.0");
    expect(body).toMatchObject({ result: "committed", new_version: "1.1.0" });
    const ask = (version: string) =>
      service.post("mia", `/agent/${version}/api/tools/runner.get_weather`, { location: "Oslo", units: "kelvin" });
    const answer = await ask("1.1.0");
    expect(answer.body.forecast.summary).toMatch(/ K\b/);
    expect((await ask("1.0.0")).body).toMatchObject({ name: "BAD_REQUEST" });
  });

  test("make chat answer shorter: tuned at once", async () => {
    const { dry, body } = await say("Make chat answer shorter.");
    expect(dry.result).toBe("tuned");
    expect(body).toMatchObject({ result: "tuned", notes: expect.stringContaining("Nothing was committed") });
  });

  test("drop the location argument: major, so somebody else has to agree", async () => {
    const { dry, status, body } = await say("Drop the location argument.");
    expect(dry).toMatchObject({ result: "committed", new_version: "2.0.0" });
    expect(dry.notes).toContain("once somebody else approves it");
    expect([status, body.status]).toEqual([202, "waiting"]);
    const { task_id, run_id } = body;
    const decide = { task_id, run_id, approver: "Pat", reason: "Where else?", decision: "rejected" };
    expect((await service.post("pat", "/agent/latest/api/tools/approval_write", decide)).status).toBe(200);
  });

  test("reward was better with brief: rejected without evidence, promoted with it", async () => {
    const message = "Reward was better with brief for weather.";
    const before = await say(message);
    expect([before.dry.result, before.body.result]).toEqual(["rejected", "rejected"]);
    const rewards = Array.from({ length: 80 }, (_, index) => ({
      arm: index % 2 === 0 ? "brief" : "full",
      reward: index % 2 === 0 ? 0.9 + (index % 3) / 100 : 0.2 + (index % 3) / 100,
    }));
    const step = await service.post("mia", "/agent/latest/api/tools/tuner.ucb_step", {
      experiment: "weather",
      rewards,
    });
    expect(step.status).toBe(200);
    const { dry, body } = await say(message);
    // The stop rule may have promoted it already, which is as good.
    for (const answer of [dry, body]) {
      expect(`${answer.result}: ${answer.notes}`).toMatch(
        /^(?:tuned: .*`weather` now runs with `brief`|rejected: .*already)/,
      );
    }
  });

  test("[A2] [A5] make the winner the default: a version that has it, and all that was learnt", async () => {
    const state = (version: string) =>
      service.post("mia", `/agent/${version}/api/tools/tuner.propose`, { experiment: "weather" });
    const { proposal } = (await state("latest")).body;
    expect(proposal.changes).toEqual([{ parameter: "detail", from: "full", to: "brief" }]);
    const { body } = await say("Make the winner the default for weather");
    expect(`${body.result}: ${body.notes}`).toMatch(/^committed: /);
    const after = (await state(body.new_version)).body.proposal;
    expect(after).toMatchObject({ changes: [], isActive: true });
    expect(after.evidence.state).toMatchObject({
      active: { arm: "brief", why: "default" },
      origin: { parent: { commit: proposal.commit }, inherited: { results: 80 } },
    });
  });

  test("an artifact becomes a tool: the version after has it, whatever becomes of the artifact", async () => {
    const call = (tool: string, input: object, version = "latest") =>
      service.post("mia", `/agent/${version}/api/tools/${tool}`, input);
    const adder = {
      name: "adder",
      code: "export default ({ a, b }) => ({ sum: a + b });\n",
      interface: {
        description: "Adds two numbers.",
        inputSchema: {
          type: "object",
          properties: { a: { type: "number" }, b: { type: "number" } },
          required: ["a", "b"],
          additionalProperties: false,
        },
      },
    };
    expect((await call("artifact_create", adder)).status).toBe(200);
    const { body: promoted } = await call("artifact_promote", {
      name: "adder",
      examples: [{ input: { a: 2, b: 3 }, output: { sum: 5 } }],
    });
    const { dry, body } = await say(promoted.feedback);
    expect(`${dry.result}: ${dry.notes}`).toMatch(/^committed: .*examples: passed/s);
    expect(body.result).toBe("committed");
    const { status, body: sum } = await call("adder", { a: 4, b: 5 }, body.new_version);
    expect([status, sum]).toEqual([200, expect.objectContaining({ result: { sum: 9 } })]);
  });

  test("nonsense: rejected, with what would be accepted", async () => {
    const { dry, body } = await say("Colourless green ideas sleep furiously.");
    expect([dry.result, body.result]).toEqual(["rejected", "rejected"]);
    expect(body.notes).toContain("attach a unified diff");
  });
});
