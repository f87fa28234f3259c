import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { AGENTS, HOSTS, holds, NEWCOMERS } from "../checks.ts";
import { type Edit, toMessages } from "./edits.ts";

const AGENT = new Set<string>([...AGENTS, ...NEWCOMERS, ...HOSTS, "example"]);
const files = globSync("*.json", { cwd: import.meta.dirname })
  .sort()
  .map((file) => {
    const text = readFileSync(join(import.meta.dirname, file), "utf8");
    const { agent, edits }: { agent: string; edits: Edit[] } = JSON.parse(text);
    return { name: basename(file, ".json"), agent, edits };
  });

test("each file has edits of the agent that it is named after", () => {
  expect(files.length).toBeGreaterThanOrEqual(28);
  expect(files.filter(({ name, agent }) => name.split("-")[1] !== agent || !AGENT.has(agent))).toEqual([]);
  const isBare = ({ traps, real, checks }: Edit) => traps.length < 8 || real.length < 4 || checks.length === 0;
  expect(files.filter(({ edits }) => edits.length < 10 || edits.some(isBare)).map(({ name }) => name)).toEqual([]);
});

test("edits ask for what is not so yet, in files that are there", () => {
  const wrong = files.flatMap(({ name, agent, edits }) => {
    const folder = agent === "example" ? "../../.." : join("../agents", agent);
    const read = (file: string): unknown => parse(readFileSync(join(import.meta.dirname, folder, file), "utf8"));
    return edits.flatMap(({ checks }, at) =>
      checks.every((check) => holds(read(check.file), check)) ? [`${name} ${at}`] : [],
    );
  });
  expect(wrong).toEqual([]);
});

test("messages have ids and texts of their own within a file", () => {
  for (const { name, edits } of files) {
    const messages = toMessages(name, edits);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
    expect(new Set(messages.map(({ message }) => message)).size).toBe(messages.length);
  }
});
