import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { CairnError } from "../../../errors.ts";
import { createSerial } from "../../../serial.ts";
import type { Picture } from "./picture.ts";
import type { RenderAnswer } from "./render-worker.ts";

export interface Renderer {
  /** The picture as an SVG document. @throws UNAVAILABLE when it takes too long or too many wait. */
  render(picture: Picture): Promise<string>;
  close(): Promise<void>;
}

/** Milliseconds for one picture, the start of the thread included; a slow machine takes two seconds. */
const TIME_LIMIT = 20_000;
const MEMORY_MB = 256;
/** Milliseconds after which a thread with nothing to draw ends, and gives its memory back. */
const IDLE = 60_000;
/** Pictures that may wait: more would be a flood, and the last of them too late anyway. */
const QUEUE_LIMIT = 64;

/**
 * Draws in a thread of its own, one picture after another, because loading Vega takes half a second and a picture up to
 * a tenth, in which no call could be answered. The thread starts with the first picture.
 */
export function openRenderer({ timeLimit = TIME_LIMIT, idle = IDLE } = {}): Renderer {
  let worker: Worker | undefined;
  let idling: NodeJS.Timeout | undefined;
  let waiting = 0;
  const inTurn = createSerial();

  const stop = async () => {
    clearTimeout(idling);
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };
  const renderNext = async (picture: Picture): Promise<string> => {
    clearTimeout(idling);
    worker ??= startWorker();
    const answer = await ask(worker, picture, timeLimit);
    if (answer === undefined) {
      await stop();
      throw new CairnError("UNAVAILABLE", `The picture \`${picture.title}\` takes too long to draw just now.`);
    }
    idling = setTimeout(() => void stop(), idle).unref();
    if (answer.svg !== undefined) return answer.svg;
    throw answer.isMissing ? new CairnError("UNAVAILABLE", answer.error) : new Error(answer.error);
  };

  return {
    async render(picture) {
      if (waiting >= QUEUE_LIMIT) throw new CairnError("UNAVAILABLE", "Too many pictures wait to be drawn.");
      waiting += 1;
      return inTurn(() => renderNext(picture)).finally(() => (waiting -= 1));
    },
    close: () => inTurn(stop),
  };
}

function startWorker(): Worker {
  const worker = new Worker(new URL(`./render-worker${extname(import.meta.url)}`, import.meta.url), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  worker.unref();
  return worker;
}

/** Undefined when the thread took too long or died, and must be replaced. */
function ask(worker: Worker, picture: Picture, timeLimit: number): Promise<RenderAnswer | undefined> {
  return new Promise((resolve) => {
    const finish = (answer?: RenderAnswer): void => {
      clearTimeout(timer);
      worker.off("message", finish).off("error", crash).off("exit", crash);
      resolve(answer);
    };
    const crash = (): void => finish();
    // Keeps the process alive while a picture is drawn; the thread itself does not.
    const timer = setTimeout(finish, timeLimit);
    worker.on("message", finish).on("error", crash).on("exit", crash);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(picture);
  });
}
