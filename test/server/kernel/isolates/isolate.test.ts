import { describe, expect, onTestFinished, test } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import { createIsolate } from "../../../../server/kernel/isolates/isolate.ts";
import { createRun, type Run } from "../../../../server/kernel/isolates/run.ts";
import type { SandboxCall } from "../../../../server/kernel/isolates/sandbox.ts";
import { toCall, toHandler } from "./program.ts";

const program = toHandler("");

/** An isolate whose host is the test. */
function createPlayed() {
  const happened: string[] = [];
  const composers = new Set<() => string>();
  let order: number | undefined = 7;
  const isolate = createIsolate({
    id: 1,
    program,
    now: () => 5,
    nextOrder: () => order,
    send: (compose) => composers.add(compose),
    onStopped: (suspects, wasDirect) => happened.push(`stopped ${suspects.length}${wasDirect ? " directly" : ""}`),
    onVacant: () => happened.push("vacant"),
  });
  const hear = (verb: string, body = "", number = 1) => isolate.hear({ verb, isolate: 1, number, body });
  const sent = () => {
    const lines = [...composers].map((compose) => compose());
    composers.clear();
    return lines.filter((line) => line !== "").map((line) => line.trimEnd());
  };
  const admit = (changes: Partial<SandboxCall> = {}): Run => {
    const run = createRun(toCall(program, changes), 1, () => {});
    run.result.catch(() => undefined);
    onTestFinished(() => run.reject(new CairnError("UNAVAILABLE", "The test is over.")));
    isolate.admit(run);
    return run;
  };
  /** The calls of each entry, by number. */
  const entered = () =>
    sent().map((line) =>
      JSON.parse(line.split(" ").slice(3).join(" "))
        .slice(1)
        .filter(([kind]: unknown[]) => kind !== "tool")
        .map((item: unknown[]) => item[1]),
    );
  const forbidDirect = () => void (order = undefined);
  return { isolate, happened, hear, sent, admit, entered, forbidDirect };
}

/** The event of a call that is done. */
const done = (...calls: number[]) => calls.map((call) => `,["done",${call}]`).join("");

