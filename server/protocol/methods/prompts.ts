import type { Content } from "../../host-api.ts";
import type { Json } from "../../json/types.ts";
import { CairnError } from "../../errors.ts";
import { digest } from "../../kernel/record.ts";
import type { Prompt, PromptArgument, Server, Version } from "../../versions/version.ts";
import type { Exchange } from "../exchange.ts";
import { findProvider, type Provider, toText } from "../../resources/provider.ts";
import { fillPlaceholders } from "../fill-placeholders.ts";
import type { Identity } from "../identity.ts";
import type { Params, RequestId } from "../json-rpc.ts";
import type { Methods } from "../method.ts";
import { createPages } from "../pages.ts";
import { readAnswers, toInputRequired } from "../questions.ts";
import type { RequestStates } from "../request-state.ts";
import { fillIn, toQuestion, missingArguments, readArguments } from "./prompt-arguments.ts";

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

type Say = (provider: string, values: ReadonlyMap<string, string>) => Promise<string>;

/**
 * The prompt's messages with the arguments filled in; an optional one that was not given leaves nothing. `say` gives the
 * text of those that the running service says.
 */
export function fillMessages({ messages }: Prompt, values: ReadonlyMap<string, string>, say: Say) {
  return Promise.all(
    messages.map(async (message): Promise<{ readonly role: "user" | "assistant"; readonly content: Content }> => {
      const { role } = message;
      if ("content" in message) return { role, content: fillContent(message.content, values) };
      return { role, content: { type: "text", text: await say(message.provider, values) } };
    }),
  );
}

function fillContent(content: Content, values: ReadonlyMap<string, string>): Content {
  if (content.type === "text") return { ...content, text: fillPlaceholders(content.text, values) };
  if (content.type !== "resource") return content;
  const { resource } = content;
  const uri = fillPlaceholders(resource.uri, values);
  if (!("text" in resource)) return { type: "resource", resource: { ...resource, uri } };
  return {
    type: "resource",
    resource: { ...resource, uri, text: fillPlaceholders(resource.text, values, resource.mimeType) },
  };
}

/** Finds a server's prompts by name; of a name that it does not have, the error tells those that it has. */
export function createPromptLookup({ prompts }: Server): (name: unknown) => Prompt {
  const byName = new Map(prompts.map((prompt) => [prompt.name, prompt]));
  return (name) => {
    const prompt = typeof name === "string" ? byName.get(name) : undefined;
    if (prompt) return prompt;
    const known = [...byName.keys()].join(", ") || "none";
    throw new CairnError("BAD_REQUEST", `There is no prompt \`${String(name).slice(0, 100)}\`; it has: ${known}.`);
  };
}
