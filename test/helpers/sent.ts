export type Rpc = Readonly<Record<string, unknown>>;

interface SentMessage {
  /** Of the event that the message came in, where it has one. */
  readonly id?: string;
  readonly message: Rpc;
}

/** What a server sends in answer to one request: a stream of events, or one message. */
export interface Sent {
  readonly status: number;
  readonly headers: Headers;
  /** The next message; rejects at the end. */
  next(): Promise<SentMessage>;
  /** All messages up to the end. */
  rest(): Promise<readonly Rpc[]>;
  /** The result that it ends with; rejects when it ends with none. */
  result<Result = Rpc>(): Promise<Result>;
}

export function toSent(response: Response): Sent {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const isStream = response.headers.get("content-type") === "text/event-stream";
  let text = "";

  const find = async (): Promise<SentMessage | undefined> => {
    for (;;) {
      const end = isStream ? text.indexOf("\n\n") : -1;
      if (end >= 0) {
        const event = toEvent(text.slice(0, end));
        text = text.slice(end + 2);
        if (event) return event;
        continue;
      }
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (value !== undefined) text += value;
      if (!done) continue;
      if (isStream || text === "") return undefined;
      const message = JSON.parse(text) as Rpc;
      text = "";
      return { message };
    }
  };
  const rest = async (): Promise<readonly Rpc[]> => {
    const messages: Rpc[] = [];
    for (let found = await find(); found !== undefined; found = await find()) messages.push(found.message);
    return messages;
  };
  return {
    status: response.status,
    headers: response.headers,
    rest,
    async next() {
      const found = await find();
      if (found === undefined) throw new Error("There is nothing more.");
      return found;
    },
    async result<Result>() {
      const messages = await rest();
      const { result } = messages.at(-1) ?? {};
      if (typeof result !== "object" || result === null) throw new Error(`No result: ${JSON.stringify(messages)}`);
      return result as Result;
    },
  };
}

/** An event that carries a message; others only open a stream or keep it open. */
function toEvent(block: string): SentMessage | undefined {
  const fields = new Map(
    block
      .split("\n")
      .map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const data = fields.get("data") ?? "";
  const id = fields.get("id");
  return data === "" ? undefined : { ...(id === undefined ? {} : { id }), message: JSON.parse(data) as Rpc };
}
