import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { resolve } from "node:path";
import { CairnError } from "../../../errors.ts";
import { CLIENTS } from "../connect-clients.ts";
import type { ConnectTarget } from "../connect-target.ts";
import type { ClientFile, Launch, Machine } from "./client-files.ts";
import type { Entry } from "./entry-edit.ts";
import { type EntryToWrite, writeEntry } from "./write-entry.ts";

export interface WriteRequest {
  readonly target: ConnectTarget;
  /** Address of the service, by which its own earlier entries are known. */
  readonly service: string;
  readonly launch: Launch;
  readonly client: string | undefined;
  readonly stdio: boolean;
  /** Path of the file, instead of the client's own. */
  readonly file: string | undefined;
  /** Folder of the project whose file is meant, instead of the user's. */
  readonly project: string | undefined;
  readonly isSure: boolean;
}

export interface WriteSurroundings {
  readonly machine: Machine;
  readonly folder: string;
  readonly input: () => Readable;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** Writes a server into the files of clients. Returns false if some of it was declined. */
export async function writeClients(request: WriteRequest, surroundings: WriteSurroundings): Promise<boolean> {
  const { out, err, input } = surroundings;
  const { client } = request;
  const format = client === undefined ? undefined : CLIENTS[client];
  if (format !== undefined && format.file === undefined) {
    if (request.file !== undefined || request.project !== undefined) throw hasNoFile(format.title);
    err(`cairn: ${format.title} has no file that Cairn writes. This is what it needs: ${format.where}`);
    out(
      format.http === undefined || request.stdio
        ? format.stdio(request.target, request.launch)
        : format.http(request.target),
    );
    return true;
  }
  const answers = openAnswers(input, err);
  try {
    const confirm = () => (request.isSure ? Promise.resolve(true) : answers.confirm());
    let isAllWritten = true;
    for (const entry of listEntries(request, surroundings)) {
      isAllWritten = (await writeEntry(entry, { out, confirm })) && isAllWritten;
    }
    err(`cairn: ${request.target.meaning}`);
    return isAllWritten;
  } finally {
    answers.close();
  }
}

function listEntries(request: WriteRequest, { machine, folder }: WriteSurroundings): readonly EntryToWrite[] {
  const { client, file, project } = request;
  const toPath = (of: ClientFile) => {
    if (file !== undefined) return resolve(folder, file);
    if (project === undefined) return of.toPath(machine);
    return of.inProject === undefined ? undefined : resolve(project, of.inProject);
  };
  if (client === undefined && file !== undefined) {
    throw new CairnError("BAD_REQUEST", "`--file` needs `--client`, which says how the file is written.");
  }
  const names = client === undefined ? Object.keys(CLIENTS) : [client];
  const entries = new Map<string, EntryToWrite>();
  for (const name of names) {
    const format = CLIENTS[name];
    const path = format?.file && toPath(format.file);
    if (format?.file === undefined || path === undefined || (client === undefined && !existsSync(path))) continue;
    if (!entries.has(path)) entries.set(path, toEntry(path, format.file, format.holdsSecrets === true, request));
  }
  if (entries.size > 0) return [...entries.values()];
  if (client !== undefined) throw hasNoFile(CLIENTS[client]?.title ?? client);
  throw new CairnError("NOT_FOUND", "No client's file was found; `--client` says which to make.");
}

function toEntry(path: string, file: ClientFile, holdsSecrets: boolean, request: WriteRequest): EntryToWrite {
  const { target, launch, service } = request;
  const { format, section, http, stdio } = file;
  const isRemote = http !== undefined && !request.stdio && !(holdsSecrets && target.hasToken);
  const entry = isRemote ? http(target) : stdio(launch);
  const inputs = isRemote ? (file.inputs?.(target) ?? []) : [];
  const isOwn = createIsOwn(service);
  return { path, format, edit: { section, name: target.name, entry, inputs, isOwn } };
}

/** Recognises entries that lead to the service, over HTTP or with `cairn stdio`. */
function createIsOwn(service: string): (entry: Entry) => boolean {
  return ({ url, httpUrl, serverUrl, args }) => {
    const address = url ?? httpUrl ?? serverUrl;
    if (typeof address === "string") return address.startsWith(`${service}/agent/`);
    if (!Array.isArray(args)) return false;
    const words = args as unknown[];
    return words.includes("stdio") && words[words.indexOf("--url") + 1] === service;
  };
}

function hasNoFile(title: string): CairnError {
  return new CairnError("BAD_REQUEST", `${title} has no such file that servers are added to.`);
}

/** Opens standard input for answers, a line each; its end declines. */
function openAnswers(input: () => Readable, err: (line: string) => void) {
  let lines: ReturnType<typeof createInterface> | undefined;
  let answers: AsyncIterator<string> | undefined;
  return {
    async confirm(): Promise<boolean> {
      err("cairn: write this? Type y and Enter; `--yes` does not ask.");
      lines ??= createInterface({ input: input() });
      answers ??= lines[Symbol.asyncIterator]();
      const { value, done } = (await answers.next()) as IteratorResult<string, undefined>;
      return done !== true && /^y(?:es)?$/i.test(value.trim());
    },
    close: () => lines?.close(),
  };
}
