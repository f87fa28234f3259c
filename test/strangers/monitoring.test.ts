import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { agentFiles } from "../helpers/agent.ts";
import { type RunningCairn, startCairn } from "../helpers/cairn.ts";
import { eventually } from "../helpers/eventually.ts";
import { findFreePort } from "../helpers/free-port.ts";
import { createRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly record?: string;
      readonly alert?: string;
      readonly expr: string;
      readonly annotations?: { readonly summary?: string; readonly action?: string };
    }[];
  }[];
}

interface Dashboard {
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly description?: string;
    readonly datasource?: { readonly uid: string };
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets?: readonly { readonly expr: string; readonly refId: string }[];
  }[];
}

const FOLDER = "deploy/monitoring";
const RULES = join(FOLDER, "cairn.rules.yaml");
const shared = createShared();
let cairn: RunningCairn;
let rules: Rules["groups"][number]["rules"];
let dashboard: Dashboard;
let queries: readonly string[];

beforeAll(async () => {
  rules = (parse(await readFile(RULES, "utf8")) as Rules).groups.flatMap((group) => group.rules);
  dashboard = JSON.parse(await readFile(join(FOLDER, "grafana-dashboard.json"), "utf8")) as Dashboard;
  // As Grafana puts in its variables.
  queries = dashboard.panels
    .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    .map((expr) => expr.replaceAll("$__rate_interval", "1m").replaceAll(/\$(?:instance|tool)/g, ".*"));
  const repository = await createRepository(await temporaryFolder(shared.atEnd));
  const tools = { echo: { handler: "export default (input) => input;\n" } };
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools }));
  const data = await temporaryFolder(shared.atEnd);
  cairn = await startCairn(["serve", repository.path, "--data", data], {}, shared.atEnd);
});
afterAll(shared.undoAll);

test("every alert says what is wrong and what to do", () => {
  const alerts = rules.filter(({ alert }) => alert !== undefined);
  expect(alerts.length).toBeGreaterThan(8);
  expect(alerts.filter(({ annotations }) => !annotations?.summary || !annotations.action)).toEqual([]);
});

test("rules, their test and the dashboard name metrics that the service has, and records that the rules make", async () => {
  const text = await (await fetch(`${cairn.url}/metrics`)).text();
  const own = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = "", type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  const known = new Set([...own, ...rules.flatMap(({ record }) => record ?? [])]);
  const definitions = dashboard.templating.list.flatMap(({ definition }) => definition ?? []);
  const tested = await readFile(join(FOLDER, "cairn.rules.test.yaml"), "utf8");
  const used = [...rules.map(({ expr }) => expr), ...queries, ...definitions, tested]
    .join("\n")
    .matchAll(/(?<![\w:])(?:cairn|process|nodejs)[_:][a-z\d_:]+/g);
  const names = new Set([...used].map(([name]) => name).filter((name) => !name.startsWith("cairn.")));
  expect(names.size).toBeGreaterThan(20);
  expect([...names].filter((name) => !known.has(name))).toEqual([]);
  // And nothing is measured that the dashboard leaves out.
  const shown = queries.join("\n");
  const hidden = [...text.matchAll(/^# TYPE (\S+)/gm)].filter(([, name = ""]) => !shown.includes(name));
  expect(hidden.map(([, name]) => name)).toEqual([]);
});

test("the dashboard's panels have ids, descriptions and places of their own, and its variables exist", () => {
  const { panels, templating } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const shown = panels.filter(({ type }) => type !== "row");
  expect(shown.filter(({ description }) => !description)).toEqual([]);
  expect(new Set(shown.map(({ datasource }) => datasource?.uid))).toEqual(new Set(["${datasource}"]));
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
    expect(x + w).toBeLessThanOrEqual(24);
    return Array.from({ length: w * h }, (_, at) => `${x + (at % w)}/${y + Math.floor(at / w)}`);
  });
  expect(new Set(cells).size).toBe(cells.length);
  const variables = new Set(templating.list.map(({ name }) => name));
  const used = JSON.stringify(panels).matchAll(/\$\{?(?!__)([a-z]+)/g);
  expect([...used].filter(([, name = ""]) => !variables.has(name))).toEqual([]);
});

function isInstalled(): boolean {
  if (["promtool", "prometheus"].every((name) => spawnSync(name, ["--version"]).error === undefined)) return true;
  if (process.env["CI"] !== undefined) throw new Error("prometheus is not installed");
  process.stderr.write("SKIPPED the rules in Prometheus: it is not installed (apt-get install prometheus)\n");
  return false;
}

describe.runIf(isInstalled())("Prometheus", () => {
  test("takes the rules and their test, and every query of the dashboard", async () => {
    const promtool = (...args: readonly string[]) => promisify(execFile)("promtool", args);
    expect((await promtool("check", "rules", RULES)).stdout).toContain(`SUCCESS: ${rules.length} rules found`);
    expect((await promtool("test", "rules", join(FOLDER, "cairn.rules.test.yaml"))).stdout).toContain("SUCCESS");
    const folder = await temporaryFolder();
    const records = queries.map((expr, at) => ({ record: `q${at}`, expr }));
    await writeFile(join(folder, "queries.yaml"), JSON.stringify({ groups: [{ name: "queries", rules: records }] }));
    const checked = await promtool("check", "rules", join(folder, "queries.yaml"));
    expect(checked.stdout).toContain(`SUCCESS: ${queries.length} rules found`);
  });

  test("scrapes a service by the example, evaluates every rule, and finds nothing wrong", async () => {
    const folder = await temporaryFolder();
    await cp(FOLDER, folder, { recursive: true });
    const example = await readFile(join(FOLDER, "prometheus.yaml"), "utf8");
    const own = example.replace("127.0.0.1:3000", new URL(cairn.url).host).replaceAll("15s", "1s");
    await writeFile(join(folder, "prometheus.yaml"), own);
    const address = `127.0.0.1:${await findFreePort()}`;
    const args = [`--config.file=${folder}/prometheus.yaml`, `--storage.tsdb.path=${folder}/data`];
    const child = spawn("prometheus", [...args, `--web.listen-address=${address}`], { stdio: "ignore" });
    try {
      const ask = async (path: string) => {
        const response = await fetch(`http://${address}/api/v1/${path}`);
        return ((await response.json()) as { readonly data: unknown }).data;
      };
      const query = (text: string) => ask(`query?query=${encodeURIComponent(text)}`);
      await eventually(async () => {
        expect(await query('up{job="cairn"}')).toMatchObject({ result: [{ value: [expect.anything(), "1"] }] });
        expect(await query('cairn_versions{state="served"}')).toMatchObject({
          result: [{ value: [expect.anything(), "1"] }],
        });
        const { groups } = (await ask("rules")) as {
          readonly groups: readonly { readonly rules: readonly { readonly health: string }[] }[];
        };
        expect(new Set(groups.flatMap((group) => group.rules.map(({ health }) => health)))).toEqual(new Set(["ok"]));
      });
      // Before the first scrape there was no Cairn, which is pending for a moment.
      await eventually(async () => expect(await ask("alerts")).toEqual({ alerts: [] }));
    } finally {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
  });
});
