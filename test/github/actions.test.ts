import { describe, expect, test } from "vitest";
import { agentFiles, type AgentTool } from "../helpers/agent.ts";
import { createRepository, openRepository, type TestRepository } from "../helpers/repository.ts";
import { readYamlFile, runSteps, type Step, type Workflow } from "../helpers/run-steps.ts";
import { temporaryFolder } from "../helpers/temporary.ts";
import { type GitHubStandIn, startGitHub, TOKEN } from "../stand-ins/github.ts";

const greet = (more = "", answer = "Hello"): AgentTool => ({
  handler: `export default ({ name }) => ({ text: \`${answer}, \${name}!\` });\n`,
  manifest: `deterministic: true
input: { type: object, required: [name${more}], properties: { name: { type: string }, title: { type: string } } }
output: { type: object, properties: { text: { type: string } } }
examples:
  - { input: { name: Ada, title: Dr }, output: { text: "Hello, Ada!" } }`,
});

/** A pull request as it is checked out: what it is merged into, and what came of merging it. */
async function openPullRequest(files: Readonly<Record<string, string | null>>) {
  const repository = await createRepository();
  const base = await repository.commit(agentFiles({ version: "1.0.0", tools: { greet: greet() } }));
  await repository.commit(files);
  return { repository, base };
}

function environmentOf({ url }: GitHubStandIn) {
  return { GITHUB_API_URL: url, GITHUB_GRAPHQL_URL: `${url}/graphql`, GITHUB_REPOSITORY: "acme/tools" };
}

async function validate({ repository, base }: { repository: TestRepository; base: string }, github: GitHubStandIn) {
  const { jobs } = await readYamlFile<Workflow>(".github/workflows/validate.yml");
  return runSteps(jobs["validate"]?.steps ?? [], {
    workspace: repository.path,
    context: {
      github: {
        event_name: "pull_request",
        token: TOKEN,
        event: { pull_request: { number: 7, base: { sha: base } } },
      },
    },
    environment: environmentOf(github),
  });
}

/** Each runs the command several times. */
const PATIENCE = { timeout: 120_000 };

