import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { openTarget } from "../../server/cli/versions/open-target.ts";
import { testVersion } from "../../server/cli/versions/test-version.ts";
import {
  AGENTS,
  type ChatMessage,
  type Check,
  type FeedbackMessage,
  type FileCheck,
  holds,
  loadFeedback,
  HOSTS,
  NEWCOMERS,
  PARTS,
  walk,
} from "./checks.ts";

const OUTCOMES: ReadonlySet<string> = new Set(["change", "approve", "tune", "ask", "reject"]);
const KINDS: ReadonlySet<string> = new Set([
  "code",
  "question",
  "bug",
  "several",
  "unknown-language",
  "nothing",
  "injection",
  "already",
  "missing",
]);
const FAMILIES = [
  ..."enum default bounds required description title field tool example limit rate cost annotation role".split(" "),
  ..."capability egress command label experiment arm guardrail promotion parameter deprecation several".split(" "),
  ..."document question bug code injection ambiguous already missing nothing negation condition typo".split(" "),
];
/** Families of later sets that go by manner. */
const MANNERS = ["terse", "trap"];
/** Families of the plain messages, which go by their author's names. */
const PLAIN_FAMILIES =
  "ambiguous annotations chat code default deprecate egress enum examples experiment labels language limits list pasted policy polite promote range rate required several structure terse text trap typo".split(
    " ",
  );
const LANGUAGES = ["de", "en", "es", "fr", "zh"];
const BEHAVIOURS: ReadonlySet<string> = new Set(["answer", "ask", "greet", "decline"]);

const everybody = [...AGENTS, ...NEWCOMERS];
const all = (
  await Promise.all(
    everybody.flatMap((agent) =>
      PARTS.map(async (part) => (await loadFeedback(agent, part)).map((message) => ({ agent, file: part, message }))),
    ),
  )
).flat();
/** The sets that others wrote later, most of them for development alone. */
const LATER =
  "later registers stories strangers visitors decisions example documents examples rights texts values patrons plain neighbours guests travellers lodgers boarders regulars latecomers arrivals callers passengers settlers wayfarers pilgrims nomads pioneers ramblers drifters twins voyagers rovers tenants villagers sojourners heralds envoys lists".split(
    " ",
  );
const every: readonly { readonly agent: string; readonly file: string; readonly message: FeedbackMessage }[] = [
  ...all,
  ...globSync(`{${LATER.join()}}/**/*.json`, { cwd: join(import.meta.dirname, "feedback") }).flatMap((name) => {
    const text = readFileSync(join(import.meta.dirname, "feedback", name), "utf8");
    const { messages }: { messages: FeedbackMessage[] } = JSON.parse(text);
    return messages.map((message) => ({ agent: basename(name, ".json"), file: dirname(name), message }));
  }),
];
/** The messages that the halves were first drawn from; newcomers deal theirs among themselves. */
const original = all.filter(({ agent }) => !isNewcomer(agent));
const documents = new Map(
  [...everybody, ...HOSTS, "example"].flatMap((agent) =>
    globSync("{versions.yaml,manifests/**/*.yaml}", { cwd: toFolder(agent) }).map((file) => [
      `${agent}/${file}`,
      parse(readFileSync(join(toFolder(agent), file), "utf8")) as unknown,
    ]),
  ),
);
const chat = (
  await Promise.all(
    PARTS.map(async (part) => {
      const text = await readFile(join(import.meta.dirname, "chat", `${part}.json`), "utf8");
      const { messages }: { messages: ChatMessage[] } = JSON.parse(text);
      return messages.map((message) => ({ file: part, message }));
    }),
  )
).flat();

