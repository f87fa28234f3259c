import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";
import type { Attachment } from "../planners/plan.ts";
import { type Next, type Run, toPrincipal, type Transition } from "./run.ts";
import type { ArchitectContext } from "./context.ts";
import { loadAttachments } from "./load-attachments.ts";

const INTAKE = "intake.json";

/** Reads what the feedback names, once: the run keeps it, so that whatever follows goes by the same. */
export async function receive(
  context: ArchitectContext,
  { book, record, version }: Run,
  { anew = false }: Extract<Next, { readonly step: "receive" }>,
): Promise<Transition> {
  const { attachments: sources, tell, signal } = context;
  const { message, choice } = record;
  const toPlan = (attachments: readonly Attachment[]): Transition => ({
    record,
    next: {
      step: "plan",
      feedback: { message, attachments, ...(choice === undefined ? {} : { choice: choice.title }) },
      anew,
    },
  });
  const kept = readJson((await book.read(INTAKE)) ?? "null");
  if (isObject(kept)) return toPlan(kept["attachments"] as readonly Attachment[]);
  tell(record, "intake", `Reads ${record.attachments.length} attachments.`);
  const principal = toPrincipal(context, version, record);
  const { servers, attachments: uris } = record;
  const attachments = await loadAttachments({ version, principal, servers, uris, signal }, sources);
  const about = { version: record.version, commit: record.commit, asked_by: record.actor, dry_run: record.dry_run };
  await book.write(INTAKE, JSON.stringify({ message, attachments, ...about }));
  return toPlan(attachments);
}
