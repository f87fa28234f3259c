import { readFile } from "node:fs/promises";
import { App, Octokit } from "octokit";
import { CairnError } from "../../errors.ts";
import { makeConditional } from "./conditional.ts";
import { toCairnError } from "./to-cairn-error.ts";

/** Who Cairn is on GitHub. Only an app can report checks of its own; with a token they become commit statuses. */
export type GitHubIdentity =
  | { readonly kind: "token"; readonly token: string }
  /** `privateKeyPath` names the PEM file, so that the key stands in no configuration. */
  | { readonly kind: "app"; readonly id: number; readonly privateKeyPath: string };

export interface GitHubOptions {
  readonly identity: GitHubIdentity;
  readonly owner: string;
  readonly repo: string;
  /** Of the REST interface, of an Enterprise server for example `https://github.example.com/api/v3`. Default: github.com. */
  readonly baseUrl?: string;
  /** Milliseconds for one request, all of its answer included. */
  readonly timeoutMs: number;
}

export async function openGitHub(options: GitHubOptions): Promise<Octokit> {
  const { identity, owner, repo, baseUrl, timeoutMs } = options;
  const Configured = Octokit.defaults({
    userAgent: "cairn",
    ...(baseUrl !== undefined && { baseUrl }),
    // Its plugins wait by their own clock, repeat what must not be, and carry their counts from one call into the next.
    retry: { enabled: false },
    throttle: { enabled: false },
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    request: {
      fetch: (url: string, init: RequestInit) => fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) }),
    },
  });
  const octokit =
    identity.kind === "token" ? new Configured({ auth: identity.token }) : await openApp(identity, Configured);
  makeConditional(octokit);
  return octokit;

  async function openApp({ id, privateKeyPath }: GitHubIdentity & { kind: "app" }, Client: typeof Octokit) {
    const privateKey = await readFile(privateKeyPath, "utf8").catch((cause: unknown) => {
      throw new CairnError("BAD_REQUEST", `The app's private key cannot be read at \`${privateKeyPath}\`.`, { cause });
    });
    const app = new App({ appId: id, privateKey, Octokit: Client });
    const what = `find where the app ${id} is installed in \`${owner}/${repo}\``;
    try {
      const { data } = await app.octokit.rest.apps.getRepoInstallation({ owner, repo });
      return await app.getInstallationOctokit(data.id);
    } catch (error) {
      throw toCairnError(error, what);
    }
  }
}

function ignore(): void {}
