import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cairn, run } from "./run.ts";

const MANIFEST = "manifests/runner/greet.yaml";
const HANDLER = "tools/runner/greet.ts";

export interface MadeChange {
  /** Edits as a unified diff. */
  readonly diff: string;
  /** The files that are different in the end. */
  readonly files: ReadonlyMap<string, string>;
}

/** Teaches the example's tool Italian, as a person would: edits, then `cairn bump`. */
export async function makeChange(folder: string, sentence: string): Promise<MadeChange> {
  await edit(join(folder, MANIFEST), "[de, en, es, fr]", "[de, en, es, fr, it]");
  await edit(join(folder, HANDLER), '"es" | "fr"', '"es" | "fr" | "it"');
  await edit(
    join(folder, HANDLER),
    "Bonjour, ${name} !`,",
    "Bonjour, ${name} !`,\n  it: (name: string) => `Ciao, ${name}!`,",
  );
  const diff = await run("git", ["diff"], folder);
  const { ok, text } = await cairn(["bump", "--tools", "--change", sentence], folder);
  if (!ok) throw new Error(text);
  const names = (await run("git", ["diff", "--name-only"], folder)).split("\n");
  const read = async (name: string) => [name, await readFile(join(folder, name), "utf8")] as const;
  return { diff, files: new Map(await Promise.all(names.map(read))) };
}

/** Makes the change with a fault in the manifest, which checks must find before production. */
export function breakChange(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const manifest = files.get(MANIFEST) ?? "";
  return new Map([...files, [MANIFEST, manifest.replace("deterministic: true", "deterministc: true")]]);
}

async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, "utf8");
  if (!text.includes(from)) throw new Error(`${file} has no ${from}.`);
  await writeFile(
    file,
    text.replace(from, () => to),
  );
}