describe("an isolate, as the main process sees it", () => {
  test("is opened with its modules and entered when it is open", () => {
    const { sent, hear, admit } = createPlayed();
    admit();
    expect(sent()).toEqual([`open 1 64 ${JSON.stringify([...program.modules])}`]);
    hear("opened");
    expect(sent()).toEqual([expect.stringMatching(/^enter 1 200 \[5,\["tool",1,\{.*\},100000\],\["start",1,1,null,"/)]);
    expect(sent()).toEqual([]);
  });

  test("is entered by one batch at a time, larger ones the faster they are", () => {
    const { hear, admit, entered, sent } = createPlayed();
    sent();
    for (let count = 0; count < 240; count += 1) admit();
    hear("opened");
    const sizes = [];
    for (const milliseconds of [1, 1, 1, 1, 50, 50]) {
      const [batch = []] = entered();
      sizes.push(batch.length);
      expect(entered()).toEqual([]);
      hear("left", done(...batch), milliseconds);
    }
    // What tells of the tool is one of the first eight items.
    expect(sizes).toEqual([7, 16, 32, 64, 64, 32]);
  });

  describe("is entered on the host's own thread", () => {
    /** Enters with calls that take so many milliseconds each, and answers with how the next one would enter. */
    function enter(milliseconds: number, count: number) {
      const played = createPlayed();
      played.admit();
      played.sent();
      played.hear("opened");
      played.sent();
      played.hear("left", done(1), milliseconds);
      const admitNext = (changes: Partial<SandboxCall> = {}) => {
        played.admit(changes);
        const [line = ""] = played.sent();
        const [, call] = /"start",(\d+)/.exec(line) ?? [];
        return {
          verb: line.split(" ")[0],
          leave: (verb = "left") => played.hear(verb, done(Number(call)), milliseconds),
        };
      };
      for (let call = 1; call < count; call += 1) admitNext().leave();
      return { ...played, admitNext };
    }

    test("when it was quick for long", () => {
      expect(enter(0.4, 30).admitNext().verb).toBe("enter");
      const { admitNext, isolate } = enter(0.4, 32);
      const { verb, leave } = admitNext();
      isolate.age(150, 0);
      expect([verb, isolate.direct()]).toEqual(["direct", { order: 7, age: 150 }]);
      leave();
      expect(isolate.direct()).toBeUndefined();
      expect(enter(0.6, 100).admitNext().verb).toBe("enter");
    });

    test("unless its program may not, or something of a call cannot be undone", () => {
      const { admitNext, forbidDirect } = enter(0.1, 40);
      const final = admitNext({ isFinal: () => true });
      final.leave();
      const usual = admitNext();
      usual.leave();
      forbidDirect();
      expect([final.verb, usual.verb, admitNext().verb]).toEqual(["enter", "direct", "enter"]);
    });

    test("and no more once an entry took too long", () => {
      const { admitNext, happened, hear } = enter(0.1, 40);
      admitNext();
      happened.length = 0;
      hear("stopped");
      expect([happened[0], admitNext().verb]).toEqual(["stopped 1 directly", "enter"]);
    });
  });

  test("has only calls with the same limit enter together", () => {
    const { hear, admit, entered, sent } = createPlayed();
    sent();
    for (const cpu of [10, 20, 10, 20, 30]) admit({ limits: { time: 10_000, cpu, memory: 64, payload: 1 } });
    hear("opened");
    const batches = [];
    for (let [batch] = entered(); batch !== undefined; [batch] = entered()) {
      batches.push(batch);
      hear("left", done(...batch));
    }
    expect(batches).toEqual([[1, 3], [2, 4], [5]]);
  });

  test("has as much enter together as is reasonable to read", () => {
    const { hear, admit, entered, sent } = createPlayed();
    sent();
    for (let count = 0; count < 3; count += 1) admit({ input: "x".repeat(600_000) });
    hear("opened");
    expect(entered()).toEqual([[1]]);
  });

  test("is told to forget the calls that it knows and nobody waits for", () => {
    const { hear, admit, sent, happened } = createPlayed();
    const [known, unknown] = [admit(), admit()];
    unknown.resolve({ output: null });
    sent();
    hear("opened");
    expect(sent()).toEqual([expect.stringContaining('["start",1,')]);
    known.resolve({ output: null });
    hear("left");
    expect(sent()).toEqual(['enter 1 200 [5,["abort",1]]']);
    hear("left");
    expect(happened).toEqual(["vacant", "vacant"]);
  });

  test("is vacant when it is open and its only call is over", () => {
    const { hear, admit, happened } = createPlayed();
    admit().resolve({ output: null });
    expect(happened).toEqual([]);
    hear("opened");
    expect(happened).toEqual(["vacant"]);
  });

  test("gives back the calls that have not entered", () => {
    const { isolate, hear, admit, sent } = createPlayed();
    const first = admit();
    sent();
    hear("opened");
    sent();
    const second = admit();
    expect([isolate.hasWaiting(), isolate.withdraw(), isolate.withdraw()]).toEqual([true, [second], []]);
    expect(isolate.executing().map(({ run }) => run)).toEqual([first]);
  });

  test("takes a call that cannot be repeated by itself, and others together", () => {
    const { hear, admit, entered } = createPlayed();
    const isFinal = () => true;
    for (const changes of [{}, { isFinal }, {}, { isFinal }]) admit(changes);
    entered();
    hear("opened");
    expect(entered()).toEqual([[1, 3]]);
    hear("left", done(1, 3));
    expect(entered()).toEqual([[2]]);
    hear("left", done(2));
    expect(entered()).toEqual([[4]]);
  });

  test("counts how long calls wait, and when an entry is overdue", () => {
    const { isolate, hear, admit, sent } = createPlayed();
    admit();
    sent();
    expect([isolate.age(60_100, 100), isolate.age(1, 100), isolate.busyFor()]).toEqual([false, true, 0]);
    hear("opened");
    sent();
    expect([isolate.age(10_050, 50), isolate.age(1, 50), isolate.busyFor()]).toEqual([false, true, 10_051]);
    hear("left", done(1));
    expect([isolate.age(100_000, 50), isolate.busyFor()]).toEqual([false, 0]);
  });

  test.for([
    ["leaves without having been entered", "left", ""],
    ["says what is not an event", "left", ',["other",1]'],
    ["says what is not JSON", "left", ",]"],
  ])("is not believed when it %s", ([, verb = "", body]) => {
    const { hear, admit, sent } = createPlayed();
    admit();
    sent();
    hear("opened");
    if (body !== "") sent();
    expect(() => hear(verb, body)).toThrow(body === ",]" ? SyntaxError : CairnError);
  });

  test("is not believed when it asks for too much, or of calls that it does not have", () => {
    const { hear, admit, sent } = createPlayed();
    const asked: string[] = [];
    const syscall = (name: string) => {
      asked.push(name);
      return new Promise<never>(() => undefined);
    };
    admit({ syscall });
    sent();
    hear("opened");
    sent();
    const events = Array.from({ length: 256 }, (_, at) => `,["ask",1,${at},"state.get",{}]`).join("");
    hear("left", `${events},["ask",2,1,"state.get",{}],["done",2,"forged"]`);
    expect(asked).toHaveLength(256);
    admit();
    sent();
    expect(() => hear("left", ',["ask",1,999,"state.get",{}]')).toThrow(CairnError);
  });
});
