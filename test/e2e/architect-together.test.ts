import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startCairn } from "../helpers/cairn.ts";
import { DROP_MOOD } from "../fixtures/greeter.ts";
import { openArchitectService, PEOPLE } from "../helpers/architect-service.ts";
import type { KillOrder } from "../helpers/mortal/kill-points.ts";
import { createLocalGround } from "../helpers/mortal/local-ground.ts";
import { openRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const LONG = { timeout: 300_000 };
const FIRST = "Set most of limits to 5.";
const OTHERS = [
  'Set the title of runner.greet to "Greeting".',
  'Describe the parameter limits.most as "At most so many."',
  'Set the description of runner.greet to "Greets somebody by name."',
];
/** Words that its examples contradict. */
const BREAKING = `Apply this diff:

\`\`\`diff
--- a/tools/_lib/words.ts
+++ b/tools/_lib/words.ts
@@ -1 +1 @@
-export const words: Readonly<Record<string, string>> = { en: "Hello", de: "Hallo" };
+export const words: Readonly<Record<string, string>> = { en: "Hi", de: "Hallo" };
\`\`\`
`;

describe("changes that wait for the same branch", LONG, () => {
  test("land without one among them that does not hold, and without one that needs an approval", async () => {
    const { chat, origin } = await openArchitectService();
    const messages = [FIRST, ...OTHERS, BREAKING, DROP_MOOD];
    const answers = await Promise.all(messages.map((message) => chat("mia", { message }, { version: "1.0.0" })));
    expect(answers.slice(0, 4).map(({ body }) => body.result)).toEqual(Array(4).fill("committed"));
    expect(answers[4]?.body).toMatchObject({ result: "rejected", notes: expect.stringContaining("examples: failed") });
    expect([answers[5]?.status, answers[5]?.body.status]).toEqual([202, "waiting"]);
    const greet = await origin.git("show", "main:manifests/runner/greet.yaml");
    expect(greet).toContain("description: Greets somebody by name.");
    expect(greet).toContain("mood:");
    expect(await origin.git("show", "main:tools/_lib/words.ts")).toContain('"Hello"');
  });

  test("of two tenants are never of one commit", async () => {
    const zoe = { tenant: "globex", actor: "zoe", roles: ["maintainer"], scopes: new Set(["*"]) };
    const { chat, origin } = await openArchitectService({ people: { ...PEOPLE, zoe } });
    const answers = await Promise.all(
      [FIRST, ...OTHERS].map((message, at) =>
        chat(at % 2 === 0 ? "mia" : "zoe", { message, credit: true }, { version: "1.0.0" }),
      ),
    );
    expect(answers.map(({ body }) => body.result)).toEqual(Array(4).fill("committed"));
    for (const { body } of answers) {
      const trailers = await origin.git(
        "log",
        "-1",
        "--format=%an%n%(trailers:key=Cairn-Asked-By,valueonly)",
        body.commit_hash,
      );
      expect(new Set(trailers.split("\n").filter(Boolean)).size).toBe(1);
    }
    const greet = await origin.git("show", "main:manifests/runner/greet.yaml");
    expect([greet.includes("title: Greeting"), greet.includes("somebody by name")]).toEqual([true, true]);
  });

  // The first one has its branch made, lands and is tagged; then those that have waited. With CAIRN_LONG at each of these.
  test.each(process.env["CAIRN_LONG"] === undefined ? [4] : [3, 4, 5])(
    "land once each when the service is killed after %i changes of refs",
    async (lives) => {
      const folder = await temporaryFolder();
      const ground = await (await createLocalGround(onTestFinished))(folder);
      const armed = join(folder, "armed");
      const order: KillOrder = {
        CAIRN_TEST_LIVES: String(lives),
        CAIRN_TEST_POINTS: "ended git --bare update-ref",
        CAIRN_TEST_ARMED: armed,
        CAIRN_TEST_JOURNAL: join(folder, "journal"),
      };
      await writeFile(order.CAIRN_TEST_JOURNAL, "");
      const preload = `--import=${resolve("test/helpers/mortal/preload.ts")}`;
      const mortal = await startCairn(ground.args, { ...order, NODE_OPTIONS: preload });
      await writeFile(armed, "");
      const messages = [FIRST, ...OTHERS];
      await Promise.all(messages.map((message, at) => send(mortal.url, message, at).catch(() => undefined)));
      expect(await mortal.stop()).toBeNull();

      const cairn = await startCairn(ground.args);
      const answers = await Promise.all(messages.map((message, at) => send(cairn.url, message, at)));
      expect(answers.map(({ body }) => [body["result"], body["notes"]])).toEqual(
        messages.map(() => ["committed", expect.stringContaining("It is live as ")]),
      );
      const origin = openRepository(join(folder, "data", "origin.git"));
      for (const { id, body } of answers) {
        const added = await origin.git(
          "log",
          "--format=%H",
          "--diff-filter=A",
          "main",
          "--",
          `docs/specs/${id}_SPEC.md`,
        );
        expect(added.split("\n")).toHaveLength(1);
        expect(await origin.git("merge-base", added, `v${String(body["new_version"])}`)).toBe(added);
      }
      expect(await origin.git("show", "main:manifests/parameters/limits.yaml")).toMatch(
        /default: 5\n.*At most so many/s,
      );
      const greet = await origin.git("show", "main:manifests/runner/greet.yaml");
      expect([greet.includes("title: Greeting"), greet.includes("somebody by name")]).toEqual([true, true]);
      const history = await origin.git("show", "main:versions.yaml");
      const tags = (await origin.git("tag", "--list", "v1.0.*")).split("\n");
      for (const tag of tags) expect(history).toContain(`  ${tag.slice(1)}:\n`);
      expect(await cairn.stop()).toBe(0);
      expect(await ground.look()).toMatchObject({ branches: ["refs/heads/main"], open: [], leftovers: [] });
    },
  );
});

async function send(url: string, message: string, at: number) {
  const response = await fetch(`${url}/agent/1.0.0/architect/chat`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": `key-${at}`, prefer: "wait=120" },
    body: JSON.stringify({ message }),
  });
  return { id: response.headers.get("cairn-feedback"), body: (await response.json()) as Record<string, unknown> };
}
