import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SHARED_TABLES, STATEMENTS, TABLES } from "../../../../server/store/postgres/statements.ts";

/** What CockroachDB or YugabyteDB lack, or what would change a text that is hashed. */
const NOT_PORTABLE =
  /advisory|\blisten\b|\bnotify\b|skip locked|nowait|for (?:no key|share|key)|\bjsonb?\b|create (?:function|trigger|temp)|\bdo \$|\bcopy\b|\bserial\b|now\(\)|\bctid\b|\bxmin\b|lateral|merge into|with recursive/i;

const words = (text: string) => new Set(text.split(" "));
/** Everything that the statements are made of: each word is in the grammars of PostgreSQL, CockroachDB and YugabyteDB. */
const GRAMMAR = words(
  "all and any as asc begin by commit committed conflict create default delete desc do else end exists for from if in increment index insert into is isolation key level limit not nothing null on only or order over preceding primary read repeatable rollback rows select sequence set show table unbounded union unique unnest update values where true false",
);
const FUNCTIONS = words("any clock_timestamp count extract nextval octet_length setval sum unnest");
const TYPES = words("bigint boolean bytea text uuid bigint[] bytea[] text[] uuid[]");
/** Names of what the engine itself has made: columns, and what stands for a row or a page. */
const NAMES = words(
  "address at before bytes body expires_at found happened hash holder id kept keys label leased_until name node now page parent release result rev seq sized started u until version e h epoch last_value",
);
const SETTINGS = words("fsync server_encoding server_version synchronous_commit transaction_read_only");

const ALL = [...TABLES, ...SHARED_TABLES, ...Object.values(STATEMENTS).map(({ text }) => text)];

describe("the SQL of the engine", () => {
  test("is what the list beside this says, and no more", async () => {
    const statements = Object.entries(STATEMENTS).map(([name, { text }]) => `${name}: ${text}`);
    await expect(`${[...TABLES, ...SHARED_TABLES, ...statements].join("\n")}\n`).toMatchFileSnapshot(
      "./statements.txt",
    );
  });

  test("is plain: what PostgreSQL alone has is not in it", () => {
    expect(ALL.filter((text) => NOT_PORTABLE.test(text))).toEqual([]);
  });

  test("is made of words, functions and types that others have, too, and of nothing else", () => {
    expect(ALL.flatMap(findForeign)).toEqual([]);
  });

  test.each([
    ["select pg_try_advisory_xact_lock(1)", ["pg_try_advisory_xact_lock"]],
    ["select body::jsonb from cairn_entries", ["jsonb"]],
    ["select key from cairn_entries for no key update skip locked", ["no", "skip", "locked"]],
    ["select to_json(body) from cairn_entries", ["to_json"]],
    ["show wal_level", ["wal_level"]],
  ])("would not be with %s", (text, foreign) => {
    expect(findForeign(text)).toEqual(expect.arrayContaining(foreign));
  });

  test("stands in one file, and no other part of the service speaks to a database", () => {
    const sql = /["'`](?:select|insert into|update|delete from|create|alter|begin|commit|rollback|show|set) [^"'`]*/;
    const others = globSync("server/**/*.ts")
      .filter((file) => /store\/postgres/.test(file) && !file.endsWith("/statements.ts"))
      .filter((file) => sql.test(readFileSync(file, "utf8")));
    expect(others).toEqual([]);
    const clients = globSync("server/**/*.ts").filter((file) => /from "pg"/.test(readFileSync(file, "utf8")));
    expect(clients.filter((file) => !file.startsWith("server/store/postgres/"))).toEqual([]);
  });

  test("names each statement once, as the server prepares it", () => {
    const names = Object.values(STATEMENTS).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name) => name.startsWith("cairn_"))).toBe(true);
  });
});

/** Lists what is neither in the grammars of all three servers nor a name of the engine's. */
function findForeign(statement: string): readonly string[] {
  const text = statement.replaceAll(/'[^']*'/g, "");
  const types = [...text.matchAll(/::([a-z]+(?:\[\])?)/g)].map(([, type = ""]) => type);
  const functions = [...text.matchAll(/\b([a-z_]+)\(/g)].map(([, name = ""]) => name);
  const plain = text.replaceAll(/::[a-z]+(?:\[\])?/g, "").replaceAll(/\$\d+/g, "");
  const other = [...plain.matchAll(/[a-z_]+/gi)].map(([word]) => word);
  const isKnown = (word: string) =>
    [GRAMMAR, FUNCTIONS, TYPES, NAMES].some((some) => some.has(word)) ||
    word.startsWith("cairn_") ||
    (text.startsWith("show ") && SETTINGS.has(word));
  return [
    ...types.filter((type) => !TYPES.has(type)),
    ...functions.filter((name) => name !== "u" && !FUNCTIONS.has(name)),
    ...other.filter((word) => !isKnown(word)),
  ];
}
