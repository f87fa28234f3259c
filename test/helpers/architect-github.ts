import { readFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Service } from "../../server/app/app.ts";
import { createLog } from "../../server/log/log.ts";
import { SHAPES_ONLY } from "../../server/log/redact.ts";
import { createInstantTime } from "../server/forge/open-github-bench.ts";
import { type GitHubHost, startGitHubHost } from "../stand-ins/github/start-github-host.ts";
import type { Pull } from "../stand-ins/github/state.ts";
import { agentFiles } from "./agent.ts";
import { WEBHOOK_SECRET } from "./github-service.ts";
import { patiently } from "./patiently.ts";
import { authenticateAs, openTestService } from "./open-service.ts";
import { createRepository, type TestRepository } from "./repository.ts";
import { type AtEnd, temporaryFolder } from "./temporary.ts";

type Files = Readonly<Record<string, string | null>>;

/** A repository on the stand-in of GitHub whose one version is 1.0.0, and a data folder for the service that serves it. */
export interface ArchitectGitHub {
  readonly host: GitHubHost;
  /** A checkout of somebody who works in the repository, at what the host began with. */
  readonly checkout: TestRepository;
  readonly first: string;
  readonly data: string;
  /** What a service needs to be told of the repository, as environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Commits on what `branch` of the host is at, or else on what `main` is, and pushes it there. */
  push(branch: string, files: Files): Promise<string>;
  /** Has a branch of the host be at a commit of the checkout, as those can who no rule holds back. */
  place(branch: string, commit: string): Promise<void>;
  /** What a branch, a tag or a commit of the host has at a path. */
  read(revision: string, path: string): Promise<string>;
}

export interface ArchitectGitHubOptions {
  readonly files?: Files;
  /** Checks that `main` wants. Default: the outside one and Cairn's own. */
  readonly required?: readonly string[];
  /** Whether GitHub itself wants branches to be up to date. Default: yes. */
  readonly strict?: boolean;
  /** People who have to approve. Default: none. */
  readonly reviews?: number;
  readonly atEnd?: AtEnd;
}

/** Of the outside continuous integration. */
export const CI = "ci";

/** Units that the tool knows and does not take, for as many changes. */
export const UNITS: readonly string[] = ["kelvin", ...Array.from({ length: 60 }, (_, index) => `scale${index + 1}`)];

const HANDLER = `const SYMBOLS = {
  metric: "°C",
  imperial: "°F",
${UNITS.map((unit) => `  ${unit}: "${unit}",\n`).join("")}};
export default ({ city, units = "metric", style = "" }) => ({ summary: style + city + " in " + SYMBOLS[units] });
`;
/** Takes a field that no example has. */
const WEATHER = `input:
  type: object
  required: [city]
  properties:
    city: { type: string }
    units: { type: string, enum: [metric, imperial], default: metric }
    style: { type: string }
  additionalProperties: false
output:
  type: object
  required: [summary]
  properties:
    summary: { type: string }
  additionalProperties: false
examples:
  - description: The units can be imperial.
    input: { city: Paris, units: imperial }
    output: { summary: Paris in °F }`;

/** The least agent that has a tool to change, and the server by which its changes are approved. */
async function weatherAgent(): Promise<Files> {
  const own = globSync([
    "manifests/work/*.yaml",
    "tools/work/*.ts",
    "tools/_lib/work/*.ts",
    "manifests/workflows/*.yaml",
  ]);
  return {
    ...agentFiles({ version: "1.0.0", tools: { weather: { handler: HANDLER, manifest: WEATHER } } }),
    ...Object.fromEntries(await Promise.all(own.map(async (file) => [file, await readFile(file, "utf8")] as const))),
    "manifests/agent.yaml": "name: test-agent\ndescription: Weather for tests.\nhostApi: 1.3.0\n",
    "manifests/policies/access.yaml": 'roles: { all: ["tool:*", "architect:chat"] }\n',
    "docs/notes.md": "one\ntwo\nthree\n",
  };
}

