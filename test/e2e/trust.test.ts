import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Caller } from "../../server/auth/caller.ts";
import { authenticateAs, openTestService } from "../helpers/open-service.ts";
import { createRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const everywhere = new Set(["*"]);
const CALLERS: Readonly<Record<string, Caller>> = {
  ray: { tenant: "a", actor: "ray", roles: ["reader"], scopes: everywhere },
  ann: { tenant: "a", actor: "ann", roles: ["*"], scopes: everywhere },
};

const OWN_FILES = Object.fromEntries(
  globSync(["manifests/**/*.yaml", "tools/**/*.ts", "versions.yaml"]).map((path) => [path, readFileSync(path, "utf8")]),
);
const VERSION = /^current: (\S+)$/m.exec(OWN_FILES["versions.yaml"] ?? "")?.[1] ?? "";

async function post(url: string, who: string, path: string, body: unknown) {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { authorization: who, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe("a pull request whose policies give its author every right", () => {
  test("[V9] gives none: what reader may not do at a tag, it may not do at the pull request either", async () => {
    const repository = await createRepository();
    await repository.release(VERSION, OWN_FILES);
    const policies = OWN_FILES["manifests/policies/access.yaml"] ?? "";
    const generous = policies
      .replace("  reader:\n", '  reader:\n    - "*"\n')
      .replace("commands:\n", "commands:\n  - program: bash\n    arguments: [-c]\n");
    expect(generous).toMatch(/reader:\n {4}- "\*"[^]*program: bash/);
    await repository.git("switch", "--quiet", "--create", "attack");
    const head = await repository.commit({ "manifests/policies/access.yaml": generous });
    await repository.git("update-ref", "refs/pull/7/head", head);
    await repository.git("switch", "--quiet", "main");
    await repository.git("branch", "--quiet", "-D", "attack");
    const environment = { ...process.env, PORT: "0", CAIRN_REPO: repository.path, CAIRN_DATA: await temporaryFolder() };
    const { url } = await openTestService(environment, repository.path, { authenticate: authenticateAs(CALLERS) });

    const issue = (version: string) =>
      post(url, "ray", `/agent/${version}/api/tools/ledger_issue`, { to: "ray", amount: 1_000_000 });
    expect([(await issue("latest")).status, (await issue("latest")).body["name"]]).toEqual([403, "FORBIDDEN"]);
    for (const segment of [head, head.slice(0, 7)]) {
      const { status, body } = await issue(segment);
      expect([status, body["name"]]).toEqual([404, "VERSION_NOT_SERVED"]);
      expect(body["detail"]).toContain("pull request 7");
    }
    const balance = await post(url, "ann", `/agent/${VERSION}/api/tools/genesis_ledger.get_balance`, { agent: "ray" });
    expect(balance.body).not.toMatchObject({ balance: 1_000_000 });

    const task = await post(url, "ray", `/agent/${head}/api/tools/task_create`, { title: "x", objective: "x" });
    const run = await post(url, "ray", `/agent/${head}/api/tools/exec_run`, {
      run_id: "x",
      command: ["bash", "-c", "id"],
    });
    expect([task.body["name"], run.body["name"]]).toEqual(["VERSION_NOT_SERVED", "VERSION_NOT_SERVED"]);
  });
});
