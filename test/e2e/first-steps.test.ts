import { expect, test } from "vitest";
import { agentFiles } from "../helpers/agent.ts";
import { startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { createRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

test("a service says what is missing: versions, variables that it knows, and labels that can be understood", async () => {
  const repository = await createRepository();
  const data = await temporaryFolder();
  const { url, output } = await startCairn(["serve", repository.path, "--data", data], { CAIRN_FETCH_INTERVALL: "1" });
  expect(output()).toContain(
    "cairn: CAIRN_FETCH_INTERVALL is set, and Cairn has no such variable; did you mean CAIRN_FETCH_INTERVAL?",
  );
  await eventually(() =>
    expect(output()).toMatch(/^Cairn serves 0 versions at .*\n\nA version is a commit with a tag: `v0\.1\.0`/m),
  );

  const hello = { hello: { handler: "export default () => ({});\n" } };
  const files = agentFiles({ version: "1.0.0", tools: hello });
  const versions = (files["versions.yaml"] ?? "").replace("versions:", "labels: { stable: 1.0.0 }\nversions:");
  await repository.release("1.0.0", { ...files, "versions.yaml": versions });
  const statusOf = async (segment: string) => (await fetch(`${url}/versions/${segment}`)).status;
  await eventually(async () => expect(await statusOf("stable")).toBe(200));

  await repository.commit({ "versions.yaml": versions.replace("stable: 1.0.0", "stable: 1.0.1") });
  const problem = expect.stringMatching(/^versions\.yaml:2:19: The version 1\.0\.1 is not listed\./);
  await eventually(async () => {
    const { headers } = await fetch(`${url}/versions`);
    expect(headers.get("cairn-label-problem")).toEqual(problem);
  });
  await eventually(() => expect(output()).toContain("labels are not all as versions.yaml of the default branch says"));
  await eventually(async () => {
    const { checks } = (await (await fetch(`${url}/readyz`)).json()) as { checks: Record<string, unknown> };
    const observedValue = { stable: "1.0.0" };
    expect(checks["versions:labels"]).toMatchObject({ status: "warn", output: problem, observedValue });
  });
  expect(await statusOf("stable")).toBe(200);
});
