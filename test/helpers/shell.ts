import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSerial } from "../../server/serial.ts";

/**
 * Runs one program after another in a shell that stays. Starting a process copies the page table of its parent: a shell of a
 * megabyte starts git in a twentieth of the time that a worker full of modules would be blocked.
 */
export type Run = (
  folder: string,
  environment: Readonly<Record<string, string>>,
  command: readonly string[],
) => Promise<string>;

/** Opens the shell at the first command. Each command has `environment` alone; one that fails rejects with its own words. */
export function createShell(): Run {
  const [marker, complaints] = [`--${randomUUID()}-- `, join(tmpdir(), `cairn-shell-${randomUUID()}`)];
  const serial = createSerial();
  let shell: ReturnType<typeof open> | undefined;

  function open() {
    const child = spawn("sh", { stdio: ["pipe", "pipe", "inherit"], env: {} });
    child.stdin.write(`trap 'rm -f ${complaints}' EXIT\n`);
    child.stdout.setEncoding("utf8");
    // Between two commands it keeps no program from ending.
    const held = [child, child.stdin as Socket, child.stdout as Socket];
    return {
      stdin: child.stdin,
      stdout: child.stdout,
      hold: () => held.forEach((each) => each.ref()),
      release: () => held.forEach((each) => each.unref()),
    };
  }

  function ask(script: string): Promise<{ readonly output: string; readonly status: number }> {
    const { stdin, stdout, hold, release } = (shell ??= open());
    hold();
    return new Promise((resolve, reject) => {
      let output = "";
      const onData = (chunk: string) => {
        output += chunk;
        const at = output.lastIndexOf(marker);
        if (at < 0 || !output.endsWith("\n")) return;
        settle();
        resolve({ output: output.slice(0, at), status: Number(output.slice(at + marker.length)) });
      };
      const onEnd = () => {
        settle();
        shell = undefined;
        reject(new Error(`The shell of tests ended in the middle of \`${script}\`.`));
      };
      const settle = () => {
        stdout.off("data", onData).off("end", onEnd);
        release();
      };
      stdout.on("data", onData).on("end", onEnd);
      stdin.write(`(${script}) </dev/null 2>${complaints}; echo "${marker}$?"\n`);
    });
  }

  return (folder, environment, command) =>
    serial(async () => {
      const variables = Object.entries(environment).map(([name, value]) => `${name}=${quote(value)}`);
      const script = `cd ${quote(folder)} && ${[...variables, ...command.map(quote)].join(" ")}`;
      const { output, status } = await ask(script);
      if (status === 0) return output;
      throw new Error(`\`${command.join(" ")}\` ended with ${status}: ${readFileSync(complaints, "utf8")}${output}`);
    });
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
