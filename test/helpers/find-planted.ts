import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** Everything that something left behind, by the name of its place. */
export type Places = Map<string, Buffer>;

const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);

/** Adds the bytes of all files below a folder. */
export async function addFolder(places: Places, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) places.set(file, await readFile(file));
  }
}

/**
 * Adds the arguments of the processes that descend from a service's, and the environments of all but the service itself and git:
 * both have what their operator gave them, for credential helpers of git. Returns how many others there are.
 */
export async function addDescendants(places: Places, root: number): Promise<number> {
  const parents = new Map<number, number>();
  for (const name of (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry))) {
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isBelow(parents.get(pid)));
  let count = 0;
  for (const pid of [...parents.keys()].filter(isBelow)) {
    const command = await readFile(`/proc/${pid}/cmdline`).catch(() => Buffer.alloc(0));
    places.set(`arguments of ${pid}`, command);
    if (command.includes("\0serve\0") || command.indexOf("git\0") === 0) continue;
    places.set(`environment of ${pid}`, await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0)));
    count += 1;
  }
  return count;
}

/** Finds planted values, in the forms in which software writes texts, also in what is packed. Returns `form of name in place`. */
export function findPlanted(planted: Readonly<Record<string, string>>, places: Places): readonly string[] {
  const forms = Object.entries(planted).flatMap(([name, value]) =>
    Object.entries(toForms(value)).map(([form, bytes]) => [`${form} of ${name}`, bytes] as const),
  );
  return [...places].flatMap(([place, bytes]) =>
    [bytes, ...unpack(bytes)].flatMap((text) =>
      forms.filter(([, form]) => text.includes(form)).map(([form]) => `${form} in ${place}`),
    ),
  );
}

function toForms(value: string): Readonly<Record<string, Buffer | string>> {
  const bytes = Buffer.from(value);
  const encoded = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return {
    text: value,
    "text in JSON": JSON.stringify(value).slice(1, -1).replaceAll("/", "\\/"),
    "text in HTML": value.replaceAll("/", "&#x2F;").replaceAll("+", "&#43;"),
    "text in a URL": encodeURIComponent(value),
    "UTF-16": Buffer.from(value, "utf16le"),
    "hexadecimal text": bytes.toString("hex"),
    "capital hexadecimal text": bytes.toString("hex").toUpperCase(),
    ...Object.fromEntries(encoded.map((text, offset) => [`base64 after ${offset} bytes`, text])),
    ...Object.fromEntries(
      encoded.map((text, offset) => [
        `base64url after ${offset} bytes`,
        text.replaceAll("+", "-").replaceAll("/", "_"),
      ]),
    ),
    // Half a secret is a secret: a cut text is found by no mask.
    beginning: value.slice(0, -3),
    end: value.slice(3),
  };
}

function unpack(bytes: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = bytes.indexOf(GZIP); at !== -1; at = bytes.indexOf(GZIP, at + 1)) {
    try {
      found.push(gunzipSync(bytes.subarray(at)));
    } catch {
      // These three bytes were something else.
    }
  }
  return found;
}
