import { CairnError } from "../../errors.ts";
import type { Principal } from "../../principal.ts";
import type { Fetcher } from "../../capabilities/fetch/open-fetcher.ts";
import type { Version } from "../../versions/version.ts";
import type { Attachment } from "../planners/plan.ts";

/** Limits of attachments. Sizes are bytes of UTF-8. */
export const ATTACHMENT_LIMITS = Object.freeze({
  count: 16,
  bytes: 256 * 1024,
  totalBytes: 768 * 1024,
  uriLength: 2_000,
});

/** Views of the running service that feedback may name. */
const VIEWS: ReadonlySet<string> = new Set(["logs:", "state:", "eval:", "session:", "compat:", "assets:"]);
/** HTTPS addresses of objects in public buckets, by scheme. */
const STORES: Readonly<Record<string, (bucket: string, key: string) => string>> = {
  "s3:": (bucket, key) => `https://${bucket}.s3.amazonaws.com/${key}`,
  "gs:": (bucket, key) => `https://storage.googleapis.com/${bucket}/${key}`,
};
const PATIENCE_MS = 10_000;

export interface AttachmentSources {
  /**
   * Reads the view that a URI names in the version, for the principal, on one of these servers; undefined where none has
   * it.
   */
  readonly readView: ReadView;
  readonly fetcher: Pick<Fetcher, "fetch">;
}

export type ReadView = (
  version: Version,
  principal: Principal,
  servers: readonly string[],
  uri: string,
) => Promise<{ readonly mediaType: string; readonly text: string } | undefined>;

export interface AttachmentRequest {
  readonly version: Version;
  readonly principal: Principal;
  /** Servers that the sender's credentials are good for. */
  readonly servers: readonly string[];
  readonly uris: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Reads what feedback names, with the rights of whoever sent it: views of the service as its principal sees them, links
 * only to hosts that the version's reviewed manifests allow.
 *
 * @throws BAD_REQUEST, NOT_FOUND, EGRESS_DENIED and what reading ends with, naming the attachment.
 */
export async function loadAttachments(
  request: AttachmentRequest,
  sources: AttachmentSources,
): Promise<readonly Attachment[]> {
  const attachments: Attachment[] = [];
  let total = 0;
  for (const uri of request.uris) {
    const read = await load(uri, request, sources).catch((error: unknown) => {
      if (!(error instanceof CairnError)) throw error;
      throw new CairnError(error.name, `The attachment \`${uri}\`: ${error.message}`, { cause: error });
    });
    const bytes = Buffer.byteLength(read.text);
    total += bytes;
    const limit = bytes > ATTACHMENT_LIMITS.bytes ? ATTACHMENT_LIMITS.bytes : ATTACHMENT_LIMITS.totalBytes;
    if (bytes > limit || total > limit) {
      throw new CairnError("PAYLOAD_TOO_LARGE", `The attachments up to \`${uri}\` have more than ${limit} bytes.`);
    }
    attachments.push({ uri, ...read });
  }
  return attachments;
}

/** Finds what is wrong with a URI, apart from its target. */
export function findUriFault(uri: string): string | undefined {
  const scheme = URL.parse(uri)?.protocol;
  if (scheme === undefined) return "is no absolute URI";
  if (VIEWS.has(scheme) || scheme === "https:" || STORES[scheme] !== undefined) return undefined;
  if (scheme === "http:") return "is not encrypted; only `https:` is followed";
  return `has the scheme \`${scheme}\`; there are ${[...VIEWS, "https:", ...Object.keys(STORES)].join(", ")}`;
}

async function load(
  uri: string,
  { version, principal, servers, signal }: AttachmentRequest,
  { readView, fetcher }: AttachmentSources,
): Promise<Omit<Attachment, "uri">> {
  const url = new URL(uri);
  if (VIEWS.has(url.protocol)) {
    const view = await readView(version, principal, servers, uri);
    if (view !== undefined) return view;
    const names = servers.map((name) => `\`${name}\``).join(", ") || "none";
    throw new CairnError("NOT_FOUND", `no server shows it that these credentials are good for (${names}).`);
  }
  const toLink = STORES[url.protocol];
  const link = toLink === undefined ? uri : toLink(url.hostname, url.pathname.replace(/^\//, ""));
  const answer = await fetcher.fetch(
    { url: link, method: "GET", headers: { accept: "text/*, application/json, */*;q=0.1" } },
    listHosts(version),
    PATIENCE_MS,
    signal,
  );
  if (answer.status !== 200) throw new CairnError("UPSTREAM_ERROR", `the host answered ${answer.status}.`);
  if (answer.body.includes("\0")) throw new CairnError("BAD_REQUEST", "it is no text.");
  return { mediaType: answer.headers["content-type"] ?? "text/plain", text: answer.body };
}

/** Hosts that the commit's own reviewed files allow. */
function listHosts({ policies, tools }: Version): readonly string[] {
  const named = policies.flatMap(({ egress }) => egress);
  return [...new Set(named.length > 0 ? named : [...tools.values()].flatMap(({ egress }) => egress))];
}
