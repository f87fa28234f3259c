import type { Place } from "../context.ts";
import { type CodeOwners, readCodeOwners } from "./code-owners.ts";

/** The owners of code on a branch, and the file that says so. */
export interface FoundOwners {
  readonly path: string;
  readonly codeOwners: CodeOwners;
}

/** Where GitHub looks for the file, in this order. */
export const PLACES = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"] as const;
/** GitHub does not read one of this size, in bytes. */
const TOO_LARGE = 3_000_000;

interface Found {
  readonly repository: Readonly<Record<string, { readonly oid: string; readonly byteSize?: number } | null>>;
}

const LOOK = `query ($owner: String!, $repo: String!, ${PLACES.map((_, at) => `$place${at}: String!`).join(", ")}) {
  repository(owner: $owner, name: $repo) {
    ${PLACES.map((_, at) => `at${at}: object(expression: $place${at}) { oid ... on Blob { byteSize } }`).join("\n    ")}
  }
}`;

/** Loads the owners of code as a branch has them; `undefined` where GitHub finds no file of them. */
export async function loadCodeOwners({ api, owner, repo }: Place, branch: string): Promise<FoundOwners | undefined> {
  const what = `read the code owners of \`${branch}\``;
  const places = Object.fromEntries(PLACES.map((path, at) => [`place${at}`, `refs/heads/${branch}:${path}`]));
  const { repository } = await api.query<Found>(what, LOOK, { owner, repo, ...places });
  for (const [at, path] of PLACES.entries()) {
    const found = repository[`at${at}`] ?? undefined;
    // A folder of that name is none.
    if (found?.byteSize === undefined) continue;
    if (found.byteSize > TOO_LARGE) return undefined;
    const blob = await api.read(what, () => api.octokit.rest.git.getBlob({ owner, repo, file_sha: found.oid }));
    return { path, codeOwners: readCodeOwners(Buffer.from(blob.content, "base64").toString("utf8")) };
  }
  return undefined;
}

/** Loads what GitHub finds wrong with the owners of code on a branch, such as an unknown name, each as a sentence. */
export async function loadOwnersProblems({ api, owner, repo }: Place, branch: string): Promise<readonly string[]> {
  const what = `check the code owners of \`${branch}\``;
  const found = await api.find(what, () => api.octokit.rest.repos.codeownersErrors({ owner, repo, ref: branch }));
  return (found?.errors ?? []).map(({ line, kind, source = "", path }) => {
    const words = source.trim() === "" ? "" : `: \`${source.trim()}\``;
    return `GitHub takes line ${line} of \`${path}\` only in part or not at all (${kind.toLowerCase()})${words}.`;
  });
}
