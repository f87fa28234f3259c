import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRepository, type TestRepository } from "../../../helpers/repository.ts";
import { createShared, temporaryFolder } from "../../../helpers/temporary.ts";
import { runIn } from "../run-in.ts";

const shared = createShared();
let repository: TestRepository;
let bare: string;

beforeAll(async () => {
  repository = await createRepository(await temporaryFolder(shared.atEnd));
  await repository.release("1.0.0");
  bare = join(await temporaryFolder(shared.atEnd), "agent.git");
  await repository.git("clone", "--quiet", "--bare", repository.path, bare);
});
afterAll(shared.undoAll);

/** Starts a node that has all it needs but for `more`. Nothing listens where its database is said to be. */
async function start(words: readonly string[], more: Readonly<Record<string, string | undefined>>) {
  const folder = await temporaryFolder();
  const data = join(folder, "data");
  const environment = {
    PATH: process.env["PATH"],
    PORT: "0",
    CAIRN_DATA: data,
    CAIRN_STORE: "postgres://cairn@127.0.0.1:1/cairn",
    CAIRN_STORE_TIMEOUT: "1",
    CAIRN_NODE_ADDRESS: "http://127.0.0.1:3000",
    CAIRN_REPO: repository.path,
    CAIRN_FORGE: "none",
    CAIRN_AUTH: "tokens",
    CAIRN_AUDIT_KEY: join(folder, "audit.key"),
    ...more,
  };
  return { ...(await runIn(folder, words, { environment })), hasData: existsSync(data) };
}

/** Sentences that a start was refused with; it has made nothing. */
async function refusals(words: readonly string[], more: Readonly<Record<string, string | undefined>>) {
  const { code, printed, hasData } = await start(words, more);
  expect([code, hasData]).toEqual([2, false]);
  const [head, ...sentences] = printed.split("\n");
  expect(head).toBe("cairn: The configuration is wrong:");
  return sentences.map((line) => line.trim());
}

const SEVERAL = "CAIRN_NODE_ADDRESS lets several nodes share a database, and";
const SAID = {
  store: "CAIRN_NODE_ADDRESS is set, and nodes share a database only: set CAIRN_STORE",
  embedded: `${SEVERAL} the repository in a data folder is one node's: set CAIRN_REPO to one that all reach, and CAIRN_FORGE to \`github\` or \`none\``,
  local: `${SEVERAL} a local forge works on one machine: set CAIRN_FORGE to \`github\` or \`none\``,
  open: `${SEVERAL} callers without a token are for one machine: set CAIRN_AUTH=tokens or CAIRN_OAUTH_ISSUER`,
  audit: `${SEVERAL} all sign one audit: set CAIRN_AUDIT_KEY to the file of its key, the same key on every node`,
};

describe("a node among several", () => {
  test.each<[string, Readonly<Record<string, string | undefined>>, keyof typeof SAID]>([
    ["the store of its data folder", { CAIRN_STORE: undefined }, "store"],
    ["the embedded repository", { CAIRN_REPO: undefined, CAIRN_FORGE: undefined }, "embedded"],
    ["callers without a token", { CAIRN_AUTH: undefined }, "open"],
    ["an audit key of its own", { CAIRN_AUDIT_KEY: undefined }, "audit"],
  ])("does not start with %s, makes nothing, and says what to set", async (_, more, problem) => {
    expect(await refusals(["serve"], more)).toEqual([SAID[problem]]);
  });

  test("does not start with a forge of this machine, which a bare repository has by default", async () => {
    expect(await refusals(["serve", bare], { CAIRN_FORGE: undefined })).toEqual([SAID.local]);
    expect(await refusals(["serve", bare], { CAIRN_FORGE: "local" })).toEqual([SAID.local]);
  });

  test("says everything that is to be set at once", async () => {
    const none = { CAIRN_REPO: undefined, CAIRN_FORGE: undefined, CAIRN_AUTH: undefined, CAIRN_AUDIT_KEY: undefined };
    expect(await refusals(["serve"], none)).toEqual([SAID.embedded, SAID.open, SAID.audit]);
  });

  test("does not serve a work tree, which `cairn dev` would", async () => {
    expect(await start(["dev", repository.path], {})).toEqual({
      code: 2,
      hasData: false,
      printed:
        "cairn: `cairn dev` serves files of this machine, and other nodes do not have them: unset CAIRN_NODE_ADDRESS.",
    });
  });

  test("starts with all of them as far as its database, and without CAIRN_NODE_ADDRESS needs none of them", async () => {
    const away = { code: 3, printed: expect.stringContaining("The store could not be opened on") };
    expect(await start(["serve"], {})).toMatchObject(away);
    const sole = {
      CAIRN_NODE_ADDRESS: undefined,
      CAIRN_FORGE: undefined,
      CAIRN_AUTH: undefined,
      CAIRN_AUDIT_KEY: undefined,
    };
    expect(await start(["serve", bare], sole)).toMatchObject(away);
  });
});
