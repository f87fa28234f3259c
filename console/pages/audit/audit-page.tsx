import { useQuery } from "@tanstack/react-query";
import { words } from "#words/audit.ts";
import { auditHead, canCheck, type LogCheck } from "../../service/audit/log.ts";
import { useSession } from "../../service/session.ts";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { toArgument } from "../../parts/to-argument.ts";
import { Check } from "./check.tsx";
import { Entries } from "./entries.tsx";

/** The audit log of the reader's tenant, with its proofs checked by the browser itself. */
export default function AuditPage() {
  const { tenant = "" } = useSession().data ?? {};
  return (
    <>
      <Heading>{words.title}</Heading>
      <p>{words.what}</p>
      {canCheck() ? <Log tenant={tenant} /> : <p role="alert">{words.cannot}</p>}
      <CommandBox
        commands={[
          `cairn audit verify "$CAIRN_URL/audit/"${toArgument(encodeURIComponent(tenant))} --key "$KEY"`,
          "cairn audit key",
          `cairn audit query --tenant ${toArgument(tenant)}`,
        ]}
      />
    </>
  );
}

function Log({ tenant }: { readonly tenant: string }) {
  const { data, error, isError, refetch } = useQuery(auditHead(tenant));
  // Older browsers have no Ed25519.
  if (error?.name === "NotSupportedError") return <p role="alert">{words.cannot}</p>;
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      <HeadChecks check={data} />
      {data.head !== undefined && <Entries tenant={tenant} head={data.head} />}
    </>
  );
}

function HeadChecks({ check: { vkey, isGone, head, before, continues } }: { readonly check: LogCheck }) {
  return (
    <section className="part">
      <h2>{words.checks}</h2>
      <ul className="checks">
        {isGone && before !== undefined ? (
          <Check fits={false}>{words.gone(before.size, toMoment(before.at))}</Check>
        ) : (
          <Check fits={head !== undefined}>{head === undefined ? words.unsigned : words.signed(head.size)}</Check>
        )}
        {head !== undefined && <Growth size={head.size} before={before} continues={continues} />}
      </ul>
      <dl className="facts">
        <dt>{words.key}</dt>
        <dd>
          <code>
            <Text>{vkey}</Text>
          </code>
        </dd>
        {head !== undefined && (
          <>
            <dt>{words.root}</dt>
            <dd>
              <code>{head.text}</code>
            </dd>
          </>
        )}
      </dl>
      <p className="quiet">{words.keyWhy}</p>
    </section>
  );
}

function Growth({ size, before, continues }: Pick<LogCheck, "before" | "continues"> & { readonly size: number }) {
  if (before === undefined) return <li>{words.firstTime}</li>;
  const at = toMoment(before.at);
  return (
    <Check fits={continues}>
      {continues ? words.grown(before.size, size, at) : words.notGrown(before.size, size, at)}
    </Check>
  );
}

function toMoment(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