describe("[D5] the workflow that validates pull requests", PATIENCE, () => {
  test("passes one that claims what it changes, and says so in summary and comment", async () => {
    const github = await startGitHub();
    const pull = await openPullRequest({ "README.md": "Words.\n" });
    const run = await validate(pull, github);
    expect(run.ok, run.output).toBe(true);
    expect(run.summary).toContain("- ✅ The manifests are valid.\n- ✅ Tools answer as their examples say.\n");
    expect(run.summary).toContain("- ✅ The version claims what its changes need.");
    expect(github.comments.map(({ body }) => body)).toEqual([`<!-- cairn: validate -->\n${run.summary}`]);
  });

  test("fails one that claims too little, at the line, with the bump it needs", async () => {
    const github = await startGitHub();
    const pull = await openPullRequest(agentFiles({ version: "1.0.1", tools: { greet: greet(", title") } }));
    const run = await validate(pull, github);
    expect(run.ok).toBe(false);
    expect(run.output).toMatch(/::error file=manifests\/runner\/greet\.yaml,line=\d+/);
    expect(run.summary).toContain("- ❌ The version claims less than its changes need.");
    expect(run.summary).toMatch(/major/);
    expect(github.comments).toHaveLength(1);
    await pull.repository.commit(
      agentFiles({ version: "2.0.0", tools: { greet: { ...greet(", title"), version: "2.0.0" } } }),
    );
    const again = await validate(pull, github);
    expect(again.ok, again.output).toBe(true);
    expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining("✅ The version claims")]);
  });

  test("says of examples that ask a host that they show nothing, until its answers are recorded", async () => {
    const github = await startGitHub();
    const asking: AgentTool = {
      handler: 'export default async (_, ctx) => ({ text: (await ctx.fetch("https://a.example/")).text() });\n',
      manifest: `uses: [fetch]\negress: [a.example]\ninput: { type: object }
output: { type: object, properties: { text: { type: string } } }
examples:
  - { input: {}, output: { text: "7" } }`,
    };
    const tools = { greet: greet(), asking };
    const pull = await openPullRequest(agentFiles({ version: "1.1.0", tools }));
    const without = await validate(pull, github);
    expect(without.ok, without.output).toBe(true);
    expect(without.summary).toContain("- ➖ Tools answer as their examples say, but for 1 that show nothing:");
    await pull.repository.commit({
      "tools/runner/asking.recording.yaml": `at: 2026-01-31T12:00:00Z
answers:
  - request: { method: GET, url: "https://a.example/" }
    response: { status: 200, body: "7" }
`,
    });
    const shown = await validate(pull, github);
    expect(shown.ok, shown.output).toBe(true);
    expect(shown.summary).toContain("- ✅ Tools answer as their examples say.\n");
  });

  test("fails one whose manifest is wrong or whose example is not kept, and shows where", async () => {
    const github = await startGitHub();
    const wrong = await validate(await openPullRequest({ "manifests/runner/greet.yaml": "name: x\n" }), github);
    expect([wrong.ok, wrong.output]).toEqual([
      false,
      expect.stringContaining("::error file=manifests/runner/greet.yaml,line=1"),
    ]);
    const broken = await validate(await openPullRequest({ "tools/runner/greet.ts": greet("", "Hi").handler }), github);
    expect([broken.ok, broken.output]).toEqual([false, expect.stringContaining("title=example-broken")]);
    expect(broken.summary).toContain('        /text: expected "Hello, Ada!", got "Hi, Ada!"');
    expect(github.comments).toHaveLength(1);
  });

  test("does without a comment where the token may only read", async () => {
    const github = await startGitHub();
    github.faults.push({ status: 200, done: true }, { status: 403 });
    const run = await validate(await openPullRequest({}), github);
    expect([run.ok, run.output]).toEqual([true, expect.stringContaining("::warning title=No comment::")]);
  });

  test("takes a base that has no version yet", async () => {
    const repository = await createRepository();
    const base = await repository.commit({ "README.md": "Nothing yet." });
    await repository.commit(agentFiles({ version: "1.0.0", tools: { greet: greet() } }));
    const run = await validate({ repository, base }, await startGitHub());
    expect([run.ok, run.summary]).toEqual([true, expect.stringContaining("no valid version before this one")]);
  });
});

describe("[D5] the action that validates", PATIENCE, () => {
  const use = (github: GitHubStandIn, workspace: string, base: string, inputs: Step["with"] = {}) =>
    runSteps([{ id: "cairn", uses: "./.github/actions/validate", with: inputs }], {
      workspace,
      context: {
        github: {
          event_name: "pull_request",
          token: TOKEN,
          event: { pull_request: { number: 7, base: { sha: base } } },
        },
      },
      environment: environmentOf(github),
    });

  test("asks the stand-ins it is given, and comments only where it may", async () => {
    const github = await startGitHub();
    const { repository, base } = await openPullRequest({});
    const run = await use(github, repository.path, base, { comment: false, "egress-map": "wrong" });
    expect([run.ok, run.output]).toEqual([false, expect.stringContaining("`wrong` must be `host=URL`")]);
    expect(github.requests).toEqual([]);
  });

  test("puts out the version, the bump that it needs, and whether that breaks callers", async () => {
    const github = await startGitHub();
    const { repository, base } = await openPullRequest(
      agentFiles({ version: "1.0.1", tools: { greet: greet(", title") } }),
    );
    const under = await use(github, repository.path, base);
    expect([under.ok, under.outputs["cairn"]]).toEqual([false, { version: "1.0.1", bump: "major", breaking: "true" }]);
    await repository.commit({ "manifests/runner/greet.yaml": "name: x\n" });
    const wrong = await use(github, repository.path, base, { comment: false });
    expect([wrong.ok, wrong.outputs["cairn"]]).toEqual([false, { version: "", bump: "", breaking: "" }]);
  });

  test("checks an agent in a folder of a larger repository, and names its files from the top", async () => {
    const github = await startGitHub();
    const within = (files: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`agents/desk/${path}`, text]));
    const repository = await createRepository();
    const base = await repository.commit(within(agentFiles({ version: "1.0.0", tools: { greet: greet() } })));
    const path = { path: "agents/desk" };
    await repository.commit(within(agentFiles({ version: "1.0.1", tools: { greet: greet(", title") } })));
    const under = await use(github, repository.path, base, path);
    expect([under.ok, under.outputs["cairn"]]).toEqual([false, { version: "1.0.1", bump: "major", breaking: "true" }]);
    expect(under.output).toMatch(/::error file=agents\/desk\/manifests\/runner\/greet\.yaml,line=\d+/);
    expect(github.comments.map(({ body }) => body)).toEqual([
      expect.stringMatching(/^<!-- cairn: validate agents%2Fdesk -->\n## Cairn: agents\/desk\n/),
    ]);
  });
});

