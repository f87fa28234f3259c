import type { Service, ServiceOptions } from "../../server/app/app.ts";
import { type GitHubHost, startGitHubHost } from "../stand-ins/github/start-github-host.ts";
import { agentFiles } from "./agent.ts";
import { openTestService } from "./open-service.ts";
import { createRepository, type TestRepository } from "./repository.ts";
import { temporaryFolder } from "./temporary.ts";

export const WEBHOOK_SECRET = "a-secret-of-some-length";
/** What a `test` agent is, by version. */
export const agent = (version: string, parent?: string) =>
  agentFiles({ version, ...(parent === undefined ? {} : { parent }), tools: { greet: { handler: GREET } } });
const GREET = "export default () => ({ greeting: 'hello' });\n";

export interface GitHubServiceBench {
  readonly host: GitHubHost;
  /** A checkout whose `main` the host began with, tagged v1.0.0. */
  readonly checkout: TestRepository;
  readonly first: string;
  readonly data: string;
  open(settings?: Readonly<Record<string, string>>, options?: Partial<ServiceOptions>): Promise<Service>;
}

/** The stand-in of GitHub with a repository that has a version, whose `main` wants the check `validate`. `given`: with what that checkout has. */
export async function startGitHubService(given?: TestRepository): Promise<GitHubServiceBench> {
  const host = await startGitHubHost();
  const { owner, repo, git, app } = host.state;
  const checkout = given ?? (await createAgent());
  const first = await checkout.git("rev-parse", "v1.0.0^{commit}");
  await git.git(["fetch", "--quiet", checkout.path, "+refs/*:refs/*"]);
  const parameters = {
    strict_required_status_checks_policy: true,
    required_status_checks: [{ context: "validate" }],
  };
  await host.ask(host.credentials.issueUserToken("ada"), `POST /repos/${owner}/${repo}/rulesets`, {
    name: "green",
    target: "branch",
    enforcement: "active",
    conditions: { ref_name: { include: ["~DEFAULT_BRANCH"], exclude: [] } },
    rules: [{ type: "required_status_checks", parameters }],
  });
  const data = await temporaryFolder();
  return {
    host,
    checkout,
    first,
    data,
    async open(settings = {}, options = {}) {
      const environment = {
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        PORT: "0",
        CAIRN_DATA: data,
        CAIRN_REPO: `${host.url}/${owner}/${repo}.git`,
        // Nothing but what is told is noticed.
        CAIRN_FETCH_INTERVAL: "86400",
        CAIRN_GITHUB_API: host.url,
        CAIRN_GITHUB_APP_ID: String(app.id),
        CAIRN_GITHUB_APP_KEY: "env:APP_KEY",
        APP_KEY: host.credentials.privateKey,
        CAIRN_GITHUB_WEBHOOK_SECRET: "env:WEBHOOK_SECRET",
        WEBHOOK_SECRET,
        ...settings,
      };
      return openTestService(environment, data, { checkout: checkout.path, ...options });
    },
  };
}

async function createAgent(): Promise<TestRepository> {
  const repository = await createRepository();
  await repository.commit(agent("1.0.0"));
  await repository.tag("v1.0.0");
  return repository;
}
