import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link, useParams, useSearchParams } from "wouter";
import { words } from "#words/try.ts";
import { useSession } from "../../service/session.ts";
import { useDraft } from "./use-draft.ts";
import { type ToolDefinition, toolList } from "../../service/tool-definitions.ts";
import { REWARD_TOOL, type Way, WAYS } from "../../service/tool-calls.ts";
import { toVersionAddress } from "../../parts/addresses.ts";
import { BusyButton } from "../../parts/busy-button.tsx";
import { CommandBox } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { isObject } from "../../parts/schema.ts";
import { Text } from "../../parts/text.tsx";
import { VersionEnd } from "../../parts/version-end.tsx";
import { Answer } from "./answer.tsx";
import { toInitial } from "./form/choose-kind.ts";
import { SchemaForm } from "./form/schema-form.tsx";
import { Questions } from "./questions.tsx";
import { Progress } from "./progress.tsx";
import { toCommands } from "./to-commands.ts";
import { useCall } from "./use-call.ts";

type Input = Readonly<Record<string, unknown>>;

/** Tries a tool: a form made of its schema, and what came of the call. */
export default function TryPage() {
  const { version = "", server = "", tool: name = "" } = useParams();
  const [search] = useSearchParams();
  const tools = useQuery(toolList(version));
  const tool = tools.data?.tools.find((one) => one.name === name && one.server === server);
  const example = search.get("example");
  return (
    <>
      <Heading>
        <Text>{words.tryOf(name)}</Text>
      </Heading>
      <p className="quiet">
        <Text>{words.from(version)}</Text>
        <Link href={`${toVersionAddress(version)}?${new URLSearchParams({ tool: name })}`}>{words.versionPage}</Link>
      </p>
      <VersionEnd version={version} />
      {tools.isPending && <Loading />}
      {tools.isError && <Failure error={tools.error} retry={() => void tools.refetch()} />}
      {tools.isSuccess && tool === undefined && <p>{words.noSuchTool}</p>}
      {tool !== undefined && (
        <Trial
          key={`${version} ${name} ${example}`}
          version={version}
          tool={tool}
          example={example}
          mayReward={tools.data?.tools.some((one) => one.name === REWARD_TOOL) === true}
        />
      )}
    </>
  );
}

interface TrialProps {
  readonly version: string;
  readonly tool: ToolDefinition;
  /** The place of the example that the form begins with. */
  readonly example: string | null;
  readonly mayReward: boolean;
}

function Trial({ version, tool, example, mayReward }: TrialProps) {
  const { name, server, description, inputSchema: schema } = tool;
  const session = useSession();
  const status = useRef<HTMLDivElement>(null);
  const [search] = useSearchParams();
  const by = WAYS.find((way) => way === search.get("by")) ?? "mcp";
  const [input, setInput] = useDraft(`${version} ${name} ${example}`, () => toFirstInput(tool, example));
  // The form keeps drafts of its own, so that it begins anew with an input that is not the reader's.
  const [round, setRound] = useState(0);
  const {
    call,
    stop,
    reports,
    result,
    error,
    isPending,
    isStopped,
    input: sent,
    answers,
  } = useCall({ by, version, server, tool: name, schema });
  const goOn = (id: string) => {
    setInput({ ...input, conversation_id: id });
    setRound(round + 1);
  };
  const submit = () => {
    if (!isPending) call({ input });
  };
  // Buttons that go must not take the focus with them.
  const leave = (act: () => void) => {
    status.current?.focus();
    act();
  };
  const asks = result?.resultType === "input_required" ? result : undefined;
  return (
    <>
      <Text block>{description}</Text>
      {tool.sideEffect && <p className="notice">{words.withEffects}</p>}
      <SchemaForm key={round} schema={schema} value={input} onChange={setInput} onSubmit={submit}>
        <WayChoice by={by} />
        <BusyButton type="submit" primary isBusy={isPending}>
          {words.call}
        </BusyButton>
        {isPending && (
          <button type="button" onClick={() => leave(stop)}>
            {words.stop}
          </button>
        )}
      </SchemaForm>
      <Progress ref={status} reports={reports} isPending={isPending} isStopped={isStopped} />
      {error !== null && !isPending && <Failure error={error} />}
      {asks !== undefined && (
        <Questions
          key={asks.requestState}
          requests={asks.inputRequests}
          sent={answers}
          onAnswer={(inputResponses) =>
            leave(() => call({ input: sent ?? input, inputResponses, requestState: asks.requestState }))
          }
        />
      )}
      {result !== undefined && result.resultType !== "input_required" && (
        <Answer
          version={version}
          result={result}
          mayReward={mayReward}
          {...(isObject(schema["properties"]) && "conversation_id" in schema["properties"] ? { onGoOn: goOn } : {})}
        />
      )}
      <CommandBox commands={toCommands(version, name, input, session.data?.needs_token === true)} />
    </>
  );
}

/** Chooses the way of the call, which the address of the page then names. */
function WayChoice({ by }: { readonly by: Way }) {
  const [search, setSearch] = useSearchParams();
  return (
    <label className="choice">
      {words.by}
      <select
        value={by}
        onChange={({ target }) => setSearch({ ...Object.fromEntries(search), by: target.value }, { replace: true })}
      >
        {WAYS.map((way) => (
          <option key={way} value={way}>
            {words.ways[way]}
          </option>
        ))}
      </select>
    </label>
  );
}

function toFirstInput({ inputSchema, examples }: ToolDefinition, example: string | null): Input {
  const input = example === null ? undefined : examples[Number(example)]?.["input"];
  const first = input ?? toInitial(inputSchema, inputSchema);
  return isObject(first) ? first : {};
}
