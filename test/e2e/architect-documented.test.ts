import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ArchitectService, openArchitectService } from "../helpers/architect-service.ts";
import { readSentences } from "../helpers/documented-sentences.ts";
import { patiently } from "../helpers/patiently.ts";
import { readCheckout } from "../helpers/plan-ground.ts";
import { createShared } from "../helpers/temporary.ts";

const SENTENCES = readSentences().map(([message, outcome], at) => [message, outcome, at] as const);

const { atEnd, undoAll } = createShared();
let service: ArchitectService;

/** The example agent after two releases and a change, with a branch and a version of its own for each sentence. */
beforeAll(async () => {
  const checkout = Object.fromEntries(await readCheckout());
  const history = checkout["versions.yaml"] ?? "";
  service = await openArchitectService({
    files: { ...checkout, "versions.yaml": "current: 0.0.9\nversions:\n  0.0.9:\n    changes: [Before.]\n" },
    people: {
      mia: { tenant: "acme", actor: "mia", roles: ["*"], scopes: new Set(["*"]) },
      pat: { tenant: "acme", actor: "pat", roles: ["*"], scopes: new Set(["*"]) },
    },
    atEnd,
  });
  const { clone } = service;
  await clone.commit({ "versions.yaml": `${history}  0.0.9:\n    changes: [Before.]\n` });
  await clone.git("tag", "v0.1.0");
  await clone.git("push", "--quiet", "origin", "main", "v0.1.0");
  await patiently(async () => {
    const { body } = await service.get("mia", "/versions/0.1.0");
    expect(body).toMatchObject({ state: "served" });
  });
  // From here on it is known of every tool that it answers as its examples say.
  const first = await say('Set the title of decide_evaluate to "Evaluation"', "0.1.0");
  expect(first).toMatchObject({ result: "committed", new_version: "0.1.1" });
  await clone.git("pull", "--quiet");
  for (const [, , at] of SENTENCES) {
    await clone.git("switch", "--quiet", "--create", toBranch(at), "main");
    await clone.commit({ "docs/sentence.md": `Number ${at}.\n` });
    await clone.git("tag", `v0.1.1+${toBranch(at)}`);
  }
  await clone.git("push", "--quiet", "origin", "--all");
  await clone.git("push", "--quiet", "origin", "--tags");
}, 180_000);
afterAll(undoAll);

describe("[A5] a sentence of docs/architect.md goes through planning, verification and landing", () => {
  test.concurrent.each(SENTENCES)("%s", { timeout: 180_000 }, async (message, outcome, at) => {
    const version = `0.1.1+${toBranch(at)}`;
    const { result, notes, new_version } = await say(await prepare(version, message), version);
    if (outcome.startsWith("Rejected: ")) {
      expect({ result, notes }).toEqual({ result: "rejected", notes: expect.stringContaining(outcome.slice(10)) });
    } else if (outcome.startsWith("Tuned: ")) {
      expect({ result, notes }).toEqual({ result: "tuned", notes: expect.stringContaining("Nothing was committed") });
    } else {
      expect({ result, notes }).toEqual({ result: "committed", notes: expect.stringContaining(" Run ") });
      const [, changes = ""] = /^An? (?:\w+ )?change: (.*)$/.exec(outcome) ?? [];
      const log = await service.origin.git("log", "-1", "--format=%B", toBranch(at));
      for (const change of changes.split(/(?<=\.) (?=[A-Z\d])/)) expect(log).toContain(change.slice(0, 200));
      if (new_version === undefined) return;
      const { status, body } = await service.get("mia", `/versions/${new_version}%2B${toBranch(at)}`);
      expect([status, body.state, body.tests.status]).toEqual([200, "served", "pass"]);
    }
  });
});

function toBranch(at: number): string {
  return `s${at}`;
}

/** What the page takes for granted: rewards, a session, an earlier change. The message, about what there really is. */
async function prepare(version: string, message: string): Promise<string> {
  const call = async (tool: string, input: object) => {
    const { status, body } = await service.post("mia", `/agent/${encodeURI(version)}/api/tools/${tool}`, input);
    expect(status).toBe(200);
    return body;
  };
  if (/winner|[Rr]eward|[Pp]romote|Make \w+ the default/.test(message)) {
    const rewards = Array.from({ length: 80 }, (_, index) => ({
      arm: index % 2 === 0 ? "brief" : "full",
      reward: (index * 7) % 20 < (index % 2 === 0 ? 14 : 10) ? 1 : 0,
    }));
    await call("tuner.ucb_step", { experiment: "weather", rewards });
  }
  if (message.startsWith("Revert")) await call("tuner.promote", { experiment: "weather", arm: "brief" });
  if (message.startsWith("Go back")) {
    await call("tuner.promote", { experiment: "chat", values: { match_threshold: 0.9, match_margin: 0.2 } });
  }
  const [session = ""] = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/.exec(message) ?? [];
  if (session !== "") {
    return message.replace(session, (await call("runner.chat", { message: "Hello!" })).conversation_id);
  }
  if (!message.startsWith("Undo")) return message;
  const { notes } = await say("Make chat answer shorter", version);
  return `Undo the change ${/`undo (\S+)`/.exec(notes)?.[1] ?? ""}`;
}

/** Sends it, has somebody else approve what needs that, and waits for the answer. */
async function say(message: string, version: string) {
  const sent = await service.chat("mia", { message }, { version: encodeURI(version), headers: { prefer: "wait=120" } });
  if (sent.status !== 202) return sent.body;
  const { task_id, run_id } = sent.body;
  const decide = { task_id, run_id, approver: "Pat", reason: "It is documented." };
  const approved = await service.post("pat", `/agent/${encodeURI(version)}/api/tools/approval_write`, decide);
  expect(approved.status).toBe(200);
  return patiently(async () => {
    const { body } = await service.get("mia", sent.headers.get("location") ?? "");
    expect(body.status).toBe("ended");
    return body.answer;
  });
}
