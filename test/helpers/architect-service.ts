import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Service, ServiceOptions } from "../../server/app/app.ts";
import type { Caller } from "../../server/auth/caller.ts";
import { createGreeter } from "../fixtures/greeter.ts";
import { createInstantTime } from "../server/forge/open-github-bench.ts";
import { findCurrent, startArchitectGitHub } from "./architect-github.ts";
import { WEBHOOK_SECRET } from "./github-service.ts";
import { authenticateAs, openTestService } from "./open-service.ts";
import { createRepository, openRepository, type TestRepository } from "./repository.ts";
import { type AtEnd, temporaryFolder } from "./temporary.ts";
import { isThroughNodes } from "./through-nodes.ts";

/** A service with a local forge over a bare repository, for people with roles of their own. */
export interface ArchitectService {
  readonly service: Service;
  /** The bare repository that changes land in. */
  readonly origin: TestRepository;
  /** A clone of it, as somebody works in. */
  readonly clone: TestRepository;
  /** Data folder of the service. */
  readonly data: string;
  /** Sends feedback as somebody; the answer with its body as JSON. */
  chat(who: string, body: object, options?: ChatOptions): Promise<Answer>;
  get(who: string, path: string): Promise<Answer>;
  post(who: string, path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

interface ChatOptions {
  readonly version?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export const PEOPLE: Readonly<Record<string, Caller>> = {
  mia: toCaller("mia", "maintainer"),
  ada: toCaller("ada", "sender"),
  uwe: toCaller("uwe", "user"),
  pat: toCaller("pat", "approver"),
};

export function toCaller(actor: string, ...roles: readonly string[]): Caller {
  return { tenant: "acme", actor, roles, scopes: new Set(["*"]) };
}

export async function openArchitectService(
  options: {
    readonly files?: Readonly<Record<string, string>>;
    readonly people?: Readonly<Record<string, Caller>>;
    readonly environment?: Readonly<Record<string, string>>;
    readonly atEnd?: AtEnd;
  } = {},
): Promise<ArchitectService> {
  const { files = await createGreeter(), people = PEOPLE, atEnd = onTestFinished } = options;
  const folder = await temporaryFolder(atEnd);
  const ground = isThroughNodes() ? await openGitHubGround(files, atEnd) : await openLocalGround(files, folder);
  const [work, data] = [join(folder, "clone"), join(folder, "data")];
  await openRepository(folder).git("clone", "--quiet", ...ground.cloning, ground.bare, work);
  const environment = { ...ground.environment, CAIRN_DATA: data, ...options.environment };
  const authenticate = authenticateAs(people);
  const service = await openTestService(environment, folder, { authenticate, atEnd, ...ground.options });
  ground.follow(service.url);

  async function send(who: string, path: string, init: RequestInit): Promise<Answer> {
    const headers = { authorization: who, "content-type": "application/json", ...(init.headers as object) };
    const response = await fetch(`${service.url}${path}`, { ...init, headers });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
  const post: ArchitectService["post"] = (who, path, body, headers = {}) =>
    send(who, path, { method: "POST", body: JSON.stringify(body), headers });
  return {
    service,
    origin: openRepository(ground.bare),
    clone: openRepository(work),
    data,
    post,
    get: (who, path) => send(who, path, {}),
    chat: (who, body, { version = "latest", headers = {} } = {}) =>
      post(who, `/agent/${version}/architect/chat`, body, headers),
  };
}

/** The repository that changes land in, and what a service and people need to change it. */
interface Ground {
  readonly bare: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly options: Partial<ServiceOptions>;
  /** Options of `git clone` for people who push past what protects a branch. */
  readonly cloning: readonly string[];
  /** Has the repository tell a service of pushes. */
  follow(url: string): void;
}

type Files = Readonly<Record<string, string>>;

/** A bare repository of this machine, which its local forge changes. */
async function openLocalGround(files: Files, folder: string): Promise<Ground> {
  const seed = await createRepository(join(folder, "seed"));
  await seed.commit(files);
  await seed.tag(`v${findCurrent(files)}`);
  const bare = join(folder, "origin.git");
  await seed.git("clone", "--quiet", "--bare", seed.path, bare);
  const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"], PORT: "0", CAIRN_REPO: bare };
  return { bare, environment, options: {}, cloning: [], follow: () => undefined };
}

/** A repository on the stand-in of GitHub, for nodes: they can have no local forge. Its one required check is Cairn's own. */
async function openGitHubGround(files: Files, atEnd: AtEnd): Promise<Ground> {
  const { environment, host } = await startArchitectGitHub({ files, required: ["cairn"], atEnd });
  const events = ["push", "create", "check_run", "check_suite", "pull_request"];
  return {
    bare: host.state.git.path,
    // What people push past the host is noticed by looking.
    environment: { ...environment, CAIRN_FETCH_INTERVAL: "1" },
    options: { forgeTime: createInstantTime().time },
    cloning: ["--config", "remote.origin.receivepack=git -c core.hooksPath=/dev/null receive-pack"],
    follow: (url) => void host.webhooks.add({ url: `${url}/webhooks/github`, secret: WEBHOOK_SECRET, events }),
  };
}
