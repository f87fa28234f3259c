import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { words } from "#words/compare.ts";
import { words as partWords } from "#words/parts.ts";
import type { VersionDifference } from "../../service/answers.ts";
import { versionDifference } from "../../service/differences.ts";
import { hasScope, useSession } from "../../service/session.ts";
import { toolList } from "../../service/tool-definitions.ts";
import { AUDIT_SCOPE } from "../../service/usage.ts";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { useCommit } from "../../parts/use-commit.ts";
import { Affected } from "./affected.tsx";
import { Chooser } from "./chooser.tsx";
import { Claims } from "./claims.tsx";
import { groupFindings } from "./group-findings.ts";
import { Replayed } from "./replayed.tsx";
import { Subject } from "./subject.tsx";

/** Two versions compared: what differs for callers, with examples, the bump that it needs, and whom a break hits. */
export default function ComparePage() {
  const [search] = useSearchParams();
  const [from, to] = [search.get("from") ?? "", search.get("to") ?? ""];
  const [before, after] = [useCommit(from), useCommit(to)];
  const isChosen = from !== "" && to !== "";
  const isKnown = isChosen && before.commit !== undefined && after.commit !== undefined;
  const difference = useQuery({
    ...versionDifference(before.commit ?? "", after.commit ?? ""),
    enabled: isKnown,
  });
  const missing = [...(before.isMissing === true ? [from] : []), ...(after.isMissing === true ? [to] : [])];
  const unknown = before.error ?? after.error;
  const { data } = difference;
  return (
    <>
      <Heading>{words.title}</Heading>
      <Chooser key={`${from} ${to}`} from={from} to={to} />
      {!isChosen && <p>{words.choose}</p>}
      {missing.map((name) => (
        <p key={name} role="alert">
          <Text>{partWords.noPullRequest(name)}</Text>
        </p>
      ))}
      {unknown !== undefined && <Failure error={unknown} />}
      {isChosen && missing.length === 0 && unknown === undefined && difference.isPending && <Loading />}
      {difference.isError && <Failure error={difference.error} retry={() => void difference.refetch()} />}
      {data !== undefined && <Difference difference={data} />}
      <CommandBox
        commands={[
          `cairn diff ${data?.from.commit ?? "<from>"} ${data?.to.commit ?? "<to>"}`,
          `cairn replay ${data?.to.commit ?? "<to>"} --from ${data?.from.commit ?? "<from>"}`,
        ]}
      />
    </>
  );
}

function Difference({ difference }: { readonly difference: VersionDifference }) {
  const { from, to, required, under_claimed: isUnderClaimed, findings, hidden } = difference;
  const session = useSession();
  const before = useQuery(toolList(from.commit));
  const after = useQuery(toolList(to.commit));
  const mayAudit = session.data !== undefined && hasScope(session.data, AUDIT_SCOPE);
  return (
    <>
      <section className="notice" data-kind={isUnderClaimed ? "bad" : "good"} role="status">
        <h2>{required === "none" ? words.needsNone : words.needs(words.levels[required])}</h2>
        <p>{isUnderClaimed ? words.verdictBad : words.verdictGood}</p>
      </section>
      <Claims claims={difference.claims} />
      {mayAudit && <Affected from={from} findings={findings} />}
      <Replayed from={from} to={to} />
      {groupFindings(findings).map(([subject, some]) => (
        <Subject
          key={subject}
          name={subject}
          findings={some}
          before={before.data?.tools.find(({ name }) => name === subject)}
          after={after.data?.tools.find(({ name }) => name === subject)}
        />
      ))}
      {hidden > 0 && <p className="quiet">{words.hidden(hidden)}</p>}
    </>
  );
}
