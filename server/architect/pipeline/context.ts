import type { Audit } from "../../kernel/audit/audit.ts";
import type { ToPrincipal } from "../../auth/to-principal.ts";
import type { Forge } from "../../forge/forge.ts";
import type { ChangeReader } from "../../imports/drift/settle-change.ts";
import type { Redactor } from "../../log/redact.ts";
import type { Loader } from "../../versions/load-version.ts";
import type { Registry } from "../../versions/registry/registry-types.ts";
import type { Workspaces } from "../../capabilities/workspace/open-workspaces.ts";
import type { AdjustOptions } from "../adjust.ts";
import type { CommitFiles } from "./commit-files.ts";
import type { ForgeWatch } from "../create-forge-watch.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import type { AttachmentSources } from "./load-attachments.ts";
import type { Planner } from "../planners/planner.ts";
import type { Repository } from "./repository.ts";
import type { Verify } from "./verify/create-verify.ts";
import type { WorkBookOptions } from "./work-book.ts";

/** Services that the Architect works with. */
export interface ArchitectContext extends WorkBookOptions, AdjustOptions {
  readonly repository: Repository;
  readonly registry: Registry;
  readonly toPrincipal: ToPrincipal;
  readonly workspaces: Workspaces;
  readonly filesOf: (commit: string) => Promise<CommitFiles>;
  readonly planners: readonly Planner[];
  /** Finds credentials in plans. */
  readonly redactor: Redactor;
  readonly verify: Verify;
  /** Opens what verification needs, which takes a moment in which other things can be done. */
  readonly prepare: () => void;
  readonly loader: Loader;
  /** Absent: nothing can land, and `whyNoForge` says what to set. */
  readonly forge?: Forge;
  /** Reads what changes hold that renew imports. */
  readonly changes: ChangeReader;
  readonly whyNoForge?: string;
  /** True if the events that a change waits for happen in this process, within moments. */
  readonly landsAtOnce: boolean;
  /** Under which name the verification is reported to the forge. */
  readonly checkName: string;
  readonly audit: Audit;
  readonly attachments: AttachmentSources;
  /** Tells whoever follows it what is being done, in a sentence. */
  readonly tell: (record: FeedbackRecord, stage: string, message: string) => void;
  readonly watchForge: ForgeWatch["watch"];
  /** Hears of failures that nobody else is told in full. */
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
}
