import { stringify } from "yaml";
import type { FetchRequest, Fetched } from "../capabilities/fetch/open-fetcher.ts";
import { createFormCheck } from "../versions/manifests/manifest-schemas.ts";
import { readYaml } from "../versions/manifests/yaml/read-yaml.ts";
import type { Problem } from "../versions/problem.ts";
import type { Tool } from "../versions/version.ts";
import type { ReadText } from "./locate-examples.ts";

/** Recorded answers of hosts to the examples of a tool. */
export interface Recording {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly answers: readonly RecordedAnswer[];
}

interface RecordedAnswer {
  /** Credentials are masked. */
  readonly request: { readonly method: string; readonly url: string; readonly body?: string };
  readonly response: Fetched;
}

/** Stand-in for hosts while one example runs. */
export interface Hosts {
  /** Time of the call as the handler sees it, in milliseconds since 1970; absent: the present. */
  readonly at?: number;
  /** The answer to a request of a tool; undefined where there is none. `send` asks the host itself. */
  answer(request: FetchRequest, tool: Tool, send: () => Promise<Fetched>): Promise<Fetched | undefined>;
}

/** A file of recordings in its own form. */
interface RecordingFile {
  readonly at: string;
  readonly answers: readonly {
    readonly request: RecordedAnswer["request"];
    readonly response: { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };
  }[];
}

export type LoadedRecording =
  | { readonly ok: true; readonly recording: Recording | undefined }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const checkForm = createFormCheck<RecordingFile>("recording");

/** Returns the path of a tool's recording: beside its handler, where only tests read it. */
export function toRecordingPath({ handler }: Pick<Tool, "handler">): string {
  return handler.replace(/\.ts$/, ".recording.yaml");
}

export async function loadRecording(readText: ReadText, tool: Pick<Tool, "handler">): Promise<LoadedRecording> {
  const file = toRecordingPath(tool);
  const text = await readText(file);
  if (text === undefined) return { ok: true, recording: undefined };
  const read = readYaml(file, text);
  if (!read.ok) return read;
  const form = checkForm(file, read.value, read.position);
  if (!form.ok) return form;
  const { at, answers } = form.manifest.content;
  const recorded = answers.map(({ request, response: { status, headers = {}, body = "" } }) => {
    return { request, response: { status, headers, body } };
  });
  return { ok: true, recording: { at: Date.parse(at), answers: recorded } };
}

const SCHEMA = "# yaml-language-server: $schema=../../schemas/recording.schema.json\n";
const ABOUT =
  "# What hosts answered when the examples of this tool were recorded, by `cairn test --record`. Tests use it in their place.\n";

/** Writes the text of a recording's file. `about` are the lines of a comment that says where the answers come from. */
export function writeRecording({ at, answers }: Recording, about = ABOUT): string {
  const file: RecordingFile = {
    at: new Date(at).toISOString().replace(".000Z", "Z"),
    answers: answers.map(({ request, response: { status, headers, body } }) => ({
      request,
      response: { status, ...(Object.keys(headers).length === 0 ? {} : { headers }), ...(body === "" ? {} : { body }) },
    })),
  };
  return `${SCHEMA}${about}${stringify(file, { lineWidth: 0, singleQuote: true })}`;
}

/** Masks credentials in a text. */
export type Mask = (text: string) => string;

/**
 * Creates the stand-ins for hosts, for the examples of one tool in turn. They answer from its recording, each time from
 * the first answer; requests that a called tool makes and that the recording lacks are answered from the recording of
 * that tool.
 */
export async function createPlayer(options: {
  readonly tool: Tool;
  readonly load: (tool: Tool) => Promise<LoadedRecording>;
  readonly mask: Mask;
}): Promise<{ readonly ok: true; readonly hosts: () => Hosts } | Extract<LoadedRecording, { readonly ok: false }>> {
  const { tool, load, mask } = options;
  const own = await load(tool);
  if (!own.ok) return own;
  const known = new Map<Tool, ReadonlyMap<string, readonly RecordedAnswer[]>>();
  const answersOf = async (asking: Tool) => {
    const loaded = known.get(asking) ?? groupAnswers(await load(asking), mask);
    known.set(asking, loaded);
    return loaded;
  };
  const hosts = (): Hosts => {
    const next = createCounter();
    return {
      ...(own.recording === undefined ? {} : { at: own.recording.at }),
      async answer(request, asking) {
        const key = toKey(request, mask);
        const answers = (await answersOf(tool)).get(key) ?? (await answersOf(asking)).get(key) ?? [];
        return answers[Math.min(next(key), answers.length - 1)]?.response;
      },
    };
  };
  return { ok: true, hosts };
}

function groupAnswers(loaded: LoadedRecording, mask: Mask): ReadonlyMap<string, readonly RecordedAnswer[]> {
  const answers = loaded.ok ? (loaded.recording?.answers ?? []) : [];
  return Map.groupBy(answers, ({ request }) => toKey(request, mask));
}

/** Headers that are recorded: others change from time to time, or are nobody's business. */
const HEADERS: ReadonlySet<string> = new Set([
  "content-type",
  "content-language",
  "etag",
  "last-modified",
  "link",
  "location",
  "retry-after",
]);

export interface Recorder {
  /** Makes the stand-in for the next example: the hosts themselves, with each request sent only once. */
  hosts(): Hosts;
  /** Returns the recording; undefined where no request was made. */
  toRecording(): Recording | undefined;
}

/** Records what hosts answer, with credentials masked; handlers are given what was really answered. */
export function createRecorder(at: number, mask: Mask): Recorder {
  const live = new Map<string, { readonly answers: Fetched[] }>();
  const recorded: RecordedAnswer[] = [];
  return Object.freeze<Recorder>({
    hosts() {
      const next = createCounter();
      return {
        at,
        async answer(request, _tool, send) {
          const key = toKey(request, mask);
          const known = live.get(key) ?? { answers: [] };
          live.set(key, known);
          const index = next(key);
          const before = known.answers[index];
          if (before !== undefined) return before;
          const response = await send();
          known.answers.push(response);
          recorded.push({ request: toRecordedRequest(request, mask), response: toRecordedResponse(response, mask) });
          return response;
        },
      };
    },
    toRecording: () => (recorded.length === 0 ? undefined : { at, answers: recorded }),
  });
}

function toRecordedRequest({ method, url, body }: FetchRequest, mask: Mask): RecordedAnswer["request"] {
  return { method, url: mask(url), ...(body === undefined ? {} : { body: mask(body) }) };
}

function toRecordedResponse({ status, headers, body }: Fetched, mask: Mask): Fetched {
  const kept = Object.entries(headers).filter(([name]) => HEADERS.has(name));
  return { status, headers: Object.fromEntries(kept.map(([name, value]) => [name, mask(value)])), body: mask(body) };
}

/** A request that was recorded is masked already, which masking it again leaves as it is. */
function toKey(request: RecordedAnswer["request"], mask: Mask): string {
  const { method, url, body } = toRecordedRequest({ ...request, headers: {} }, mask);
  return JSON.stringify([method, url, body ?? ""]);
}

/** Creates a function that returns how often a name was counted before. */
function createCounter(): (name: string) => number {
  const counts = new Map<string, number>();
  return (name) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count;
  };
}
