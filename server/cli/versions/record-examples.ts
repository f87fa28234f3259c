import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findSecrets } from "../../architect/pipeline/verify/find-secrets.ts";
import { type Environment, readConfig } from "../../config/config.ts";
import { openTrial } from "../../examples/open-trial.ts";
import { createRecorder, type Mask, type Recorder, toRecordingPath, writeRecording } from "../../examples/recording.ts";
import { type ExampleOutcome, type ExampleRun, runExamples } from "../../examples/run-examples.ts";
import type { ReadText } from "../../examples/locate-examples.ts";
import { createRedactor } from "../../log/redact.ts";
import type { Tool, Version } from "../../versions/version.ts";
import { count } from "../../text/count.ts";
import { loadSecrets } from "../service/load-secrets.ts";

export interface RecordOptions {
  readonly version: Version;
  readonly readText: ReadText;
  /** The folder that the version was read from. */
  readonly folder: string;
  /** Earlier run of the examples: those that could not reach something are recorded. */
  readonly run: ExampleRun;
  readonly egressMap: ReadonlyMap<string, string>;
  readonly environment: Environment;
  readonly tell: (line: string) => void;
}

/** Longer files are not read. */
const MAX_BYTES = 1024 * 1024;
/** A recording is of a whole minute, so that the calls of its tests are of one day and hour as theirs were. */
const MINUTE = 60_000;

/**
 * Asks the hosts that examples ask, and writes what they answer beside the handlers, with credentials masked. A tool is
 * recorded as a whole, once all of its examples pass. The texts of the files that were written, by path.
 */
export async function recordExamples(options: RecordOptions): Promise<ReadonlyMap<string, string>> {
  const { version, readText, folder, run, egressMap, tell } = options;
  const names = new Set(run.examples.flatMap(({ tool, missing }) => (missing.some(isHost) ? [tool] : [])));
  const tools = [...version.tools.values()].filter(({ name }) => names.has(name));
  const mask = await createMask(options.environment);
  const recorders = new Map<Tool, Recorder>();
  const written = new Map<string, string>();
  const at = Math.floor(Date.now() / MINUTE) * MINUTE;
  const trial = await openTrial({ egressMap, now: Date.now, hasNetwork: true });
  try {
    for (const tool of tools) {
      const hostsOf = () => {
        const recorder = createRecorder(at, mask);
        recorders.set(tool, recorder);
        return recorder.hosts;
      };
      const { examples } = await runExamples({ version, readText, trial, tools: [tool], hostsOf });
      const recording = recorders.get(tool)?.toRecording();
      const path = toRecordingPath(tool);
      const text = recording === undefined ? "" : writeRecording(recording);
      const faults = [...toFaults(examples), ...(await findFaults(path, text))];
      if (faults.length > 0) {
        tell(`not recorded  ${tool.name}`);
        for (const fault of faults) tell(`  ${fault}`);
        if (tool.secrets.length > 0)
          tell(`  Examples send no secrets: have \`--egress-map\` name something that adds ${listNames(tool)}.`);
        continue;
      }
      await writeFile(join(folder, path), text);
      written.set(path, text);
      tell(`recorded      ${tool.name}: ${count(recording?.answers.length ?? 0, "answer")}, in ${path}`);
    }
  } finally {
    await trial.close();
  }
  return written;
}

/** Checks that an unavailable thing is a host, whose answers can be recorded. */
export function isHost(missing: string): boolean {
  return missing.startsWith("`");
}

/** An example that does not hold would not hold with what it was answered either. */
function toFaults(examples: readonly ExampleOutcome[]): readonly string[] {
  return examples.flatMap(({ outcome, file, line, column, reasons }) =>
    outcome === "passed" ? [] : [`${file}:${line}:${column}: ${reasons.join("; ")}`],
  );
}

async function findFaults(path: string, text: string): Promise<readonly string[]> {
  if (text === "") return ["it asks nothing when there is a way to hosts"];
  const size = Buffer.byteLength(text);
  if (size > MAX_BYTES) return [`${path} would have ${size} bytes; ${MAX_BYTES} are allowed. Ask for less.`];
  const secrets = await findSecrets(path, text);
  return secrets.map(
    ({ line, column, kind }) =>
      `${path}:${line}:${column} would look like a credential (${kind}). Record it from a stand-in, with \`--egress-map\`.`,
  );
}

/** Creates the mask that keeps configured secrets, and texts in the form of a credential, out of files to commit. */
async function createMask(environment: Environment): Promise<Mask> {
  const read = readConfig(environment);
  return createRedactor(read.ok ? await loadSecrets(read.config) : []).text;
}

function listNames({ secrets }: Tool): string {
  return secrets.map(({ name }) => `\`${name}\``).join(", ");
}