describe.each([...everybody, ...HOSTS])("the agent %s", (agent) => {
  test("is valid, and all of its examples pass", async () => {
    const folder = toFolder(agent);
    const { loaded, readText } = await openTarget({ folder, environment: {} }, ".");
    expect(loaded.ok ? [] : loaded.problems).toEqual([]);
    if (!loaded.ok) return;
    const { version } = loaded;
    expect(isOriginal(agent) ? [8] : [8, 9, 10, 11, 12, 14]).toContain(version.tools.size);
    const run = await testVersion({ version, readText, egressMap: new Map(), onTool: () => undefined });
    expect(run.examples.length).toBeGreaterThanOrEqual(version.tools.size);
    expect(run.examples.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  });
});

describe.each(everybody)("the agent %s", (agent) => {
  test("is sent at least seventy messages, in every language, of every family", () => {
    const messages = all.filter((one) => one.agent === agent).map(({ message }) => message);
    expect(messages.length).toBeGreaterThanOrEqual(70);
    expect(FAMILIES.filter((family) => messages.every((message) => message.family !== family))).toEqual([]);
    expect(messages.filter(({ family }) => !FAMILIES.includes(family))).toEqual([]);
    expect(LANGUAGES.filter((language) => messages.every((message) => message.language !== language))).toEqual([]);
    const foreign = messages.filter(({ language }) => language !== "en").length / messages.length;
    expect(foreign).toBeGreaterThan(0.15);
    expect(foreign).toBeLessThan(0.3);
  });
});

describe("the messages to agents", () => {
  test("have ids and texts of their own", () => {
    expectUnique(every.map(({ message }) => message));
    const isOther = ({ agent, message }: (typeof all)[number]) => !message.id.startsWith(`${agent}-${message.family}-`);
    expect(all.filter(isOther).map(({ message }) => message.id)).toEqual([]);
    expect(findWrong(({ agent, message }) => !message.id.startsWith(`${agent}-`))).toEqual([]);
    expect(findWrong(({ message }) => ![...FAMILIES, ...MANNERS, ...PLAIN_FAMILIES].includes(message.family))).toEqual(
      [],
    );
  });

  test("name outcomes and kinds that exist", () => {
    const wrong = findWrong(
      ({ message: { expected, accept, kind } }) =>
        ![expected, ...accept].every((outcome) => OUTCOMES.has(outcome)) ||
        accept.includes(expected) ||
        (expected === "reject") !== (kind !== undefined) ||
        (kind !== undefined && !KINDS.has(kind)),
    );
    expect(wrong).toEqual([]);
  });

  test("say what the right reading does, wherever something is done", () => {
    const wrong = findWrong(({ message: { expected, accept, checks } }) => {
      if (expected === "tune") return checks.filter((check) => !isOfFile(check)).length !== 1;
      const isChange = [expected, ...accept].some((outcome) => outcome === "change" || outcome === "approve");
      return isChange && !checks.some(isOfFile);
    });
    expect(wrong).toEqual([]);
  });

  test("lead to something in the repository", () => {
    expect(
      findWrong(
        ({ agent, message }) =>
          !toReadings(message)
            .flat()
            .every((check) => isSound(agent, check)),
      ),
    ).toEqual([]);
  });

  test("ask for what is not so yet", () => {
    const wrong = findWrong(({ agent, message }) =>
      toReadings(message)
        .map((reading) => reading.filter(isOfFile))
        .some((checks) => checks.length > 0 && checks.every((check) => holds(documentOf(agent, check.file), check))),
    );
    expect(wrong).toEqual([]);
  });

  test("let only such files change besides that are there, or that come with a new name", () => {
    const wrong = findWrong(({ agent, message }) => {
      const isRenamed = message.checks.filter(isOfFile).some((check) => check.new === true || check.path === "");
      return (message.also ?? []).some((also) => {
        const [file = "", pointer = ""] = also.split("#");
        // A member that comes new stands below something that is there.
        if (!file.startsWith("tools/"))
          return walk(documentOf(agent, file), pointer)
            .slice(-2)
            .every((one) => one === undefined);
        return !isRenamed && !existsSync(join(toFolder(agent), file));
      });
    });
    expect(wrong).toEqual([]);
  });
});

describe("the messages to the chat", () => {
  test("are a hundred, each with an id and a text of its own", () => {
    expect(chat.length).toBe(100);
    expectUnique(chat.map(({ message }) => message));
    expect(LANGUAGES.filter((language) => chat.every(({ message }) => message.language !== language))).toEqual([]);
  });

  test("expect what the chat can do", async () => {
    const { loaded } = await openTarget({ folder: join(import.meta.dirname, "../.."), environment: {} }, ".");
    const tools = loaded.ok ? loaded.version.tools : new Map<string, unknown>();
    const wrong = chat.filter(
      ({ message: { expected, accept = [], now } }) =>
        ![expected.behaviour, ...accept].every((one) => BEHAVIOURS.has(one)) ||
        (expected.target !== null && !tools.has(expected.target)) ||
        (expected.behaviour === "answer" && expected.target === null) ||
        Number.isNaN(Date.parse(now)) ||
        !isTime(expected.input.when),
    );
    expect(wrong.map(({ message }) => message.id)).toEqual([]);
  });
});

describe("the halves", () => {
  const sets = {
    feedback: original,
    chat,
    ...Object.fromEntries(NEWCOMERS.map((agent) => [agent, all.filter((one) => one.agent === agent)])),
  };

  test.each(Object.entries(sets))("of the %s are where their messages say, and equal in every family", (_, entries) => {
    const lost = entries.filter(({ file, message }) => message.part !== file);
    expect(lost.map(({ message }) => message.id)).toEqual([]);
    const families = new Set(entries.map(({ message }) => message.family));
    const sizes = [...families, undefined].map((family) => {
      const some = entries.filter(({ message }) => family === undefined || message.family === family);
      const [one = 0, other = 0] = PARTS.map((part) => some.filter(({ message }) => message.part === part).length);
      return { family, difference: Math.abs(one - other) };
    });
    expect(sizes.filter(({ difference }) => difference > 1)).toEqual([]);
  });

  test("stay as they were drawn", () => {
    const drawn = [...original, ...chat].map(({ message: { id, part } }) => `${id} ${part}\n`);
    const digest = createHash("sha256").update(drawn.sort().join("")).digest("hex");
    expect(digest).toBe("3e72133623fe2aa7846ec4a7fe73542a4bb777888634579c90c7bd9b1401d80e");
  });

  test.each(NEWCOMERS)("of %s are what dealing in turn gives", (agent) => {
    const dealt = all
      .filter((one) => one.agent === agent)
      .map(({ message }) => ({ message, key: toKey(message) }))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ message }, index) => ({ message, part: PARTS[index % 2] }));
    expect(dealt.filter(({ message, part }) => message.part !== part).map(({ message }) => message.id)).toEqual([]);
  });
});

