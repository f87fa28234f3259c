import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { PassThrough } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { askStatus, begin, sendFeedback, waitForAnswer } from "../helpers/architect-client.ts";
import {
  ADA,
  type ArchitectGitHub,
  describeHost,
  findOpenPull,
  openArchitectService,
  readData,
  startArchitectGitHub,
} from "../helpers/architect-github.ts";
import { reportCi, startCi } from "../helpers/play-ci-github.ts";
import { patiently } from "../helpers/patiently.ts";
import { startOpenMeteo } from "../stand-ins/open-meteo.ts";

const KELVIN = "the weather tool should accept kelvin";
const LONG = { timeout: 300_000 };

async function exampleAgent(): Promise<Record<string, string>> {
  const paths = [...globSync("{manifests,tools,schemas}/**/*.*"), "versions.yaml"];
  const files = Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(path, "utf8")] as const)),
  );
  return { ...files, "versions.yaml": (files["versions.yaml"] ?? "").replaceAll("0.1.0", "1.0.0") };
}

async function loadJson(url: string): Promise<Record<string, unknown>> {
  return (await (await fetch(url, { headers: { authorization: ADA } })).json()) as Record<string, unknown>;
}

/** What the trailers of a commit say, by their names. */
async function readTrailers({ host }: ArchitectGitHub, commit: string): Promise<Readonly<Record<string, string>>> {
  const text = await host.state.git.git(["log", "-1", "--format=%(trailers:only,unfold)", commit]);
  return Object.fromEntries(text.split("\n").map((line) => line.split(": ", 2)));
}

