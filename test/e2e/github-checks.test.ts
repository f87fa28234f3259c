import { expect, test } from "vitest";
import { ADA, openArchitectService, startArchitectGitHub } from "../helpers/architect-github.ts";
import { WEBHOOK_SECRET } from "../helpers/github-service.ts";
import { patiently } from "../helpers/patiently.ts";
import { reportCi } from "../helpers/play-ci-github.ts";

async function load(url: string) {
  const response = await fetch(url, { headers: { authorization: ADA } });
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as any };
}

test("[V4] checks that GitHub has of a tagged commit are its tests, from the start and as GitHub tells of them", async () => {
  const bench = await startArchitectGitHub();
  await reportCi(bench, bench.first, "success", "build");
  const { url } = await openArchitectService(bench);
  const address = `${url}/versions/1.0.0`;
  const passed = await patiently(async () => {
    const { tests } = (await load(address)).body;
    expect(tests.status).toBe("pass");
    return tests;
  });
  expect(passed).toEqual({
    status: "pass",
    last_run: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
    summary_uri: expect.stringContaining(bench.host.url),
  });
  expect((await load(`${url}/versions`)).body.versions[0].tests).toEqual(passed);
  expect((await load(`${address}/tests`)).body).toMatchObject({
    status: "pass",
    reports: [{ source: "forge", reporter: "acme/tools", checks: [{ name: "build", status: "success" }] }],
  });

  // Polling is a day away: only the webhook can tell.
  const events = ["check_run", "status"];
  bench.host.webhooks.add({ url: `${url}/webhooks/github`, secret: WEBHOOK_SECRET, events });
  await reportCi(bench, bench.first, "failure", "examples");
  const failed = await patiently(async () => {
    const { tests } = (await load(address)).body;
    expect(tests.status).toBe("fail");
    return tests;
  });
  expect(failed.summary_uri).not.toBe(passed.summary_uri);
  await reportCi(bench, bench.first, "success", "examples");
  await patiently(async () => expect((await load(address)).body.tests.status).toBe("pass"));
});
