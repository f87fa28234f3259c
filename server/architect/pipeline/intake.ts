import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";
import type { Version } from "../../versions/version.ts";
import type { ArchitectContext } from "./context.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import { loadAttachments } from "./load-attachments.ts";
import type { Attachment, Feedback } from "../planners/plan.ts";
import { toPrincipal } from "../to-principal.ts";
import type { WorkBook } from "./work-book.ts";

const INTAKE = "intake.json";

/** Reads what the feedback names, once: the run keeps it, so that whatever follows goes by the same. */
export async function intake(
  context: ArchitectContext,
  book: WorkBook,
  record: FeedbackRecord,
  version: Version,
): Promise<Feedback> {
  const { attachments: sources, tell, signal } = context;
  const { message } = record;
  const kept = readJson((await book.read(INTAKE)) ?? "null");
  if (isObject(kept)) return { message, attachments: kept["attachments"] as readonly Attachment[] };
  tell(record, "intake", `Reads ${record.attachments.length} attachments.`);
  const attachments = await loadAttachments(
    {
      version,
      principal: toPrincipal(context, version, record),
      servers: record.servers,
      uris: record.attachments,
      signal,
    },
    sources,
  );
  const about = { version: record.version, commit: record.commit, asked_by: record.actor, dry_run: record.dry_run };
  await book.write(INTAKE, JSON.stringify({ message, attachments, ...about }));
  return { message, attachments };
}
