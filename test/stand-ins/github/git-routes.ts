import { presentCommit, presentRef } from "./present.ts";
import { type Asked, notFound, optionalText, refuse, type Routes, text } from "./reply.ts";
import type { State } from "./state.ts";

const GIT = "/repos/{owner}/{repo}/git";
const NAME = /^refs\/(?:heads|tags|[\w-]+)\/[^\s~^:?*[\\]+$/;

interface TreeItem {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha?: string | null;
  readonly content?: string;
}

/** Git's own objects and refs. */
export function gitRoutes(state: State): Routes {
  const { git, github } = state;
  const typeOf = (oid: string) => git.git(["cat-file", "-t", oid]);
  const need = async (oid: string, type: string) => {
    const found = /^[0-9a-f]{40}$/.test(oid) ? await git.attempt(["cat-file", "-t", oid]) : undefined;
    if (found?.text !== type) throw refuse(422, "Object does not exist");
    return oid;
  };
  const commit = async (sha: string) => presentCommit(state, sha, await git.git(["cat-file", "commit", sha]));
  const refOf = async (asked: Asked) => {
    const name = `refs/${asked.param("ref")}`;
    return { name, oid: await git.find(name) };
  };

  return {
    [`GET ${GIT}/ref/{ref}`]: async (asked) => {
      const { name, oid } = await refOf(asked);
      if (oid === undefined) throw notFound();
      return { status: 200, body: presentRef(state, name, oid, await typeOf(oid)) };
    },
    [`GET ${GIT}/matching-refs/{ref}`]: async (asked) => {
      const { name } = await refOf(asked);
      const found = [...(await git.refs())].filter(([ref]) => ref.startsWith(name));
      const items = await Promise.all(found.map(async ([ref, oid]) => presentRef(state, ref, oid, await typeOf(oid))));
      return { status: 200, body: items };
    },
    [`POST ${GIT}/refs`]: async ({ body }) => {
      const [name, oid] = [text(body, "ref"), text(body, "sha")];
      if (!NAME.test(name)) throw refuse(422, `${name} is not a valid ref name.`);
      if ((await git.find(`${oid}^{object}`)) === undefined) throw refuse(422, "Object does not exist");
      if ((await git.find(name)) !== undefined) throw refuse(422, "Reference already exists");
      const made = await git.attempt(["update-ref", name, oid, "0".repeat(40)]);
      if (made.code !== 0) throw refuse(422, "Reference update failed");
      return { status: 201, body: presentRef(state, name, oid, await typeOf(oid)) };
    },
    [`PATCH ${GIT}/refs/{ref}`]: async (asked) => {
      const { name, oid: old } = await refOf(asked);
      const oid = text(asked.body, "sha");
      if (old === undefined) throw refuse(422, "Reference does not exist");
      await need(oid, "commit");
      if (state.protections.has(name.replace("refs/heads/", ""))) throw refuse(422, "Protected branch update failed");
      const forward = await git.attempt(["merge-base", "--is-ancestor", old, oid]);
      if (forward.code !== 0 && asked.body["force"] !== true) throw refuse(422, "Update is not a fast forward");
      await git.git(["update-ref", name, oid, old]);
      return { status: 200, body: presentRef(state, name, oid, "commit") };
    },
    [`DELETE ${GIT}/refs/{ref}`]: async (asked) => {
      const { name, oid } = await refOf(asked);
      if (oid === undefined) throw refuse(422, "Reference does not exist");
      await git.git(["update-ref", "-d", name, oid]);
      return { status: 204 };
    },
    [`POST ${GIT}/blobs`]: async ({ body }) => {
      const bytes = Buffer.from(text(body, "content"), body["encoding"] === "base64" ? "base64" : "utf8");
      const sha = await git.git(["hash-object", "-w", "--stdin"], bytes);
      return { status: 201, body: github.shape("short-blob", { sha }) };
    },
    [`GET ${GIT}/blobs/{file_sha}`]: async ({ param }) => {
      const { code, bytes } = await git.attempt(["cat-file", "blob", param("file_sha")]);
      if (code !== 0) throw notFound();
      const content = bytes.toString("base64");
      return { status: 200, body: github.shape("blob", { sha: param("file_sha"), content, encoding: "base64" }) };
    },
    [`POST ${GIT}/trees`]: async ({ body }) => {
      const base = optionalText(body, "base_tree");
      const items = body["tree"] as readonly TreeItem[];
      const sha = await writeTree(state, base === undefined ? undefined : await need(base, "tree"), items);
      return { status: 201, body: github.shape("git-tree", { sha, truncated: false }) };
    },
    [`GET ${GIT}/trees/{tree_sha}`]: async ({ param, query }) => {
      const sha = await git.find(`${param("tree_sha")}^{tree}`);
      if (sha === undefined) throw notFound();
      const recursive = query.has("recursive") ? ["-r", "-t"] : [];
      const lines = (await git.git(["ls-tree", "-z", ...recursive, sha])).split("\0").filter(Boolean);
      const tree = lines.map((line) => {
        const [about = "", path = ""] = line.split("\t");
        const [mode, type, oid] = about.split(" ");
        return { path, mode, type, sha: oid };
      });
      return { status: 200, body: github.shape("git-tree", { sha, tree, truncated: false }) };
    },
    [`POST ${GIT}/commits`]: async ({ body, actor }) => {
      const tree = await need(text(body, "tree"), "tree");
      const parents = Array.isArray(body["parents"]) ? body["parents"].map(String) : [];
      for (const parent of parents) await need(parent, "commit");
      const own = { name: actor.login, email: `${actor.login}@github.test`, date: new Date().toISOString() };
      const author = { ...own, ...(body["author"] as object | undefined) };
      const committer = { ...author, ...(body["committer"] as object | undefined) };
      const sha = await git.git(["commit-tree", tree, ...parents.flatMap((p) => ["-p", p])], text(body, "message"), {
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_AUTHOR_DATE: author.date,
        GIT_COMMITTER_NAME: committer.name,
        GIT_COMMITTER_EMAIL: committer.email,
        GIT_COMMITTER_DATE: committer.date,
      });
      return { status: 201, body: await commit(sha) };
    },
    [`GET ${GIT}/commits/{commit_sha}`]: async ({ param }) => {
      const sha = param("commit_sha");
      if ((await git.attempt(["cat-file", "-t", sha])).text !== "commit") throw notFound();
      return { status: 200, body: await commit(sha) };
    },
    [`POST ${GIT}/tags`]: async ({ body, actor }) => {
      const [name, object, type] = [text(body, "tag"), text(body, "object"), text(body, "type")];
      await need(object, type);
      const who = { name: actor.login, email: `${actor.login}@github.test`, ...(body["tagger"] as object | undefined) };
      const seconds = Math.floor(Date.now() / 1000);
      const content = `object ${object}\ntype ${type}\ntag ${name}\ntagger ${who.name} <${who.email}> ${seconds} +0000\n\n${text(body, "message")}\n`;
      const sha = await git.git(["mktag"], content);
      return {
        status: 201,
        body: github.shape("git-tag", { sha, tag: name, object: { sha: object, type }, tagger: who }),
      };
    },
    [`GET ${GIT}/tags/{tag_sha}`]: async ({ param }) => {
      const sha = param("tag_sha");
      const { code, text: raw } = await git.attempt(["cat-file", "tag", sha]);
      if (code !== 0) throw notFound();
      const [, object, type, tag] = /^object (\w+)\ntype (\w+)\ntag (.*)\n/.exec(raw) ?? [];
      return {
        status: 200,
        body: github.shape("git-tag", { sha, tag, message: raw.split("\n\n")[1], object: { sha: object, type } }),
      };
    },
  };
}

/** An index beside the repository, so that requests never meet in one. */
async function writeTree(state: State, base: string | undefined, items: readonly TreeItem[]): Promise<string> {
  const { git } = state;
  const environment = { GIT_INDEX_FILE: `${git.path}/index-${state.nextId()}` };
  const lines: string[] = [];
  for (const item of items) {
    const inBase = base === undefined ? "" : await git.git(["ls-tree", base, "--", item.path]);
    if (item.sha === null && inBase === "") throw refuse(422, "GitRPC::BadObjectState");
    const oid =
      item.content === undefined
        ? item.sha
        : await git.git(["hash-object", "-w", "--stdin"], Buffer.from(item.content));
    lines.push(oid === null ? `0 ${"0".repeat(40)}\t${item.path}` : `${item.mode} ${oid}\t${item.path}`);
  }
  if (lines.some((line) => /\t(?:\/|.*(?:^|\/)\.{1,2}(?:\/|$)|(?:.*\/)?\.git(?:\/|$))/.test(line))) {
    throw refuse(422, "tree.path contains a malformed path component");
  }
  await git.git(["read-tree", ...(base === undefined ? ["--empty"] : [base])], "", environment);
  await git.git(["update-index", "-z", "--index-info"], lines.map((line) => `${line}\0`).join(""), environment);
  return git.git(["write-tree"], "", environment);
}
