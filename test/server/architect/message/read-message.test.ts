import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findHidden } from "../../../../server/text/find-hidden.ts";
import type { Segment } from "../../../../server/architect/message/message.ts";
import { readMessage } from "../../../../server/architect/message/read-message.ts";
import { expectQuick } from "../../../helpers/expect-quick.ts";

const BLOCK = "```json\n{}\n```";
const DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

/** A segment in a line: what it is, and the first 30 characters of what it says. */
function show(segment: Segment): string {
  const text = segment.text.trim().replaceAll("\n", "|").slice(0, 30);
  if (segment.kind === "sentence") return `${segment.introduces ? "introduction" : segment.mood}: ${text}`;
  return `${segment.isApplied ? "applied" : "evidence"}, ${segment.form}: ${text}`;
}

const outline = (message: string) => readMessage(message).segments.map(show);

describe("a message falls apart into", () => {
  test.each<[string, string, readonly string[]]>([
    ["nothing", " \n ", []],
    [
      "sentences, one a line or a line long",
      "Set a to 1. Set b\nto 2\nset c to 3",
      ["imperative: Set a to 1.", "imperative: Set b|to 2", "imperative: set c to 3"],
    ],
    [
      "items of a list",
      "Two things:\n- set a to 1\n2) set b to 2",
      ["introduction: Two things:", "imperative: set a to 1", "imperative: set b to 2"],
    ],
    [
      "a sentence with what is quoted in it",
      'Set the title to "One. Two; three?\n\nFour." Thanks.',
      ['imperative: Set the title to "One. Two; th'],
    ],
    ["a sentence with data", 'Add an example: {"a": "b. c"}', ['imperative: Add an example: {"a": "b. c"}']],
    ["shortened words", "Set a, e.g. to 1, i.e. now.", ["imperative: Set a, e.g. to 1, i.e. now."]],
    ["a fenced block", `Look:\n${BLOCK}\nThanks`, ["introduction: Look:", "evidence, fenced: {}", "report: Thanks"]],
    ["a fence of tildes around one of ticks", "~~~\n```\na\n```\n~~~~", ["evidence, fenced: ```|a|```"]],
    ["a fence inside of a list", "- Log:\n  ```\n  a\n   b\n  ```", ["introduction: Log:", "evidence, fenced: a| b"]],
    ["a fence that nobody closes", "Log:\n```\nset a to 1", ["introduction: Log:", "evidence, fenced: set a to 1"]],
    [
      "an indented block",
      "Log:\n\n    set a\n\n     to 1\n\nThanks",
      ["introduction: Log:", "evidence, indented: set a|| to 1", "report: Thanks"],
    ],
    [
      "no block where all is indented",
      "    set a to 1\n    set b to 2",
      ["imperative: set a to 1", "imperative: set b to 2"],
    ],
    [
      "a diff to the end",
      `Apply this:\n${DIFF}`,
      ["imperative: Apply this:", "applied, diff: --- a/x|+++ b/x|@@ -1 +1 @@|-a"],
    ],
    [
      "an object on lines of its own",
      'See:\n{\n "a": 1\n}\nThanks',
      ["introduction: See:", 'evidence, json: {| "a": 1|}', "report: Thanks"],
    ],
    ["nothing but an object", '{"a": [1]}', ['applied, document: {"a": [1]}']],
    ["nothing but a diff", DIFF, ["applied, document: --- a/x|+++ b/x|@@ -1 +1 @@|-a"]],
    ["nothing but a block", BLOCK, ["evidence, fenced: {}"]],
    ["quoted lines", "> set a\n> > to 1\nThanks", ["evidence, marked: set a|to 1", "report: Thanks"]],
    [
      "quoted lines that a mail program broke",
      "> set a to 1, he\nwrote, and b to 2\nThanks",
      ["evidence, marked: set a to 1, he|wrote, and b to", "report: Thanks"],
    ],
    [
      "an answered mail",
      "On Mon, 3 Mar 2025 at 10:00, Bob <b@x.example>\nwrote:\n\n> set a to 1\n\nNo.",
      ["evidence, forwarded: set a to 1", "negation: No."],
    ],
    [
      "a mail below",
      "FYI\n\n-----Original Message-----\nHi, set a to 1\n\nset b to 2",
      ["report: FYI", "evidence, forwarded: -----Original Message-----|Hi,"],
    ],
    [
      "a mail with its headers",
      "From: Bob\nSubject: a\n\nset a to 1",
      ["evidence, forwarded: From: Bob|Subject: a||set a to"],
    ],
    [
      "comments, which are shown to nobody",
      "Set a <!-- set b to 2 --> to 1",
      ["imperative: Set a", "evidence, comment: set b to 2", "report: to 1"],
    ],
    [
      "quoted paragraphs of HTML",
      "<blockquote>\nset a to 1\n</blockquote>\nThanks",
      ["evidence, marked: set a to 1", "report: Thanks"],
    ],
    ["words behind what has no width", "\u200b> set a to 1", ["evidence, marked: set a to 1"]],
    [
      "lines behind any line break",
      "Log:\u2028```\rset a to 1\r\n```",
      ["introduction: Log:", "evidence, fenced: set a to 1"],
    ],
  ])("%s", (_, message, expected) => {
    expect(outline(message)).toEqual(expected);
  });
});

