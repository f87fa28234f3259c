import { expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { eventually } from "../helpers/eventually.ts";
import { openTestService } from "../helpers/open-service.ts";
import { createRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

const agent = (version: string, parent?: string) =>
  agentFiles({
    version,
    ...(parent === undefined ? {} : { parent }),
    tools: { greet: { handler: "export default () => ({ greeting: 'hello' });\n" } },
  });

test("what lands in the embedded repository and is tagged there is served", async () => {
  const checkout = await createRepository();
  const first = await checkout.commit(agent("1.0.0"));
  const environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: "0",
    CAIRN_DATA: await temporaryFolder(),
    CAIRN_FORGE_CHECKS: "semver,test",
  };
  const service = await openTestService(environment, checkout.path);
  const { forge, baseBranch } = service.forge;
  if (forge === undefined) throw new Error(service.forge.why);
  const change = await forge.propose({
    key: "one",
    from: first,
    base: baseBranch,
    title: "Greet",
    body: "It is asked for.",
    author: { name: "Ada", email: "ada@example.com" },
    message: "Greet",
    files: new Map(Object.entries(agent("1.0.1", "1.0.0"))),
  });
  const { head } = await forge.status(change);
  await forge.report(head, "semver", { status: "completed", conclusion: "success", summary: "Fine." });
  expect(await forge.land(change, { expectHead: head, mode: "now" })).toMatchObject({ outcome: "blocked" });
  await forge.report(head, "test", { status: "completed", conclusion: "success", summary: "Fine." });
  expect(await forge.land(change, { expectHead: head, mode: "now" })).toEqual({ outcome: "merged", oid: head });
  await forge.tag("v1.0.1", head, "One");
  await eventually(async () => expect((await service.registry.resolve("latest")).version.commit).toBe(head));
  expect((await service.registry.resolve("1.0.0")).version.commit).toBe(first);
  expect(await checkout.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
});
