import { type Connection, insist } from "./connection.ts";
import { toUnavailable } from "./errors.ts";
import { toLate } from "./lane.ts";
import type { Read } from "./scan.ts";
import type { Standing } from "./standing.ts";

/** Creates the way of statements that may be sent again: each goes on until it has its answer or its time is over. */
export function createRead(connection: Connection, standing: Standing, limitMs: number): Read {
  return async (run) => {
    standing.assertGood();
    let isOver = false;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      isOver = true;
      reject(toLate(limitMs));
    }, limitMs);
    try {
      return await Promise.race([
        insist(
          () => connection.use(run),
          () => isOver,
        ),
        late,
      ]);
    } catch (error) {
      throw toUnavailable("read", error);
    } finally {
      clearTimeout(timer);
    }
  };
}
