import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openNote, readVkey, toNote, toVkey } from "../../../../../server/kernel/audit/verify/note.ts";

/** The example of https://c2sp.org/signed-note. */
const VKEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const NOTE =
  "This is an example message.\n\n\u2014 example.com/foo " +
  "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

function keyOf(vkey: string) {
  const key = readVkey(vkey);
  if (key === undefined) throw new TypeError(vkey);
  return key;
}

describe("a signed note", () => {
  test("is opened with the key of the specification's example", () => {
    expect(openNote(NOTE, keyOf(VKEY))).toBe("This is an example message.\n");
    expect(toVkey(keyOf(VKEY))).toBe(VKEY);
  });

  test("is made as it is opened, and beside others' signatures", () => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const key = { name: "cairn/x", publicKey: publicKey.export({ format: "der", type: "spki" }).subarray(-32) };
    const note = toNote("a\n\nb\n", key, (bytes) => sign(null, bytes, privateKey));
    expect(openNote(note, key)).toBe("a\n\nb\n");
    expect(openNote(`${note}\u2014 witness AAAAAAAA\n`, key)).toBe("a\n\nb\n");
    expect(openNote(note, keyOf(VKEY))).toBeUndefined();
    expect(openNote(note, { ...key, name: "cairn/y" })).toBeUndefined();
  });

  test("cannot have any bit of any byte changed", () => {
    const key = keyOf(VKEY);
    const bytes = Buffer.from(NOTE);
    const survivors = [];
    for (let at = 0; at < bytes.length; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        if (openNote(changed.toString(), key) !== undefined) survivors.push([at, bit]);
      }
    }
    expect(survivors).toEqual([]);
  });

  test.each(["", NOTE.slice(0, -1), NOTE.replace("\n\n", "\n"), `\u0001${NOTE}`, `${NOTE}more\n`, "x".repeat(70_000)])(
    "is no note otherwise: %#",
    (text) => {
      expect(openNote(text, keyOf(VKEY))).toBeUndefined();
    },
  );

  test.each(["", "name", VKEY.replace("530d", "530e"), VKEY.replace("Aeky", "Aekz"), `${VKEY}=`])(
    "has no key `%s`",
    (vkey) => {
      expect(readVkey(vkey)).toBeUndefined();
    },
  );
});