export async function startArchitectGitHub(options: ArchitectGitHubOptions = {}): Promise<ArchitectGitHub> {
  const { required = [CI, "cairn"], strict = true, reviews = 0, atEnd = onTestFinished } = options;
  const agent = options.files ?? (await weatherAgent());
  const host = await startGitHubHost(atEnd);
  const { owner, repo, git, app } = host.state;
  const checkout = await createRepository(await temporaryFolder(atEnd));
  const first = await checkout.commit(agent);
  await checkout.tag(`v${findCurrent(agent)}`);
  await git.git(["fetch", "--quiet", checkout.path, "+refs/*:refs/*"]);
  const parameters = {
    strict_required_status_checks_policy: strict,
    required_status_checks: required.map((context) => ({ context })),
  };
  const review = {
    required_approving_review_count: reviews,
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_review_thread_resolution: false,
  };
  await host.ask(host.credentials.issueUserToken("ada"), `POST /repos/${owner}/${repo}/rulesets`, {
    name: "green",
    target: "branch",
    enforcement: "active",
    conditions: { ref_name: { include: ["~DEFAULT_BRANCH"], exclude: [] } },
    rules: [
      ...(required.length === 0 ? [] : [{ type: "required_status_checks", parameters }]),
      ...(reviews === 0 ? [] : [{ type: "pull_request", parameters: review }]),
    ],
  });
  const data = await temporaryFolder(atEnd);
  const place = async (branch: string, commit: string) => {
    await checkout.git("update-ref", `refs/placed/${branch}`, commit);
    await git.git(["fetch", "--quiet", checkout.path, `+refs/placed/${branch}:refs/heads/${branch}`]);
  };
  return {
    host,
    checkout,
    first,
    data,
    environment: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      PORT: "0",
      CAIRN_DATA: data,
      CAIRN_REPO: `${host.url}/${owner}/${repo}.git`,
      // What nobody tells of is not noticed by itself.
      CAIRN_FETCH_INTERVAL: "86400",
      CAIRN_FORGE: "github",
      CAIRN_FORGE_INTERVAL: "1",
      CAIRN_GITHUB_API: host.url,
      CAIRN_GITHUB_APP_ID: String(app.id),
      CAIRN_GITHUB_APP_KEY: "env:APP_KEY",
      APP_KEY: host.credentials.privateKey,
      CAIRN_GITHUB_WEBHOOK_SECRET: "env:WEBHOOK_SECRET",
      WEBHOOK_SECRET,
    },
    async push(branch, files) {
      const there = await git.find(`refs/heads/${branch}`);
      await checkout.git("fetch", "--quiet", git.path, "+refs/heads/*:refs/remotes/host/*");
      await checkout.git(
        "checkout",
        "--quiet",
        "--detach",
        `refs/remotes/host/${there === undefined ? "main" : branch}`,
      );
      const commit = await checkout.commit(files);
      await place(branch, commit);
      return commit;
    },
    place,
    read: (revision, path) => git.git(["show", `${revision}:${path}`]),
  };
}

/** Finds which version files say that they are. */
export function findCurrent(files: Files): string {
  return /^current: (\S+)$/m.exec(files["versions.yaml"] ?? "")?.[1] ?? "";
}

/** Callers by what they send as `Authorization`: two people of one tenant who may do everything. */
export const ADA = "Bearer ada";
export const BOB = "Bearer bob";

/** A service of this process, which waits for GitHub without taking time. */
export async function openArchitectService(
  { environment: given, data, checkout }: ArchitectGitHub,
  settings: Readonly<Record<string, string>> = {},
  { logTo, atEnd = onTestFinished }: { readonly logTo?: NodeJS.WritableStream; readonly atEnd?: AtEnd } = {},
): Promise<Service> {
  const environment = { ...given, ...settings };
  const caller = (actor: string) => ({ tenant: "acme", actor, roles: ["*"], scopes: new Set(["*"]) });
  return openTestService(environment, data, {
    checkout: checkout.path,
    ...(logTo === undefined ? {} : { log: createLog("trace", logTo, SHAPES_ONLY) }),
    forgeTime: createInstantTime().time,
    authenticate: authenticateAs({ [ADA]: caller("ada"), [BOB]: caller("bob") }),
    atEnd,
  });
}

/** Where the pull requests' numbers, tags and branches of the host stand. */
export async function describeHost({ host }: ArchitectGitHub) {
  const { state } = host;
  const refs = (await state.git.git(["for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags"])).split("\n");
  return {
    pulls: state.pulls.map(({ number, state: is, mergedAs }) => ({
      number,
      is: mergedAs === undefined ? is : "merged",
    })),
    refs: refs.toSorted(),
  };
}

/** Every file of the data folder, for what must stand in none of them. */
export async function readData({ data }: ArchitectGitHub): Promise<string> {
  const files = globSync("**/*", { cwd: data, withFileTypes: true }).filter((one) => one.isFile());
  return (await Promise.all(files.map((one) => readFile(join(one.parentPath, one.name), "latin1")))).join("\n");
}

/** The last pull request for feedback, by the address of its status, once it is open. */
export function findOpenPull({ host }: ArchitectGitHub, location: string): Promise<Pull> {
  const branch = `proposal/${location.split("/").at(-1)}`;
  return patiently(() => {
    const pull = host.state.pulls.findLast(({ head }) => head.startsWith(branch));
    if (pull?.state !== "open") throw new Error("There is no open pull request.");
    return pull;
  });
}
