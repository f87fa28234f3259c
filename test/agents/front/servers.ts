import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { AtEnd } from "../../helpers/temporary.ts";

const NAMESPACE = "node_modules/@modelcontextprotocol";
const FILES = `${NAMESPACE}/server-filesystem/dist/index.js`;

/** Command by which `server-filesystem` runs where packages and documents are lent, as the service starts it. */
export const LENT_FILES = `node /mnt/packages/${FILES} /mnt/docs`;

/** Arguments that run the command of `LENT_FILES` with bubblewrap alone, on the folders that Cairn would lend it. */
export function toFilesCommand(packages: string, docs: string): readonly string[] {
  const mounts = ["--tmpfs", "/mnt", "--ro-bind", packages, "/mnt/packages", "--bind", docs, "/mnt/docs"];
  return ["bwrap", "--dev-bind", "/", "/", ...mounts, "--", process.execPath, ...LENT_FILES.split(" ").slice(1)];
}

/** Starts `server-everything` over Streamable HTTP. Resolves with its origin. */
export async function startEverything(packages: string, port: number, atEnd: AtEnd): Promise<string> {
  const program = join(packages, NAMESPACE, "server-everything/dist/index.js");
  const child = spawn(process.execPath, [program, "streamableHttp"], {
    env: { PATH: process.env["PATH"], PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  atEnd(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let said = "";
  await new Promise<void>((listening, fail) => {
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk;
      if (said.includes("listening on port")) listening();
    });
    void ended.then(() => fail(new Error(`server-everything has ended: ${said}`)));
  });
  return `http://127.0.0.1:${port}`;
}
