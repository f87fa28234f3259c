import { words } from "#words/audit.ts";
import type { AuditRecord } from "../../service/audit/log.ts";
import { Badge } from "../../parts/badge.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";

/** One record: who did what, and when. The whole of it opens below. */
export function RecordView({ record }: { readonly record: AuditRecord }) {
  const { id, seq, fits, isRemoved, text } = record;
  const content = readContent(text);
  const of = (...names: readonly string[]) => {
    const found = names.map((name) => content[name]).find((value) => value !== undefined);
    return typeof found === "string" || typeof found === "number" ? String(found) : "";
  };
  const outcome = of("outcome", "kind");
  const time = Number(of("startedAt", "at"));
  return (
    <li className="card">
      <h2>
        <Text>{isRemoved ? words.removed : of("tool", "change", "reason")}</Text>{" "}
        {outcome !== "" && <Badge state={outcome} />}{" "}
        {!fits && (
          <span className="badge" data-kind="failed">
            {words.notFit}
          </span>
        )}
      </h2>
      <p className="quiet">
        {time > 0 && <Time at={new Date(time).toISOString()} />}
        <Text>{of("actor")}</Text>
        <Text>{of("target")}</Text>
        <span>{words.seq(seq)}</span>
      </p>
      <details>
        <summary>
          {words.record} <span className="unseen">{id}</span>
        </summary>
        <div className="piece">
          <Text block>{text}</Text>
        </div>
      </details>
    </li>
  );
}

function readContent(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    // It is no record, and the checks say so.
    return {};
  }
}
