import type { ForgeSettings } from "../config/config-forge.ts";
import type { Store } from "../store/store.ts";
import type { Git } from "../versions/git/git.ts";
import type { Upstream } from "../versions/git/upstream.ts";
import type { Registry } from "../versions/registry/registry-types.ts";
import type { Forge, ForgeRules } from "./forge.ts";
import type { ForgeTime } from "./forge-time.ts";
import type { Nudge } from "./nudges.ts";

/**
 * A kind of forge: all that Cairn needs of one. Its folder holds it, beside its settings (`ForgeSettingsReader`); `adapters.ts`
 * lists it. Nothing else knows a kind by name.
 */
export interface ForgeAdapter {
  /** The word for it in `CAIRN_FORGE`, and below `/webhooks/` where it delivers. */
  readonly kind: string;
  /** Says whether a host of this kind can post what has changed to `/webhooks/{kind}`. */
  readonly delivers: boolean;
  /** Name of the refs at which it keeps the heads of proposals, with `*` in place of the number. Absent: it has none. */
  readonly proposals?: string;
  /**
   * Prepares for the place of the repository; `undefined` where the settings name none of this kind. Rejects with BAD_REQUEST
   * where a credential cannot be read. The host itself is asked later.
   */
  connect(settings: ForgeSettings, time: ForgeTime): Promise<ForgeConnection | undefined>;
}

export interface ForgeConnection {
  /** Loads what git fetches with over https. Absent: git needs nothing, or has its own ways. */
  readonly loadToken?: NonNullable<Upstream["loadToken"]>;
  /** Absent: the settings let nothing change the repository. */
  readonly opener?: ForgeOpener;
  /** Absent: nobody can sign a delivery. */
  readonly createWebhooks?: (options: WebhookOptions) => Webhooks;
}

export interface ForgeOpener {
  /** Milliseconds between looks at a change that waits. */
  readonly pollMs: number;
  /** The checks without which nothing lands. Absent: the host has rules of its own. */
  readonly required?: readonly string[];
  /**
   * Reads the rules of the branch that changes land on, of the default branch where none is named; its name comes back where the
   * host says it. Resolves to `why` where `open` would. Needs neither a store nor a copy of the repository.
   */
  inspect(place: InspectPlace): Promise<(ForgeRules & { readonly branch?: string }) | NoForge>;
  /** Resolves to `why` where a forge was only assumed and cannot be had; rejects where it was asked for. */
  open(options: OpenForgeOptions): Promise<OpenForge | NoForge>;
}

/** Repository whose rules are read. */
export interface InspectPlace {
  readonly git: Git;
  /** Absent: the embedded repository, which may not be there yet. */
  readonly upstream?: Upstream;
  readonly branch?: string;
}

export interface OpenForgeOptions {
  readonly git: Git;
  readonly store: Store;
  readonly upstream: Upstream;
  /** Its mirror is the copy from which everything is read that the host need not be asked for. */
  readonly registry: Pick<Registry, "mirror" | "refresh">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface OpenForge {
  readonly forge: Forge;
  /** The repository's name where others report checks of its commits; absent: nobody else does. */
  readonly reporter?: string;
}

/** Reason, as a sentence, why nothing changes the repository. */
export interface NoForge {
  readonly why: string;
  /** True where a forge was assumed, and something keeps it from working. */
  readonly isFault?: true;
}

export interface WebhookOptions {
  readonly store: Store;
  /** Looks at the repository; calls at the same moment are one. */
  readonly refresh: () => Promise<unknown>;
  readonly nudge: (nudge: Nudge) => void;
  readonly onError: (error: unknown) => void;
}

/** Takes the deliveries of a host, which say where to look again. */
export interface Webhooks {
  readonly kind: string;
  /** Says what becomes of the delivery; work goes on afterwards. UNAUTHENTICATED when the host has not signed it. */
  receive(delivery: Delivery): Promise<"taken" | "repeated" | "ignored">;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

/** A delivery as it came. */
export interface Delivery {
  /** Reads the bytes as they were signed. Nothing is read of a delivery that its headers show to be nobody's. */
  readonly readBody: () => Promise<Buffer>;
  /** Says whether the body is a form, with the payload as one of its fields, or the payload itself. */
  readonly isForm: boolean;
  /** Finds a header by its name in lower case; `undefined` also where it was sent twice. */
  readonly header: (name: string) => string | undefined;
}
