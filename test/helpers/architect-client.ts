import { patiently } from "./patiently.ts";

type Json = Readonly<Record<string, unknown>>;

export interface Feedback {
  readonly message: string;
  readonly authorization?: string;
  /** Default: `1.0.0`. */
  readonly version?: string;
  readonly dryRun?: boolean;
  readonly attachments?: readonly string[];
  readonly key?: string;
  /** Default: `respond-async`. */
  readonly prefer?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** Sends the Architect feedback, as a program does that asks later what came of it. */
export async function sendFeedback(url: string, feedback: Feedback): Promise<Answered> {
  const { message, authorization, version = "1.0.0", dryRun, attachments, key, prefer = "respond-async" } = feedback;
  const response = await fetch(`${url}/agent/${version}/architect/chat`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      prefer,
      ...(authorization === undefined ? {} : { authorization }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify({
      message,
      ...(dryRun === undefined ? {} : { dry_run: dryRun }),
      ...(attachments === undefined ? {} : { attachments }),
    }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
}

/** Where it stands, by the address that the answer named. */
export async function askStatus(url: string, location: string, authorization?: string): Promise<Json> {
  const response = await fetch(`${url}${location}`, { headers: authorization === undefined ? {} : { authorization } });
  if (!response.ok) throw new Error(`${location}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Json;
}

/** Sends it and returns the address of its status. */
export async function begin(url: string, feedback: Feedback): Promise<string> {
  const { status, headers, body } = await sendFeedback(url, feedback);
  const location = headers.get("location");
  if (status !== 202 || location === null) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return location;
}

/** The answer, once there is one. */
export async function waitForAnswer(url: string, location: string, authorization?: string): Promise<Json> {
  return patiently(async () => {
    const { answer, error, ...rest } = await askStatus(url, location, authorization);
    if (answer === undefined) throw new Error(JSON.stringify(error ?? rest));
    return answer as Json;
  });
}
