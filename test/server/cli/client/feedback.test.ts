import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../../../server/cli/exit-codes.ts";
import { createGreeter, DROP_MOOD } from "../../../fixtures/greeter.ts";
import { openArchitectService } from "../../../helpers/architect-service.ts";
import { LOCAL_CALLER } from "../../../../server/auth/caller.ts";
import { runIn } from "../run-in.ts";

/** Whoever sends no token is let in as anybody on this machine is. */
const open = async () => (await openArchitectService({ people: { "": LOCAL_CALLER } })).service.url;

describe("cairn feedback", () => {
  test("says what came of it, and what was done meanwhile", async () => {
    const url = await open();
    const { code, printed } = await runIn(".", ["feedback", "Set most of limits to 4.", "--url", url]);
    expect(code).toBe(EXIT.OK);
    expect(printed).toMatch(/^plan: Asks the planner `directives`\.$/m);
    expect(printed).toMatch(/^verify: examples: (?:passed|skipped)$/m);
    expect(printed).toMatch(/^committed 1\.0\.1 \([0-9a-f]{40}\)$/m);
    expect(printed).toMatch(/It is live as 1\.0\.1/);
    expect(printed).toMatch(/`undo [0-9a-f-]{36}` takes it back\.$/m);
  });

  test("ends with 1 when the feedback is rejected, which a dry run says as well", async () => {
    const url = await open();
    const { code, printed } = await runIn(".", ["feedback", "Sing.", "--dry-run", "--url", url]);
    expect(code).toBe(EXIT.FAILED);
    expect(printed).toMatch(/^rejected\nDry run: /m);
  });

  test("asks people at a terminal which reading is meant, and sends what they choose", async () => {
    const url = await open();
    const argv = [
      "feedback",
      "Maybe nobody needs more than 3 there by default, 4 would be enough for most.",
      "--url",
      url,
    ];
    const asked = await runIn(".", argv);
    expect(asked.printed).toMatch(/To choose, send `yes [0-9a-f-]{36} a/);
    const chosen = await runIn(".", argv, { isTerminal: true, input: () => Readable.from(["z\n", "a\n"]) });
    expect(chosen.printed).toMatch(/^Which one is meant: a/m);
    expect(chosen.printed).toMatch(/^Say a.*, or nothing\.$/m);
    expect(chosen.printed).toMatch(/^plan: Asks the planner `wishes`\.$/m);
    expect(chosen.printed).toMatch(/^committed 1\.0\.1 /m);
    const none = await runIn(".", argv, { isTerminal: true, input: () => Readable.from(["\n"]) });
    expect(none.code).toBe(EXIT.FAILED);
  });

  test("says of what waits how to approve it, with commands as they can be copied", async () => {
    const { service, data } = await openArchitectService({ people: { "": LOCAL_CALLER } });
    const { url } = service;
    const { printed } = await runIn(".", ["feedback", DROP_MOOD, "--url", url]);
    expect(printed).toMatch(/^waiting: It waits for somebody's approval\. http\S+ says more\.$/m);
    const [, id = ""] = /feedback\/([0-9a-f-]{36}) says more/.exec(printed) ?? [];
    const reason = '--reason "Read and found right."';
    expect(printed.split("\n").slice(-2)).toEqual([
      `On the machine of the service: cairn work approve ${id} --data "<its data folder>" ${reason}`,
      `As somebody with the rights to: cairn work approve ${id} --url ${url} ${reason}`,
    ]);
    const environment = { PATH: process.env["PATH"], CAIRN_DATA: data };
    const there = await runIn(".", ["feedback", DROP_MOOD, "--agent", "1.0.0", "--url", url], { environment });
    const [, other = ""] = /work approve (\S+) /.exec(there.printed) ?? [];
    expect(there.printed).toContain(`cairn work approve ${other} --data '${data}' ${reason}`);
    expect(there.printed).toContain(`cairn work approve ${other} --url ${url} --agent '1.0.0' ${reason}`);
    const approved = await runIn(".", ["work", "approve", other, "--data", data, "--reason", "Read."], { environment });
    expect(approved.printed).toMatch(/^Run \S+ is approved\.$/);
  });

  test("names no command for callers where the version has no tool that decides", async () => {
    const all = await createGreeter();
    const files = Object.fromEntries(Object.entries(all).filter(([path]) => !path.includes("approval_write")));
    const { service } = await openArchitectService({ people: { "": LOCAL_CALLER }, files });
    const { printed } = await runIn(".", ["feedback", DROP_MOOD, "--url", service.url]);
    expect(printed).toContain('--data "<its data folder>"');
    expect(printed).not.toContain("work approve --url");
    expect(printed.match(/cairn work approve/g)).toHaveLength(1);
  });

  test.each([
    [["feedback"], EXIT.USAGE, "Say what should be otherwise"],
    [["feedback", "--file", "nowhere.md"], EXIT.USAGE, "`nowhere.md` of `--file` cannot be read"],
    [["feedback", "Hi", "--url", "http://127.0.0.1:1"], EXIT.ENVIRONMENT, "No service answers"],
  ])("%j ends with %i", async (argv, expected, said) => {
    const { code, printed } = await runIn(".", argv);
    expect([code, printed]).toEqual([expected, expect.stringContaining(said)]);
  });

  test("tells what the service refuses", async () => {
    const { service } = await openArchitectService();
    const { code, printed } = await runIn(".", ["feedback", "Set most of limits to 4.", "--url", service.url]);
    expect([code, printed]).toEqual([EXIT.FAILED, expect.stringContaining("wants a token")]);
    const odd = ["feedback", "Hi", "--attach", "file:///etc/passwd", "--url", await open()];
    expect((await runIn(".", odd)).printed).toContain("`attachments[0]`, `file:///etc/passwd`, has the scheme `file:`");
  });
});
