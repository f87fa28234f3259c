import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Service } from "../../server/app/app.ts";
import type { Caller } from "../../server/auth/caller.ts";
import { createGreeter } from "../fixtures/greeter.ts";
import { authenticateAs, openTestService } from "./open-service.ts";
import { createRepository, openRepository, type TestRepository } from "./repository.ts";
import { type AtEnd, temporaryFolder } from "./temporary.ts";

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
  const seed = await createRepository(join(folder, "seed"));
  const current = /^current: (\S+)$/m.exec(files["versions.yaml"] ?? "")?.[1] ?? "";
  await seed.commit(files);
  await seed.tag(`v${current}`);
  const [bare, work, data] = [join(folder, "origin.git"), join(folder, "clone"), join(folder, "data")];
  await seed.git("clone", "--quiet", "--bare", seed.path, bare);
  await seed.git("clone", "--quiet", bare, work);
  const environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: "0",
    CAIRN_REPO: bare,
    CAIRN_DATA: data,
    ...options.environment,
  };
  const service = await openTestService(environment, folder, { authenticate: authenticateAs(people), atEnd });

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
    origin: openRepository(bare),
    clone: openRepository(work),
    data,
    post,
    get: (who, path) => send(who, path, {}),
    chat: (who, body, { version = "latest", headers = {} } = {}) =>
      post(who, `/agent/${version}/architect/chat`, body, headers),
  };
}
