import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { askStatus, begin, waitForAnswer } from "../helpers/architect-client.ts";
import {
  ADA,
  type ArchitectGitHub,
  describeHost,
  findOpenPull,
  openArchitectService,
  startArchitectGitHub,
  UNITS,
} from "../helpers/architect-github.ts";
import { reportCi } from "../helpers/play-ci-github.ts";
import { patiently } from "../helpers/patiently.ts";
import { createShared } from "../helpers/temporary.ts";
import { latestChecks } from "../stand-ins/github/mergeability.ts";

/** One repository, in which one thing after the other happens. */
describe("a change that people have a part in", { timeout: 300_000 }, () => {
  const shared = createShared();
  afterAll(shared.undoAll);
  let bench: ArchitectGitHub;
  let service: Service;
  let units: string[];
  beforeAll(async () => {
    bench = await startArchitectGitHub({ atEnd: shared.atEnd });
    service = await openArchitectService(bench, {}, { atEnd: shared.atEnd });
    units = [...UNITS];
  }, 120_000);

  const git = (...args: readonly string[]) => bench.host.state.git.git(args);
  const answerAt = (location: string) => waitForAnswer(service.url, location, ADA);
  const checksOf = (head: string) =>
    Object.fromEntries(latestChecks(bench.host.state, head).map(({ name, conclusion }) => [name, conclusion]));
  /** Cairn has reported what it found of a commit. */
  const judged = (head: string, verdict: string) =>
    patiently(() => expect(checksOf(head)).toMatchObject({ cairn: verdict }));

  /** Feedback on what `main` is now, which waits for the outside check. */
  async function propose() {
    const unit = units.shift() ?? "";
    const version = await git("rev-parse", "main");
    const message = `the weather tool should accept ${unit}`;
    const location = await begin(service.url, { message, authorization: ADA, version });
    const pull = await findOpenPull(bench, location);
    await judged(pull.headOid, "success");
    return { unit, location, pull, head: pull.headOid, before: version };
  }

  const manifest = () => bench.read("main", "manifests/runner/weather.yaml");
  const branches = async () => (await describeHost(bench)).refs.filter((ref) => ref.startsWith("refs/heads/"));

  test("is taken back when a check is red, and says which", async () => {
    const { location, pull, head, before } = await propose();
    await reportCi(bench, head, "failure");
    const answer = await answerAt(location);
    expect(answer["result"]).toBe("rejected");
    expect(answer["notes"]).toMatch(/^A check of it is red: `ci` \(http:\S+\/runs\/\d+\)\./);
    expect([pull.state, pull.mergedAs, await git("rev-parse", "main"), await branches()]).toEqual([
      "closed",
      undefined,
      before,
      ["refs/heads/main"],
    ]);
    expect(pull.comments.map(({ body }) => body)).toEqual([expect.stringContaining("A check of it is red: `ci`")]);
  });

  test("has what somebody has pushed to its base meanwhile, and is checked with it", async () => {
    const { unit, location, pull, head } = await propose();
    const theirs = await bench.push("main", { "docs/other.md": "Theirs.\n" });
    await reportCi(bench, head, "success");
    await patiently(() => expect(pull.headOid).not.toBe(head));
    await judged(pull.headOid, "success");
    // What was said of the commit before says nothing of this one.
    expect(checksOf(pull.headOid)).toEqual({ cairn: "success" });
    expect(pull.state).toBe("open");
    await reportCi(bench, pull.headOid, "success");
    expect(await answerAt(location)).toMatchObject({ result: "committed" });
    expect(await git("merge-base", "--is-ancestor", theirs, "main")).toBe("");
    expect(await bench.read("main", "docs/other.md")).toBe("Theirs.");
    expect(await manifest()).toContain(unit);
    expect(await branches()).toEqual(["refs/heads/main"]);
  });

  test("is proposed again with the next number when somebody gives its number away", async () => {
    const { unit, location, pull } = await propose();
    const next = /^current: (\S+)$/m.exec(await bench.read(pull.headOid, "versions.yaml"))?.[1] ?? "";
    const versions = (await bench.read(pull.headOid, "versions.yaml")).replace(/- .*accepts .*/, "- Theirs.");
    await bench.push("main", { "versions.yaml": `${versions}\n`, "docs/notes.md": "one\ntwo\nthree\nfour\n" });
    await git("tag", `v${next}`, "main");
    await patiently(() => expect(pull.state).toBe("closed"));
    expect(pull.comments.map(({ body }) => body)).toEqual([
      // GitHub says which, unless it has found out before it is asked to bring them in.
      expect.stringMatching(/The branch `main` has other changes(?: in `versions\.yaml`)?\./),
    ]);
    const again = await findOpenPull(bench, location);
    expect(again.number).toBe(pull.number + 1);
    await judged(again.headOid, "success");
    await reportCi(bench, again.headOid, "success");
    const [major, minor] = next.split(".");
    const answer = await answerAt(location);
    expect(answer).toMatchObject({ result: "committed", new_version: `${major}.${Number(minor) + 1}.0` });
    expect([await manifest(), await bench.read("main", "docs/notes.md")]).toEqual([
      expect.stringContaining(unit),
      "one\ntwo\nthree\nfour",
    ]);
    expect(await branches()).toEqual(["refs/heads/main"]);
  });

  test("is rejected when somebody changes the same place otherwise", async () => {
    const { unit, location, pull } = await propose();
    const before = await manifest();
    const theirs = before.replace(/enum: \[.*?\]/, "minLength: 1");
    await bench.push("main", { "manifests/runner/weather.yaml": `${theirs}\n` });
    const answer = await answerAt(location);
    expect(answer["result"]).toBe("rejected");
    expect(answer["notes"]).toContain(
      "This and what `main` has by now contradict each other:\n- manifests/runner/weather.yaml at ",
    );
    expect([pull.state, await branches()]).toEqual(["closed", ["refs/heads/main"]]);
    expect(await manifest()).not.toContain(unit);
    await bench.push("main", { "manifests/runner/weather.yaml": `${before}\n` });
    // Feedback is taken where a tag leads to.
    const current = /^current: (\S+)$/m.exec(await bench.read("main", "versions.yaml"))?.[1] ?? "";
    await git("tag", `v${current}+back`, "main");
    await service.registry.refresh();
  });

  test("lands with what somebody has pushed to its branch, once that is verified anew", async () => {
    const { unit, location, pull } = await propose();
    const pushed = await bench.push(pull.head, { "docs/pushed.md": "Pushed.\n" });
    await judged(pushed, "success");
    await reportCi(bench, pushed, "success");
    expect(await answerAt(location)).toMatchObject({ result: "committed" });
    expect(await bench.read("main", "docs/pushed.md")).toBe("Pushed.");
    expect(await manifest()).toContain(unit);
  });

  test.each([
    ["what does not pass", { "manifests/runner/weather.yaml": "name: [\n" }, "does not pass", "version: failed"],
    [
      "what needs an approval",
      { ".github/workflows/more.yml": "on: push\n" },
      "needs an approval",
      "It changes `.github/workflows/more.yml`, which is protected.",
    ],
  ])("is left to people who push %s to its branch", async (_, files, why, finding) => {
    const { location, pull } = await propose();
    const pushed = await bench.push(pull.head, files);
    const answer = await answerAt(location);
    expect(answer["result"]).toBe("rejected");
    for (const part of [`Somebody has pushed to it what ${why}.`, finding, `/acme/tools/pull/${pull.number}`]) {
      expect(answer["notes"]).toContain(part);
    }
    expect([pull.state, pull.headOid, checksOf(pushed)]).toEqual(["open", pushed, { cairn: "failure" }]);
    expect(latestChecks(bench.host.state, pushed)[0]?.output.summary).toContain(finding);
    // They give it up.
    await git("update-ref", "-d", `refs/heads/${pull.head}`);
    await askStatus(service.url, location, ADA);
    const { token } = bench.host.credentials.issueInstallationToken();
    await bench.host.ask(token, "GET /repos/acme/tools/pulls");
  });

  test("is left to whoever pushes to its branch in the moment that it is made", async () => {
    const version = await git("rev-parse", "main");
    const message = `the weather tool should accept ${units.shift() ?? ""}`;
    bench.host.before.set("POST /repos/{owner}/{repo}/issues/{issue_number}/labels", async () => {
      const { head = "" } = bench.host.state.pulls.at(-1) ?? {};
      await bench.push(head, { "manifests/policies/more.yaml": "roles: { more: [] }\n" });
    });
    const location = await begin(service.url, { message, authorization: ADA, version });
    const answer = await answerAt(location);
    expect(answer["result"]).toBe("rejected");
    expect(answer["notes"]).toContain("Somebody has pushed to it what needs an approval.");
    expect(await git("rev-parse", "main")).toBe(version);
    await git("update-ref", "-d", `refs/heads/${bench.host.state.pulls.at(-1)?.head}`);
  });

  test("is tagged and served when somebody merges it by hand with more, which passes", async () => {
    const { unit, location, head } = await propose();
    await bench.checkout.git("fetch", "--quiet", bench.host.state.git.path, head);
    await bench.checkout.git("checkout", "--quiet", "--detach", head);
    const more = await bench.checkout.commit({ "docs/more.md": "More.\n" });
    await bench.place("main", more);
    const answer = await answerAt(location);
    expect(answer).toMatchObject({ result: "committed", commit_hash: more });
    expect([await git("rev-parse", `v${String(answer["new_version"])}^{commit}`), await manifest()]).toEqual([
      more,
      expect.stringContaining(unit),
    ]);
  });

  test("is tagged and served when somebody merges it by hand", async () => {
    const { unit, location, pull, head } = await propose();
    await bench.checkout.git("fetch", "--quiet", bench.host.state.git.path, "main", head);
    await bench.checkout.git("checkout", "--quiet", "--detach", await git("rev-parse", "main"));
    await bench.checkout.git("merge", "--quiet", "--no-ff", "-m", "By hand", head);
    const merged = await bench.checkout.git("rev-parse", "HEAD");
    await bench.place("main", merged);
    const answer = await answerAt(location);
    expect(answer).toMatchObject({ result: "committed", commit_hash: merged });
    expect(await git("rev-parse", `v${String(answer["new_version"])}^{commit}`)).toBe(merged);
    expect([await manifest(), pull.mergedAs, await branches()]).toEqual([
      expect.stringContaining(unit),
      merged,
      ["refs/heads/main"],
    ]);
  });

  test("is given up when somebody closes it by hand, and its branch with it", async () => {
    const { location, pull, before } = await propose();
    const token = bench.host.credentials.issueUserToken("grace");
    await bench.host.ask(token, `PATCH /repos/acme/tools/pulls/${pull.number}`, { state: "closed" });
    const answer = await answerAt(location);
    expect(answer["result"]).toBe("rejected");
    expect(answer["notes"]).toMatch(/^Somebody has closed its pull request\./);
    expect([await git("rev-parse", "main"), await branches()]).toEqual([before, ["refs/heads/main"]]);
  });

  test("is not tagged when somebody merges it by hand with what does not pass", async () => {
    const { location, head } = await propose();
    const tags = (await describeHost(bench)).refs.filter((ref) => ref.startsWith("refs/tags/"));
    await bench.checkout.git("fetch", "--quiet", bench.host.state.git.path, head);
    await bench.checkout.git("checkout", "--quiet", "--detach", head);
    const broken = await bench.checkout.commit({ "manifests/runner/weather.yaml": "name: [\n" });
    await bench.place("main", broken);
    const answer = await answerAt(location);
    expect(answer["result"]).toBe("rejected");
    expect(answer["notes"]).toContain(`\`${broken}\` has landed of it, which is not what was verified`);
    expect((await describeHost(bench)).refs).toEqual(["refs/heads/main", ...tags]);
  });
});
