import { describe, expect, test } from "vitest";
import { loadTrainingAgent, readTrainingMessages, TRAINING_AGENTS } from "../../../../scripts/load-training.ts";
import { type FileCheck, holds } from "../../checks.ts";

describe.each(TRAINING_AGENTS)("the messages for training to the agent %s", async (agent) => {
  const { before } = await loadTrainingAgent(agent);
  const messages = readTrainingMessages(agent, before);
  const isOfFile = (check: object): check is FileCheck => "file" in check;

  test("are at least three hundred, a quarter of which want nothing to be done at once", () => {
    expect(messages.length).toBeGreaterThanOrEqual(300);
    expect(messages.filter(({ expected }) => expected === "reject" || expected === "ask").length).toBeGreaterThan(
      messages.length * 0.2,
    );
  });

  test("have texts of their own", () => {
    const texts = messages.map(({ message }) => message);
    expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  });

  test("ask for what is not so yet", () => {
    const wrong = messages.filter(({ checks }) => {
      const own = checks.filter(isOfFile);
      return own.length > 0 && own.every((check) => holds(before.get(check.file), check));
    });
    expect(wrong.map(({ message }) => message)).toEqual([]);
  });
});