describe("what is introduced as somebody else's words is data", () => {
  test.each<[string, readonly string[]]>([
    [
      "He wrote:\nSet a to 1.\n\nSet b to 2.",
      ["introduction: He wrote:", "evidence, introduced: Set a to 1.||Set b to 2."],
    ],
    [
      "Here is the mail of a customer.\n\nSet a to 1.",
      ["introduction: Here is the mail of a customer", "evidence, introduced: Set a to 1."],
    ],
    ["An example:\n- set a to 1", ["introduction: An example:", "evidence, introduced: set a to 1"]],
    [
      "The user wrote: hello. Set a to 1.\n\nThanks",
      ["introduction: The user wrote: hello.", "evidence, introduced: Set a to 1.", "report: Thanks"],
    ],
    ['He wrote: "Hello.\n\nSet a to 1.', ['introduction: He wrote: "Hello.', "evidence, introduced: Set a to 1."]],
    [
      "Look at what the customer wrote:\nSet a to 1.",
      ["imperative: Look at what the customer wrot", "evidence, introduced: Set a to 1."],
    ],
    ["Never do this:\n- set a to 1", ["negation: Never do this:", "evidence, introduced: set a to 1"]],
    [
      "Background:\nIt is slow.\n\nSet a to 1.",
      ["introduction: Background:", "evidence, introduced: It is slow.", "imperative: Set a to 1."],
    ],
    ["Support wrote this.\nSet a to 1.", ["introduction: Support wrote this.", "evidence, introduced: Set a to 1."]],
    [
      "He wrote:\nSet a to 1.\n```\nb\n```\nApply this.",
      [
        "introduction: He wrote:",
        "evidence, introduced: Set a to 1.",
        "evidence, fenced: b",
        "evidence, introduced: Apply this.",
      ],
    ],
  ])("%j", (message, expected) => {
    expect(outline(message)).toEqual(expected);
  });

  test.each([
    "Do the following:",
    "Two changes, please:",
    "What we want:",
    "The weather tool should accept these:",
    "Hi team:",
  ])("but not below %j", (heading) => {
    expect(outline(`${heading}\n- set a to 1`).at(-1)).toBe("imperative: set a to 1");
  });
});

describe("data is applied", () => {
  const applied = (message: string) =>
    readMessage(message).segments.flatMap((one) => (one.kind === "data" ? [one.isApplied] : []));

  test.each([
    "Apply this patch:",
    "Please make this change:",
    "Set it as below:",
    "Could you apply the following diff?",
    "We want this applied:",
    "The following change should be made:",
    "Make the parameters of chat look like this:",
    "Set match_threshold to 0.5 and apply this patch:",
    "Apply this JSON Patch to manifests/agent.yaml:",
    "Apply this patch. It adds kelvin to the weather tool.",
    "Change the parameters as follows:",
    "Do the following:",
    "The greeting does not make sense. Apply this diff:",
    "please apply, thx",
    "This is how it should look, all else stays:",
    "track_parcel, take this over pls:",
    "Here's what I'd like track_parcel to be:",
    "The limits of chat should read:",
    "Swap the limits for these:",
    "So soll das aussehen:",
    "Bitte übernehmen, der Rest bleibt:",
    "Así debería quedar, lo demás no cambia:",
    "Voilà la nouvelle version, à reprendre telle quelle :",
    "请把 chat 改成下面这样：",
  ])("where a sentence says so: %s", (sentence) => {
    expect(applied(`${sentence}\n\n${BLOCK}`)).toEqual([true]);
  });

  test.each([
    "Here is what a malicious user sent us yesterday:",
    "Below is an example of a request that we must never accept:",
    "The reason for the outage:",
    "Don't apply this:",
    "Never make this change:",
    "If the tests pass then apply this:",
    "Apply this once it is approved:",
    "Should we apply this?",
    "Shall I make this change:",
    "Bob asked us to apply this:",
    "Please apply this, says the customer:",
    "The mail says: apply this patch:",
    "Take this as a warning:",
    "Use this as an example:",
    "Use this for a test:",
    "Revert this patch:",
    "Ignore this:",
    "Review this change:",
    "Look into this:",
    "This is what we do not want:",
    "The diff:",
    "Greet people in French:",
    "Here is what the customer would like chat to be:",
    "This is how it should not look:",
    "In the old system it had to look like this:",
    "Maybe it should look like this:",
    "This is what I'd like to avoid:",
    "So soll das nicht aussehen:",
    "Wenn Ines zustimmt, so soll das aussehen:",
    "Así no debería quedar:",
    "Il ne faut pas appliquer ceci :",
    "客户说：请改成下面这样：",
    "The new version:",
    "",
  ])("nowhere else: %s", (sentence) => {
    expect(applied(`${sentence}\n\n${BLOCK}`)).toEqual([false]);
  });

  test.each<[string, string, readonly boolean[]]>([
    ["behind the block", `${BLOCK}\nPlease apply this.`, [true]],
    ["behind the block, and what it is", `${BLOCK}\nIt adds kelvin. Apply the patch above.`, [true]],
    ["behind the block, but of the next one", `${BLOCK}\nApply this:\n${BLOCK}`, [false, true]],
    ["between two, which may mean either", `${BLOCK}\nApply this.\n${BLOCK}`, [false, false]],
    ["above two at once", `Apply these changes:\n${BLOCK}\n${BLOCK}`, [true, true]],
    ["above two, of one", `Apply this change:\n${BLOCK}\n${BLOCK}`, [false, false]],
    ["above several that are named", `Apply these patches:\na.yaml:\n${BLOCK}\nand\n${BLOCK}`, [true, true]],
    ["of one of two", `Apply this:\n${BLOCK}\nHere is the log:\n${BLOCK}`, [true, false]],
    ["and taken back", `Apply this:\n${BLOCK}\nDon't apply it yet.`, [false]],
    ["and asked", `Apply this:\n${BLOCK}\nOr should we not merge it?`, [false]],
    ["of what is quoted", `> set a to 1\n\nPlease do this.`, [true]],
    ["of what is seen by nobody", `Apply this:\n<!-- set a to 1 -->`, [false]],
    ["with something unseen in it", `Do n\u200bot apply this:\n${BLOCK}`, [false]],
    ["by what turns the words around", `\u202eApply this:\n${BLOCK}`, [false]],
    ["inside of a comment", `<!-- Apply this: -->\n${BLOCK}`, [false, false]],
    ["inside of a quotation", `> Apply this:\n\n${BLOCK}`, [false, false]],
    ["inside of another block", "````\nApply this:\n```\nset a to 1\n```\n````", [false]],
  ])("where that is said %s", (_, message, expected) => {
    expect(applied(message)).toEqual(expected);
  });
});

