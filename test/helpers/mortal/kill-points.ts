import { appendFileSync, existsSync } from "node:fs";

/** How a service is told when to die; as variables of its environment. */
export interface KillOrder {
  /** Points that it lives through. */
  readonly CAIRN_TEST_LIVES: string;
  /** How the points begin that are counted down; empty: all. */
  readonly CAIRN_TEST_POINTS: string;
  /** A file without which points do not count yet. */
  readonly CAIRN_TEST_ARMED: string;
  /** A file that gets a line for each point that counts. */
  readonly CAIRN_TEST_JOURNAL: string;
}

/** Says that a point was reached, at which the process may end as if the machine had lost its power over it. */
export function createKillPoints(environment: Readonly<Record<string, string | undefined>>): (point: string) => void {
  const { CAIRN_TEST_LIVES: lives, CAIRN_TEST_ARMED: armed = "", CAIRN_TEST_JOURNAL: journal = "" } = environment;
  const { CAIRN_TEST_POINTS: counted = "" } = environment;
  if (lives === undefined) return () => undefined;
  let left = Number(lives);
  let counts = false;
  return (point) => {
    counts ||= existsSync(armed);
    if (!counts) return;
    appendFileSync(journal, `${point.slice(0, 200)}\n`);
    if (!point.startsWith(counted)) return;
    left -= 1;
    if (left < 0) process.kill(process.pid, "SIGKILL");
  };
}
