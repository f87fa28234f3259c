import type { Caller } from "../auth/caller.ts";
import type { ToPrincipal } from "../auth/to-principal.ts";
import { CairnError } from "../errors.ts";
import type { Invoke } from "../kernel/call.ts";
import { holdsByName, PREVIEW_CALL } from "../principal.ts";
import type { ReadCounter } from "../operations/count-reads.ts";
import type { WatchAddress } from "../protocol/address-watch.ts";
import type { Endpoint } from "../protocol/endpoint.ts";
import type { Provider } from "../resources/provider.ts";
import type { Sessions } from "../protocol/sessions.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import type { Resolved } from "../versions/registry/resolve/resolve.ts";
import type { Server, Version } from "../versions/version.ts";

/** Kernel that runs calls: one for all served versions, another for each preview. */
export interface CallKernel {
  readonly invoke: Invoke;
  readonly endpointOf: (version: Version, server: Server) => Endpoint;
  readonly sessions: Sessions;
  readonly watchAddress: WatchAddress;
  /** Views of the running service, by their names in manifests. */
  readonly providers: Readonly<Record<string, Provider>>;
  /** Hears of lists and reads, which leave no record of their own. */
  readonly onRead: ReadCounter["count"];
}

export interface Previews {
  /**
   * The kernel of a preview, opened when it is first asked for. Rejects with VERSION_NOT_SERVED when its pull request is
   * closed, UNAVAILABLE when that cannot be told.
   */
  open(version: Version): Promise<CallKernel>;
  /** Something has happened to a pull request. */
  nudge(number: number): void;
  /** Returns the number of open ones. */
  count(): number;
}

/** Destination of the calls of an address. */
interface Destination {
  readonly resolved: Resolved;
  readonly kernel: CallKernel;
}

/**
 * Finds the destination of a caller's calls to a version. Rejects as `Registry.resolve` does; with FORBIDDEN when it is a
 * preview that the caller may not try.
 */
export type FindDestination = (segment: string, caller: Caller) => Promise<Destination>;

export function createFindDestination(given: {
  readonly registry: Pick<Registry, "resolve" | "inspect">;
  readonly toPrincipal: ToPrincipal;
  readonly live: CallKernel;
  /** Absent: nothing can be tried that no served tag leads to. */
  readonly previews?: Pick<Previews, "open">;
}): FindDestination {
  const { registry, toPrincipal, live, previews } = given;
  const findLive = async (segment: string) => ({ resolved: await registry.resolve(segment), kernel: live });
  if (previews === undefined) return findLive;
  return async (segment, caller) => {
    const resolved = await registry.inspect(segment);
    const { version, record } = resolved;
    if (record.state === "served") return { resolved, kernel: live };
    if (version.preview === undefined) return findLive(segment);
    const principal = toPrincipal(version, caller);
    if (!holdsByName(principal, PREVIEW_CALL)) {
      throw new CairnError(
        "FORBIDDEN",
        `To try pull request ${version.preview}, \`${principal.actor}\` would have to hold \`${PREVIEW_CALL}\`, which a served version of the default branch has to grant by this name.`,
      );
    }
    return { resolved, kernel: await previews.open(version) };
  };
}