/** Ids of messages that are wrong: what the half for reports says is not for looking at. */
function findWrong(isWrong: (entry: (typeof every)[number]) => boolean): readonly string[] {
  return every.filter(isWrong).map(({ message }) => message.id);
}

function isOriginal(agent: string): boolean {
  return AGENTS.some((one) => one === agent);
}

function isNewcomer(agent: string): boolean {
  return NEWCOMERS.some((one) => one === agent);
}

/** By family, English first, then by the digest of the id. */
function toKey({ id, family, language }: FeedbackMessage): string {
  const place = String(FAMILIES.indexOf(family)).padStart(2, "0");
  return `${place} ${language === "en" ? 0 : 1} ${createHash("sha256").update(id).digest("hex")}`;
}

/** Returns where an agent is; the example agent is this repository. */
function toFolder(agent: string): string {
  return agent === "example" ? join(import.meta.dirname, "../..") : join(import.meta.dirname, "agents", agent);
}

function documentOf(agent: string, file: string): unknown {
  return documents.get(`${agent}/${file}`);
}

function isOfFile(check: Check): check is FileCheck {
  return "file" in check;
}

function toReadings({ checks, others = [] }: FeedbackMessage): readonly (readonly Check[])[] {
  return [checks, ...others];
}

/** Whether what a check speaks of is there, or is made at a place that is there. */
function isSound(agent: string, check: Check): boolean {
  if (!isOfFile(check)) {
    const set = documentOf(agent, `manifests/parameters/${check.tune.experiment}.yaml`);
    if (walk(set, `/experiment/arms/${check.tune.arm}`).at(-1) !== undefined) return true;
    // An experiment without arms of its own tries each value.
    const parameters = Object.keys(walk(set, "/parameters").at(-1) ?? {});
    return parameters.some((name) => [walk(set, `/parameters/${name}/values`).at(-1)].flat().includes(check.tune.arm));
  }
  const { file, path, op, value } = check;
  const document = documentOf(agent, file);
  if (check.new) return document === undefined;
  if (document === undefined || (op === "absent" || op === "present") !== (value === undefined)) return false;
  const values = walk(document, path);
  // What is taken away is there. What is added goes at most four levels below something that is there, as the rate of a tool in a policy does.
  if (op === "absent") return values.at(-1) !== undefined;
  return values.length < 5 || values.at(-5) !== undefined;
}

function isTime(when: unknown): boolean {
  if (when === undefined || when === "now") return true;
  const { dates, hours } = when as { dates?: readonly string[]; hours?: readonly number[] };
  const areDates = dates !== undefined && dates.every((date) => /^\d{4}-\d\d-\d\d$/.test(date));
  return areDates && (hours === undefined || (hours.length === 2 && hours.every((hour) => hour >= 0 && hour < 24)));
}

function expectUnique(messages: readonly { readonly id: string; readonly message: string }[]): void {
  for (const key of ["id", "message"] as const) {
    const first = new Map(messages.toReversed().map((one) => [one[key], one]));
    expect(messages.filter((one) => first.get(one[key]) !== one).map(({ id }) => id)).toEqual([]);
  }
}
