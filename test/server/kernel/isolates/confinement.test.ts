import { describe, expect, test } from "vitest";
import { createConfinement } from "../../../../server/kernel/isolates/confinement.ts";
import type { Isolate } from "../../../../server/kernel/isolates/isolate.ts";
import type { SandboxProcess } from "../../../../server/kernel/isolates/sandbox-process.ts";
import type { Program } from "../../../../server/versions/version.ts";
import { toHandler } from "./program.ts";

const plain = toHandler("");

/** Processes and isolates that do what the test says, and what was done with them. */
function createPlayed() {
  const events: string[] = [];
  const started: SandboxProcess[] = [];
  const inside = new Map<string, { process: SandboxProcess; isolate: Isolate }>();
  const start = () => {
    const name = `p${started.length + 1}`;
    const process = {
      open: (program: Program) =>
        ({ program, isIdle: () => false, isLoading: () => false }) as Partial<Isolate> as Isolate,
      close: (isolate: Isolate) => events.push(`${name} closes ${isolate.program.key}`),
    } as Partial<SandboxProcess> as SandboxProcess;
    started.push(process);
    events.push(`${name} starts`);
    return process;
  };
  const confinement = createConfinement({
    start,
    dismiss: (process) => events.push(`p${started.indexOf(process) + 1} ends`),
  });
  const over = new Set<string>();
  return {
    confinement,
    over,
    events: () => events.splice(0),
    /** Calls of a program, by names such as `a1`: the first letter is the program's. */
    add(names: string, owner?: string, isNested = false): void {
      for (const name of names.split(" ")) {
        const program = { ...plain, key: name.slice(0, 1), ...(owner === undefined ? {} : { owner }) };
        confinement.add({
          program,
          isNested,
          isOver: () => over.has(name),
          enter: (isolate) => {
            events.push(`${name} enters`);
            const process = started.at(-1);
            if (process !== undefined) inside.set(name, { process, isolate });
          },
        });
      }
    },
    /** The call is over, and nobody is in its isolate. */
    leave(name: string, at: number): void {
      const found = inside.get(name);
      const process = started[at - 1];
      if (found !== undefined && process !== undefined) confinement.leave(process, found.isolate);
    },
    lose: (at: number, isEnded: boolean) => confinement.lose(started[at - 1] as SandboxProcess, isEnded),
  };
}

describe("confinement", () => {
  test("has one call of an offender at a time, in one isolate", () => {
    const { add, leave, events, confinement } = createPlayed();
    add("a1 a2 a3");
    expect([events(), confinement.waiting()]).toEqual([["p1 starts", "a1 enters"], 2]);
    leave("a1", 1);
    leave("a2", 1);
    expect([events(), confinement.waiting()]).toEqual([["a2 enters", "a3 enters"], 0]);
  });

  test("has two processes, in which any number of offenders take turns", () => {
    const { add, leave, events } = createPlayed();
    add("a1 a2 b1 b2 c1 c2");
    expect(events()).toEqual(["p1 starts", "a1 enters", "p2 starts", "b1 enters"]);
    add("a3");
    leave("a1", 1);
    expect(events()).toEqual(["a2 enters"]);
    leave("a2", 1);
    expect(events()).toEqual(["p1 closes a", "c1 enters"]);
    leave("c1", 1);
    expect(events()).toEqual(["p1 closes c", "a3 enters"]);
    leave("a3", 1);
    expect(events()).toEqual(["p1 closes a", "c2 enters"]);
  });

  test("goes on in another process when one is lost, and in another isolate when that is, after a second", () => {
    const { add, lose, events, confinement } = createPlayed();
    add("a1 a2 a3");
    lose(1, true);
    confinement.age(999);
    expect(events()).toEqual(["p1 starts", "a1 enters"]);
    confinement.age(1);
    expect(events()).toEqual(["p2 starts", "a2 enters"]);
    lose(2, false);
    confinement.age(1_000);
    expect(events()).toEqual(["a3 enters"]);
  });

  test("has others go on while the offender that lost a process waits", () => {
    const { add, lose, events } = createPlayed();
    add("a1 a2 b1 c1");
    events();
    lose(1, true);
    expect(events()).toEqual(["p3 starts", "c1 enters"]);
  });

  test("lets in at once what the call inside may be waiting for", () => {
    const { add, events } = createPlayed();
    add("a1 a2");
    add("a3", undefined, true);
    expect(events()).toEqual(["p1 starts", "a1 enters", "a3 enters"]);
  });

  test("has all that one owner runs take turns", () => {
    const { add, leave, events } = createPlayed();
    add("a1 b1", "ada");
    expect(events()).toEqual(["p1 starts", "a1 enters"]);
    leave("a1", 1);
    expect(events()).toEqual(["p2 starts", "b1 enters"]);
  });

  test("passes over calls that were given up", () => {
    const { add, leave, over, events } = createPlayed();
    add("a1 a2 a3");
    over.add("a2");
    leave("a1", 1);
    expect(events()).toEqual(["p1 starts", "a1 enters", "a3 enters"]);
  });

  test("refuses the call after the hundredth that waits", () => {
    const { add, over, events, confinement } = createPlayed();
    add(Array.from({ length: 101 }, (_, at) => `a${at}`).join(" "));
    expect(() => add("a101")).toThrow(expect.objectContaining({ name: "UNAVAILABLE" }));
    over.add("a50");
    add("a102");
    expect([events(), confinement.waiting()]).toEqual([["p1 starts", "a0 enters"], 100]);
  });

  test("ends a process that nobody has needed for ten seconds", () => {
    const { add, leave, events, confinement } = createPlayed();
    add("a1");
    confinement.age(20_000);
    leave("a1", 1);
    confinement.age(10_000);
    expect(events()).toEqual(["p1 starts", "a1 enters"]);
    confinement.age(1);
    expect(events()).toEqual(["p1 ends"]);
    add("a2");
    expect(events()).toEqual(["p2 starts", "a2 enters"]);
  });
});
