import { spawn } from "node:child_process";
import { extname } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";
import { CONFINED } from "./spawn-host.ts";

/** Milliseconds that erasing the types of one module may take. */
const TIME_LIMIT = 10_000;

/**
 * The JavaScript of a TypeScript module that nobody has reviewed. What erases types is a program that recursion can break
 * for good, so each module gets a process of its own. Rejects with BAD_REQUEST that says what is wrong with the module.
 */
export async function eraseTypes(path: string, source: string): Promise<string> {
  const program = fileURLToPath(new URL(`./host/erase-process${extname(import.meta.url)}`, import.meta.url));
  const child = spawn(process.execPath, [...CONFINED, "--max-old-space-size=128", program], {
    cwd: "/",
    env: { TZ: "UTC" },
    stdio: ["pipe", "pipe", "ignore"],
    timeout: TIME_LIMIT,
    killSignal: "SIGKILL",
  });
  // One that ended before it has read everything says so by saying nothing.
  child.stdin.on("error", () => undefined).end(source);
  const failed = new Promise<string>((resolve) => child.on("error", () => resolve("")));
  const answer = readJson((await Promise.race([text(child.stdout), failed])) || "null");
  if (isObject(answer) && typeof answer["code"] === "string") return answer["code"];
  const problem = isObject(answer) ? String(answer["problem"]) : "it takes too much to read it";
  const [reason] = problem.split("\n");
  throw new CairnError("BAD_REQUEST", `\`${path}\` is not TypeScript whose types can be erased: ${reason}.`);
}
