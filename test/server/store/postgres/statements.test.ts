import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { STATEMENTS, TABLES } from "../../../../server/store/postgres/statements.ts";

/** What CockroachDB or YugabyteDB lack, or what would change a text that is hashed. */
const NOT_PORTABLE =
  /advisory|\blisten\b|\bnotify\b|skip locked|nowait|for (?:no key|share|key)|\bjsonb?\b|create (?:function|trigger|temp)|\bdo \$|\bcopy\b|\bserial\b|now\(\)|\bctid\b|\bxmin\b|lateral|merge into|with recursive/i;

describe("the SQL of the engine", () => {
  test("is what the list beside this says, and no more", async () => {
    const statements = Object.entries(STATEMENTS).map(([name, { text }]) => `${name}: ${text}`);
    await expect(`${[...TABLES, ...statements].join("\n")}\n`).toMatchFileSnapshot("./statements.txt");
  });

  test("is plain: what PostgreSQL alone has is not in it", () => {
    const texts = [...TABLES, ...Object.values(STATEMENTS).map(({ text }) => text)];
    expect(texts.filter((text) => NOT_PORTABLE.test(text))).toEqual([]);
  });

  test("stands in one file", () => {
    const sql = /["'`](?:select|insert into|update|delete from|create|alter|begin|commit|rollback|show|set) [^"'`]*/;
    const others = globSync("server/**/*.ts")
      .filter((file) => /store\/postgres/.test(file) && !file.endsWith("/statements.ts"))
      .filter((file) => sql.test(readFileSync(file, "utf8")));
    expect(others).toEqual([]);
  });

  test("names each statement once, as the server prepares it", () => {
    const names = Object.values(STATEMENTS).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name) => name.startsWith("cairn_"))).toBe(true);
  });
});
