import type { Json } from "../../json/types.ts";
import { CairnError } from "../../errors.ts";
import { digest } from "../../kernel/record.ts";
import type { Prompt, PromptArgument, Server, Version } from "../../versions/version.ts";
import type { Exchange } from "../exchange.ts";
import { findProvider, type Provider, toText } from "../../resources/provider.ts";
import type { Identity } from "../identity.ts";
import type { Params, RequestId } from "../json-rpc.ts";
import type { Methods } from "../method.ts";
import { createPages } from "../pages.ts";
import { readAnswers, toInputRequired } from "../questions.ts";
import type { RequestStates } from "../request-state.ts";
import { fillIn, toQuestion, missingArguments, readArguments } from "./prompt-arguments.ts";
import { createPromptLookup } from "./prompt-lookup.ts";
import { fillMessages } from "./prompt-messages.ts";

/** `prompts/list` and `prompts/get` of one server. */
export function createPromptMethods(
  version: Version,
  server: Server,
  identity: Identity,
  states: RequestStates,
  providers: Readonly<Record<string, Provider>>,
): Methods {
  const lookUp = createPromptLookup(server);
  return {
    "prompts/list": createPages("prompts", server.prompts.map(toDefinition), identity),
    async "prompts/get"(params, exchange, id) {
      const prompt = lookUp(params["name"]);
      const values = new Map(readArguments(prompt, params["arguments"]));
      // A person is not bothered for a prompt that cannot be had anyway.
      refuse(missingArguments(prompt, values).filter(({ ask }) => ask === undefined));
      const asked = await askForMissing(prompt, values, params, exchange, id);
      if (asked !== undefined) return asked;
      refuse(missingArguments(prompt, values));
      const { description } = prompt;
      const { principal } = exchange;
      const uri = `prompt://${prompt.name}`;
      const messages = await fillMessages(prompt, values, async (name, given) => {
        const variables = Object.fromEntries(given);
        return toText(await findProvider(providers, name)({ version, server, principal, uri, variables }));
      });
      return { ...(description === undefined ? {} : { description }), messages };
    },
  };

  /** Fills in what a person can be asked for; answers with the question where the client has to come back with it. */
  async function askForMissing(
    prompt: Prompt,
    values: Map<string, string>,
    params: Params,
    { client, modern, principal, session, signal }: Exchange,
    id: RequestId,
  ): Promise<object | undefined> {
    const question = client.elicit ? toQuestion(missingArguments(prompt, values)) : undefined;
    if (question === undefined) return undefined;
    const take = (answer: Json | undefined) => fillIn(question, answer, values);
    if (!modern) {
      const answers = await session?.ask(id, [question], signal);
      take(answers?.get(question.key));
      return undefined;
    }
    const input = digest(Object.fromEntries(values));
    const binding = { principal, commit: version.commit, method: "prompts/get", name: prompt.name, digest: input };
    const { answers } = readAnswers(params, binding, states);
    if (take(answers[question.key])) return undefined;
    return toInputRequired([question], { answers }, binding, states);
  }
}

function refuse(missing: readonly PromptArgument[]): void {
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => `\`${name}\``).join(", ");
  throw new CairnError("BAD_REQUEST", `The prompt needs ${names}.`);
}

/** Converts a prompt to the definition that clients see before they ask for it. */
function toDefinition({ messages: _messages, arguments: declared, ...prompt }: Prompt) {
  return { ...prompt, arguments: declared.map(({ ask: _ask, suggestions: _suggestions, ...argument }) => argument) };
}
