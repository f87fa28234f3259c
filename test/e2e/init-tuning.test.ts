import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runCairn, startCairn } from "../helpers/cairn.ts";
import { connectMcp, readJsonResource } from "../helpers/mcp-client.ts";
import { openRepository } from "../helpers/repository.ts";
import { temporaryFolder } from "../helpers/temporary.ts";

/** The blocks of code of a chapter of a page, without their indentation. */
async function readBlocks(page: string, chapter: string): Promise<readonly string[]> {
  const [, text = ""] = (await readFile(page, "utf8")).split(`\n## ${chapter}\n`);
  const [own = ""] = text.split("\n## ");
  return [...own.matchAll(/^ {3}```\w+\n([^]*?)^ {3}```$/gm)].map(([, block = ""]) => block.replaceAll(/^ {3}/gm, ""));
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(file, "utf8");
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(file, changed);
}

test("[C4] an experiment in a repository of one's own, by the steps of the documentation: rewards move it", async () => {
  const folder = join(await temporaryFolder(), "agent");
  const { code, stdout } = await runCairn(["init", folder]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("a tuner")]);
  await mkdir(join(folder, "node_modules"));
  await symlink(resolve("."), join(folder, "node_modules/cairn-gitops"));
  const cairn = async (...args: string[]) => {
    const ran = await runCairn(args, { cwd: folder });
    if (ran.code !== 0) throw new Error(`${args.join(" ")}: ${ran.stdout}${ran.stderr}`);
    return ran.stdout;
  };
  expect(await cairn("test")).toMatch(/^pass: 9 passed, 0 failed, 0 skipped$/m);

  const [style = "", parameters = "", lines = ""] = await readBlocks("docs/tuning.md", "A first experiment");
  const manifest = join(folder, "manifests/parameters/style.yaml");
  await mkdir(dirname(manifest), { recursive: true });
  await writeFile(manifest, style);
  await edit(join(folder, "manifests/runner/greet.yaml"), (text) => `${text}${parameters}`);
  await edit(join(folder, "tools/runner/greet.ts"), (text) =>
    text.replace("  return { greeting: GREETINGS[language](name) };\n", lines.replaceAll(/^/gm, "  ")),
  );
  // The commands of the third step, in its order.
  const [, , , release = ""] = await readBlocks("docs/tuning.md", "A first experiment");
  const bump = 'npx cairn bump -m "Greetings may be warm."\n';
  expect(release).toBe(`${bump}npm test\ngit add --all && git commit --message "Tune the tone" && npx cairn release\n`);
  await cairn("bump", "-m", "Greetings may be warm.");
  expect(await cairn("validate")).toBe("agent 0.1.0 is valid: 2 servers, 8 tools.\n");
  expect(await cairn("test")).toMatch(/^pass: 9 passed, 0 failed, 0 skipped$/m);
  const repository = openRepository(folder);
  await repository.git("config", "user.name", "Ana");
  await repository.git("config", "user.email", "ana@example.com");
  await repository.commit({});
  await cairn("release");
  expect(await repository.git("tag")).toBe("v0.1.0\nv0.1.1");

  const { url } = await startCairn(["serve", folder, "--data", await temporaryFolder()], { CAIRN_FORGE: "local" });
  const runner = await connectMcp(`${url}/agent/latest/runner`);
  const tuner = await connectMcp(`${url}/agent/latest/tuner`);
  const activeOf = async () => {
    const { experiments } = await readJsonResource(tuner, "state://active");
    return (experiments as readonly Record<string, unknown>[])[0];
  };
  expect(await activeOf()).toMatchObject({ experiment: "style", values: { tone: "plain" }, why: "default" });
  let conversations = 0;
  for (; conversations < 400 && (await activeOf())?.["arm"] === "plain"; conversations += 1) {
    const { structuredContent } = await runner.callTool({ name: "runner.greet", arguments: { name: "Ada" } });
    const { greeting, conversation_id } = structuredContent as { greeting: string; conversation_id: string };
    const reward = Number(greeting === "Hello, Ada! How good to see you.");
    const credited = await tuner.callTool({ name: "tuner.bandit_reward", arguments: { conversation_id, reward } });
    expect(credited.structuredContent).toMatchObject({ status: "success" });
  }
  expect(await activeOf()).toMatchObject({ values: { tone: "warm" }, why: "stop rule" });
  expect((await readJsonResource(runner, "state://active"))["parameters"]).toEqual({ style: { tone: "warm" } });

  // What the specification of the interfaces has every version offer.
  for (const uri of ["state://assets", "session://index?limit=2", "logs://recent?limit=2", "compat://manifest"]) {
    expect(await readJsonResource(runner, uri)).toBeTypeOf("object");
  }
  const { contents } = await tuner.readResource({ uri: "eval://micro_results.jsonl" });
  expect(JSON.stringify(contents).match(/rewarded/g)).toHaveLength(conversations);
  const picture = await tuner.readResource({ uri: "assets://plots/style-arm-means.svg" });
  expect(JSON.stringify(picture.contents)).toContain("<svg ");
  const { messages } = await tuner.getPrompt({ name: "tuner/explain" });
  expect(JSON.stringify(messages)).toContain("promoted by the stop rule");

  // The same by hand: the manifest keeps its comments, and the changes say by what evidence.
  const told =
    /^style\.tone: calls run with "warm", the default is "plain" \(stop rule at event \d+, smallest likelihood ratio [\d.]+ against a threshold of [\d.]+, log [0-9a-f]{12}\)\.$/m;
  expect(await cairn("tune", "status", "--url", url)).toMatch(told);
  await edit(manifest, (text) => `# Ours.\n${text}`);
  await edit(join(folder, "tools/runner/greet.ts"), (text) => `${text}// Said.\n`);
  await cairn("bump", "--tools", "--change", "Says more.");
  await repository.commit({});
  const dry = await runCairn(["release", "--dry-run"], { cwd: folder, environment: { CAIRN_URL: url } });
  expect([dry.code, dry.stderr]).toEqual([0, expect.stringMatching(told)]);
  expect(dry.stderr).toContain("`cairn tune apply` makes these values the defaults.");
  const applied = await cairn("tune", "apply", "style", "--url", url);
  expect(applied).toContain("Wrote manifests/parameters/style.yaml.");
  expect(await readFile(manifest, "utf8")).toMatch(/^# Ours\.\n[^]*default: warm/);
  const fragment = /^Wrote (changes\/.*\.md)/m.exec(applied)?.[1] ?? "none";
  expect(await readFile(join(folder, fragment), "utf8")).toMatch(/By default style\.tone is "warm" \(stop rule/);
  expect(await cairn("validate")).toMatch(/is valid/);
  expect(await cairn("tune", "apply", "--url", url)).toBe("No experiment runs with other values than its defaults.\n");
  await repository.git("reset", "--quiet", "--hard", "v0.1.1");

  // The last step: the winner passes the examples as the default, too.
  await repository.git("checkout", "--quiet", "--detach");
  const made = await cairn("feedback", "Make the winner the default", "--url", url);
  expect(made).toMatch(/^committed 0\.1\.2 /);
  const greeted = await cairn("call", "0.1.2", "runner.greet", '{"name":"Ada"}', "--url", url);
  expect(JSON.parse(greeted)).toMatchObject({ greeting: "Hello, Ada! How good to see you." });
  // It began with what the version before had learnt: that is the first event of its log.
  const child = await connectMcp(`${url}/agent/0.1.2/tuner`);
  const [inheriting] = (await readJsonResource(child, "state://active"))["experiments"] as readonly object[];
  expect(inheriting).toMatchObject({
    values: { tone: "warm" },
    origin: { parent: { version: "0.1.1" }, inherited: { results: conversations } },
  });
}, 180_000);
