import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { runIn } from "../run-in.ts";

const TASK = "01a20306-1dca-7000-9757-e99bba9294a1";
const RUN = "01a20306-1dca-7000-9757-e99bba9294a2";
const FRESH = "01a20306-1dca-7000-9757-e99bba9294a3";

/** A service with a task that has a run, and one that has none. Returns its address. */
async function startService(): Promise<string> {
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { task_id, run_id } = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const missing = (what: string) => answer(404, { name: "NOT_FOUND", detail: `There is no ${what} here.` });
    if (request.url?.endsWith("run_report") === true)
      return run_id === RUN ? answer(200, { run_id, markdown: `# Run ${run_id}` }) : missing(`run \`${run_id}\``);
    if (task_id === TASK) return answer(200, { task_id, run: { run_id: RUN } });
    return task_id === FRESH ? answer(200, { task_id, run: null }) : missing(`task \`${task_id}\``);
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

describe("cairn work report", () => {
  test.each([
    [RUN, 0, `# Run ${RUN}`],
    [TASK, 0, `# Run ${RUN}`],
    [FRESH, 1, `cairn: Task \`${FRESH}\` has no run yet.`],
    ["nobody", 1, "cairn: There is no task and no run `nobody` here; `cairn work list` has the tasks."],
  ])("takes the id of a run, or of a task with its latest one: %s", async (id, code, printed) => {
    const url = await startService();
    expect(await runIn(".", ["work", "report", id, "--url", url])).toEqual({ code, printed });
  });
});
