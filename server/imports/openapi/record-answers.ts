import { openTrial } from "../../examples/open-trial.ts";
import { createRecorder, type Recorder, toRecordingPath, writeRecording } from "../../examples/recording.ts";
import { type ExampleOutcome, runExamples } from "../../examples/run-examples.ts";
import type { ReadText } from "../../examples/locate-examples.ts";
import { SHAPES_ONLY } from "../../log/redact.ts";
import type { Tool, Version } from "../../versions/version.ts";
import type { ToolExample } from "./choose-example.ts";

export interface RecordAnswersOptions {
  readonly version: Version;
  readonly readText: ReadText;
  /** Example of each tool that is recorded, and the status that it is answered with, by name of the tool. */
  readonly examples: ReadonlyMap<string, ToolExample & { readonly status: number }>;
  /** Time that the handlers read, in milliseconds since 1970. */
  readonly at: number;
  readonly onTool: (tool: string) => void;
}

/** Recordings by path, and what went wrong with the examples of the other tools. */
export interface RecordedAnswers {
  readonly recordings: ReadonlyMap<string, string>;
  readonly broken: readonly ExampleOutcome[];
}

/**
 * Runs the examples of imported tools, with answers of the document in the place of the API's, and records which request each
 * handler sends. So the tests of an import say what it sends from its first minute, without the API.
 */
export async function recordAnswers({
  version,
  readText,
  examples,
  at,
  onTool,
}: RecordAnswersOptions): Promise<RecordedAnswers> {
  const recorders = new Map<Tool, Recorder>();
  const tools = [...version.tools.values()].filter(({ name }) => examples.has(name));
  const trial = await openTrial({ egressMap: new Map(), now: Date.now });
  try {
    const hostsOf = (tool: Tool) => {
      const recorder = createRecorder(at, SHAPES_ONLY.text);
      recorders.set(tool, recorder);
      return () => {
        const hosts = recorder.hosts();
        return {
          at,
          answer: (request: Parameters<typeof hosts.answer>[0], asking: Tool) =>
            hosts.answer(request, asking, async () => toAnswer(examples.get(tool.name))),
        };
      };
    };
    const { examples: outcomes } = await runExamples({ version, readText, trial, tools, hostsOf, onTool });
    const broken = outcomes.filter(({ outcome }) => outcome !== "passed");
    const failed = new Set(broken.map(({ tool }) => tool));
    const recordings = new Map<string, string>();
    for (const tool of tools) {
      const recording = failed.has(tool.name) ? undefined : recorders.get(tool)?.toRecording();
      if (recording !== undefined) recordings.set(toRecordingPath(tool), writeRecording(recording, HEAD));
    }
    return { recordings, broken };
  } finally {
    await trial.close();
  }
}

const HEAD = `# Written by \`cairn import\` from the API's document: no host has answered like this. Delete this file and run
# \`cairn test --record\` to record what the API really answers.
`;

function toAnswer(example: (ToolExample & { readonly status: number }) | undefined) {
  const headers = example?.type === undefined ? {} : { "content-type": example.type };
  return { status: example?.status ?? 200, headers, body: example?.body ?? "" };
}
