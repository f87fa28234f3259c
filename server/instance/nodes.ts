import { createHmac } from "node:crypto";
import { CairnError } from "../errors.ts";
import { defined } from "../json/defined.ts";
import type { Member, Members } from "../store/members.ts";
import { createNodeToken, NODE_HEADER, type NodeRequest, readNodeToken, toBodyDigest } from "./node-token.ts";

/** Nodes that share the store of this service, as one of them sees them. */
export interface Nodes {
  readonly self: Member;
  /** Identifier of the node that has all workspaces; absent: each has those that it was asked for first. */
  readonly home?: string;
  /** Nodes and commands that may write to the store, this one included. At most MEMBERS_AGE_MS old. */
  list(): Promise<readonly Member[]>;
  /** Finds a node by its identifier; `undefined` once it has ended: then it can never write again, nor answer for anything. */
  find(id: string): Promise<Member | undefined>;
  isAlive(id: string): Promise<boolean>;
  /** Sends a request to a node, which knows by it that this is one. @throws UNAVAILABLE where that does not answer */
  request(id: string, request: SentToNode): Promise<Response>;
  /** Finds which node sent a request; `undefined` where it does not say that one did. @throws UNAUTHENTICATED, or MISDIRECTED for another node's */
  findSender(received: ReceivedByNode): Pick<NodeRequest, "from" | "digest"> | undefined;
  /** Digest of a text by which nodes compare what they do not show: without their key nobody can guess the text. */
  digest(text: string): string;
}

export interface SentToNode {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
}

export interface ReceivedByNode {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Value of the header `cairn-node`. */
  readonly token: string | undefined;
}

export interface NodesOptions {
  readonly members: Members;
  /** Key that all nodes of the store have, and nobody else. */
  readonly key: Uint8Array;
  readonly fetch: typeof fetch;
  /** Milliseconds since 1970, by the database's clock. */
  readonly storeTime: () => number;
  /** Milliseconds that nobody sets back. */
  readonly elapsed: () => number;
}

/** Milliseconds for which a list of members is good enough. */
const MEMBERS_AGE_MS = 1_000;
/** Characters of a digest, of 6 bits each. */
const DIGEST_LENGTH = 16;

/** Creates what this service knows of the nodes beside it. */
export function createNodes({ members, key, fetch, storeTime, elapsed }: NodesOptions): Nodes {
  const { self, home } = members;
  let known: { readonly at: number; readonly list: Promise<readonly Member[]> } | undefined;

  function list(maxAge = MEMBERS_AGE_MS): Promise<readonly Member[]> {
    if (known !== undefined && elapsed() - known.at < maxAge) return known.list;
    const loaded = { at: elapsed(), list: members.list() };
    known = loaded;
    loaded.list.catch(() => {
      if (known === loaded) known = undefined;
    });
    return loaded.list;
  }

  async function find(id: string): Promise<Member | undefined> {
    if (id === self.id) return self;
    const byId = (all: readonly Member[]) => all.find((one) => one.id === id);
    // One that came a moment ago is not in a list of before.
    return byId(await list()) ?? byId(await list(0));
  }

  return Object.freeze<Nodes>({
    self,
    ...defined({ home }),
    list: () => list(),
    find,
    isAlive: async (id) => (await find(id)) !== undefined,
    async request(id, { method, path, headers, body, signal }) {
      const node = await find(id);
      if (node?.address === undefined) throw new CairnError("UNAVAILABLE", "The node that this is for has ended.");
      const digest = toBodyDigest(body ?? "");
      const token = createNodeToken(key, { method, path, from: self.id, to: id, at: storeTime(), digest });
      try {
        return await fetch(new URL(path, node.address), {
          method,
          headers: { ...headers, [NODE_HEADER]: token },
          redirect: "error",
          ...defined({ body, signal }),
        });
      } catch (cause) {
        if (signal?.aborted === true) throw cause;
        throw new CairnError("UNAVAILABLE", `The node ${node.label} does not answer at ${node.address}.`, { cause });
      }
    },
    findSender({ token, ...received }) {
      return token === undefined
        ? undefined
        : readNodeToken(key, token, { ...received, to: self.id, now: storeTime() });
    },
    // No token of a request begins like this, so that neither can stand for the other.
    digest: (text) => createHmac("sha256", key).update(`compared\n${text}`).digest("base64url").slice(0, DIGEST_LENGTH),
  });
}