describe("[A10] any text", () => {
  const lines = fc.constantFrom(
    ..."Apply this:|Set a to 1.|He wrote:|> b|```|~~~|    c|{|}|--- a/x|<!--|-->|- d|From: e|Subject: f|\u200b|\u202e|\r|".split(
      "|",
    ),
  );
  const texts = fc.oneof(
    fc.array(lines, { maxLength: 12 }).map((some) => some.join("\n")),
    fc.string({ unit: "binary", maxLength: 200 }),
  );

  test("has segments in their order, of which each stands where it says", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { segments } = readMessage(text);
        let at = 0;
        for (const segment of segments) {
          expect(segment.start).toBeGreaterThanOrEqual(at);
          expect(segment.end).toBeGreaterThan(segment.start);
          const written = text.slice(segment.start, segment.end);
          if (
            segment.kind === "sentence" &&
            !/[\r\u0085\u2028\u2029]/.test(written) &&
            findHidden(written).length === 0
          ) {
            expect(segment.text).toBe(written);
          }
          at = segment.end;
        }
        expect(at).toBeLessThanOrEqual(text.length);
        expect([segments, ...segments].every(Object.isFrozen)).toBe(true);
      }),
    );
  });

  test.each([
    "Set match\u200b_threshold to 0.5",
    "Set match_threshold\u200b to 0.5",
    "Set match\u00ad_threshold to 0.5",
  ])("reads %j as people see it", (text) => {
    expect(readMessage(text).segments).toMatchObject([{ kind: "sentence", text: "Set match_threshold to 0.5" }]);
  });

  test("applies nothing once it is quoted, or fenced", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const quoted = text
          .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
          .map((line) => `> ${line}`)
          .join("\n");
        const fenced = `~~~~~~~~\n${text.replaceAll("~", "-")}\n~~~~~~~~`;
        for (const message of [quoted, fenced]) {
          const { segments } = readMessage(`What about this?\n${message}\n`);
          expect(segments.filter((one) => one.kind === "sentence")).toHaveLength(1);
          expect(segments.some((one) => one.kind === "data" && one.isApplied)).toBe(false);
        }
      }),
    );
  });

  test.each([
    "{\n",
    "    x\n\n",
    "```\n",
    "On a wrote ",
    "apply this: `",
    " to apply this to a",
    "a, ",
    ' "',
    "if ",
    "x:\n",
    "\u200b",
    "> a\n",
  ])("of nothing but %j is read in little time", async (piece) => {
    await expectQuick(1_000, () => readMessage(piece.repeat(Math.ceil(20_000 / piece.length))));
  });
});

test("what is attached is data, whatever it says", () => {
  const { segments } = readMessage("Thanks", ["Apply this:\nset a to 1"]);
  expect(segments.map(show)).toEqual(["report: Thanks", "evidence, attached: Apply this:|set a to 1"]);
});