describe("feedback about a repository on GitHub", () => {
  test(
    "[A7] becomes a pull request of the example agent, which is checked, merged, tagged and served",
    LONG,
    async () => {
      const weather = await startOpenMeteo();
      onTestFinished(() => weather.close());
      const bench = await startArchitectGitHub({ files: await exampleAgent() });
      const { host, first } = bench;
      const log = new PassThrough();
      let logged = "";
      log.on("data", (chunk: Buffer) => (logged += String(chunk)));
      const hosts = ["geocoding-api", "api", "archive-api"].map((name) => `${name}.open-meteo.com=${weather.url}`);
      const service = await openArchitectService(bench, { CAIRN_EGRESS_MAP: hosts.join(",") }, { logTo: log });
      const { url } = service;
      const before = await loadJson(`${url}/agent/1.0.0/api/tools/runner.get_weather`);

      const sent = await sendFeedback(url, { message: KELVIN, authorization: ADA });
      expect([sent.status, sent.headers.get("preference-applied")]).toEqual([202, "respond-async"]);
      const location = sent.headers.get("location") ?? "";
      const pull = await findOpenPull(bench, location);
      await patiently(async () => {
        expect(await askStatus(url, location, ADA)).toMatchObject({
          status: "running",
          stage: "checks",
          // Cairn's own is green by now, and the other one has not been heard of: that is not green.
          doing: "Of the checks cairn, ci, not all are green: cairn success.",
          proposal: { version: "1.1.0", base: "main", url: `${host.url}/acme/tools/pull/1` },
        });
      });
      const { run_id: run } = await askStatus(url, location, ADA);
      expect(pull.labels).toEqual(["cairn"]);
      expect(pull.body).toContain("1.0.0 -> **1.1.0** (needs a minor bump");
      for (const part of [
        KELVIN,
        "`runner.get_weather` accepts `kelvin`",
        '| `runner.get_weather` `input.properties.units.enum[2]` | none | `"kelvin"` |',
        "**examples**: passed",
        "**semver**: passed",
        String(run),
      ])
        expect(pull.body).toContain(part);

      await reportCi(bench, pull.headOid);
      await patiently(async () => {
        const { doing } = await askStatus(url, location, ADA);
        expect(doing).toBe("Of the checks cairn, ci, not all are green: cairn success, ci pending.");
      });
      expect(host.state.pulls).toMatchObject([{ state: "open" }]);
      await reportCi(bench, pull.headOid, "success");
      const answer = await waitForAnswer(url, location, ADA);
      const landed = await host.state.git.git(["rev-parse", "main"]);
      expect(answer).toMatchObject({ result: "committed", new_version: "1.1.0", commit_hash: landed });
      expect(answer["notes"]).toContain(`${host.url}/acme/tools/pull/1`);
      expect(await describeHost(bench)).toEqual({
        pulls: [{ number: 1, is: "merged" }],
        refs: ["refs/heads/main", "refs/tags/v1.0.0", "refs/tags/v1.1.0"],
      });
      expect(await host.state.git.git(["rev-parse", "v1.1.0^{commit}", "main^1", "v1.0.0"])).toBe(
        [landed, first, first].join("\n"),
      );

      const versions = await bench.read("main", "versions.yaml");
      expect(versions).toMatch(/^current: 1\.1\.0$/m);
      expect(versions.match(/^ {2}1\.1\.0:$/gm)).toHaveLength(1);
      expect(versions).toMatch(/^ {2}1\.1\.0:\n(?: {4}.*\n)*? {4}parent: 1\.0\.0$/m);
      const trailers = await readTrailers(bench, "main");
      expect(trailers).toMatchObject({ "Cairn-Run": run, "Cairn-Feedback": location.split("/").at(-1) });
      // Entries can be read once a checkpoint vouches for them.
      await patiently(async () => {
        const answered = await fetch(`${url}/audit/acme/records.jsonl`, { headers: { authorization: ADA } });
        const lines = (await answered.text()).split("\n").filter((line) => line.includes("feedback.proposed"));
        expect(lines).toEqual([expect.stringContaining(trailers["Cairn-Audit"] ?? "nothing")]);
      });

      expect(await loadJson(`${url}/agent/1.0.0/api/tools/runner.get_weather`)).toEqual(before);
      const after = JSON.stringify(await loadJson(`${url}/agent/1.1.0/api/tools/runner.get_weather`));
      expect([after.includes('"kelvin"'), JSON.stringify(before).includes('"kelvin"')]).toEqual([true, false]);

      await service.close();
      const everything = [logged, await readData(bench), JSON.stringify([answer, pull, host.state.checks])].join("\n");
      const messages = await host.state.git.git(["log", "--all", "--format=%B"]);
      expect(logged).toContain("v1.1.0");
      for (const text of [everything, messages])
        expect(text).not.toMatch(/gh[ps]_[0-9a-f]{8}|BEGIN (?:RSA )?PRIVATE KEY|\beyJ/);
    },
  );

  test(
    "is merged with a merge commit where that is asked for, which names run and audit entry, too",
    LONG,
    async () => {
      const bench = await startArchitectGitHub();
      const service = await openArchitectService(bench, { CAIRN_GITHUB_MERGE: "merge" });
      await startCi(bench);
      const location = await begin(service.url, { message: KELVIN, authorization: ADA });
      const answer = await waitForAnswer(service.url, location, ADA);
      expect(answer).toMatchObject({ result: "committed", new_version: "1.1.0" });
      const { git } = bench.host.state;
      const [parents, subject] = (await git.git(["log", "-1", "--format=%P%n%s", "v1.1.0"])).split("\n");
      expect(parents?.split(" ")).toEqual([bench.first, bench.host.state.pulls[0]?.headOid]);
      expect(subject).toBe("Merge pull request #1 from acme/proposal/" + location.split("/").at(-1));
      const trailers = await readTrailers(bench, "v1.1.0");
      expect(Object.keys(trailers)).toEqual(["Cairn-Feedback", "Cairn-Run", "Cairn-Audit", "Cairn-About"]);
      // The sender did not ask to be named.
      expect(await git.git(["log", "-1", "--format=%an <%ae>", String(parents).split(" ")[1] ?? ""])).toBe(
        "Cairn <cairn@localhost>",
      );
    },
  );

  test("leaves no trace as a dry run", LONG, async () => {
    const bench = await startArchitectGitHub();
    const service = await openArchitectService(bench);
    const dry = { message: KELVIN, authorization: ADA, dryRun: true, prefer: "wait=200" };
    const { status, body } = await sendFeedback(service.url, dry);
    expect([status, body["result"], body["new_version"]]).toEqual([200, "committed", "1.1.0"]);
    expect(body["notes"]).toContain("Dry run: nothing was changed.");
    const writes = bench.host.requests.filter((route) => !route.startsWith("GET ") && !route.startsWith("git GET "));
    // A token is asked for, and what git fetches is posted.
    const reading = /^(?:POST \/app\/installations\/\{installation_id\}\/access_tokens|git POST \/git-upload-pack)$/;
    expect(writes.filter((route) => !reading.test(route))).toEqual(["POST /repos/{owner}/{repo}/rulesets"]);
    expect((await describeHost(bench)).refs).toEqual(["refs/heads/main", "refs/tags/v1.0.0"]);
  });
});
