import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import { words } from "#words/calls.ts";
import { conversation } from "../../service/calls.ts";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { toArgument } from "../../parts/to-argument.ts";
import { CallView } from "./call-view.tsx";

/** The transcript of a conversation: its calls in order with what they ran with, and what its tool remembers. */
export default function ConversationPage() {
  const { conversation: id = "" } = useParams();
  const { data, error, isError, refetch } = useQuery(conversation(id));
  return (
    <>
      <Heading>{words.conversation}</Heading>
      {isError && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && !isError && <Loading />}
      {data !== undefined && (
        <>
          <dl className="facts">
            <dt>{words.conversation}</dt>
            <dd>
              <code>
                <Text>{data.conversation_id}</Text>
              </code>
            </dd>
            <dt>{words.version}</dt>
            <dd>
              <Text>{data.version}</Text> <code title={data.commit}>{data.commit.slice(0, 10)}</code>
            </dd>
            <dt>{words.server}</dt>
            <dd>
              <Text>{data.server}</Text>
            </dd>
          </dl>
          <ol className="cards" aria-label={words.calls}>
            {data.calls.map((call) => (
              <li key={call.id}>
                <CallView call={call} />
              </li>
            ))}
          </ol>
          {data.memory !== null && (
            <section className="part">
              <h2>{words.memory}</h2>
              <code>
                <Text block>{JSON.stringify(data.memory, undefined, 2)}</Text>
              </code>
            </section>
          )}
        </>
      )}
      <CommandBox
        commands={[
          `curl -H "Authorization: Bearer $CAIRN_TOKEN" "$CAIRN_URL"${toArgument(`/conversations/${encodeURIComponent(id)}`)}`,
        ]}
      />
    </>
  );
}