describe("[D5] the workflow that `cairn init` leaves", PATIENCE, () => {
  test("fails a pull request that claims too little", async () => {
    const { jobs } = await readYamlFile<Workflow>("template/.github/workflows/validate.yml");
    // The test's repository has installed nothing.
    const steps = (jobs["validate"]?.steps ?? [])
      .filter(({ run }) => !/npm ci|tsc/.test(run ?? ""))
      .map((step) =>
        step.run === undefined
          ? step
          : { ...step, run: step.run.replace("npx --no-install cairn", `node ${process.cwd()}/bin/cairn.mjs`) },
      );
    const { repository, base } = await openPullRequest({});
    const run = (event: string) =>
      runSteps(steps, {
        workspace: repository.path,
        context: { github: { event_name: event, event: { pull_request: { base: { sha: base } } } } },
      });
    expect((await run("pull_request")).ok).toBe(true);
    await repository.commit(agentFiles({ version: "1.0.1", tools: { greet: greet(", title") } }));
    expect((await run("push")).ok).toBe(true);
    const refused = await run("pull_request");
    expect([refused.ok, refused.output]).toEqual([
      false,
      expect.stringContaining("::error file=manifests/runner/greet"),
    ]);
  });
});

describe("[D5] the workflow that releases", PATIENCE, () => {
  test("tags what was merged and publishes it, once", async () => {
    const github = await startGitHub();
    const bare = openRepository(await temporaryFolder());
    await bare.git("init", "--quiet", "--bare", "--initial-branch=main");
    const repository = await createRepository();
    await repository.git("remote", "add", "origin", bare.path);
    const head = await repository.commit(agentFiles({ version: "1.0.0", tools: { greet: greet() } }));
    const { jobs } = await readYamlFile<Workflow>(".github/workflows/release.yml");
    const steps = (jobs["release"]?.steps ?? []).map((step, index) => ({ ...step, id: `step-${index}` }));
    const release = () =>
      runSteps(steps, {
        workspace: repository.path,
        context: { github: { token: TOKEN, sha: head } },
        environment: environmentOf(github),
      });
    const first = await release();
    expect(first.ok, first.output).toBe(true);
    expect(await bare.git("rev-parse", "v1.0.0^{commit}")).toBe(head);
    expect(first.summary).toBe("v1.0.0\n\n- Changes of 1.0.0.\n");
    expect(first.outputs["step-1"]).toEqual({ released: "true", version: "1.0.0", bump: "", breaking: "" });
    expect(github.releases).toEqual([{ tag_name: "v1.0.0", body: "- Changes of 1.0.0.", prerelease: false }]);
    const second = await release();
    expect([second.ok, second.output]).toEqual([true, expect.stringContaining("Nothing was released.")]);
    expect(second.outputs["step-1"]).toMatchObject({ released: "false", version: "1.0.0" });
    await repository.commit(agentFiles({ version: "1.0.1", tools: { greet: greet(", title") } }));
    expect((await release()).ok).toBe(false);
    expect(await bare.git("tag")).toBe("v1.0.0");
    await repository.commit(
      agentFiles({ version: "2.0.0", tools: { greet: { ...greet(", title"), version: "2.0.0" } } }),
    );
    const third = await release();
    expect([third.ok, third.outputs["step-1"]], third.output).toEqual([
      true,
      { released: "true", version: "2.0.0", bump: "major", breaking: "true" },
    ]);
  });
});
