import { setTimeout } from "node:timers/promises";
import { CairnError } from "../../errors.ts";
import { createMemberCheck } from "../../kernel/arguments.ts";
import { defineSyscalls } from "../../kernel/dispatch.ts";

const sleepArguments = createMemberCheck<{ milliseconds: number }>("sleep", ["milliseconds"], {
  milliseconds: { type: "number", minimum: 0 },
});

/**
 * `ctx.sleep`: waits within the call's time limit, of which it is a part. A wait that would outlast the limit ends at once
 * with TIME_LIMIT, as no answer could follow it; one whose caller has gone ends with the call.
 */
export function createSleepSyscalls(now: () => number) {
  return defineSyscalls({
    async sleep({ tool, deadline, signal }, args) {
      const { milliseconds } = sleepArguments(args);
      const left = Math.max(0, deadline - now());
      if (milliseconds >= left) {
        const message = `\`ctx.sleep(${milliseconds})\` would outlast the ${left} ms that \`${tool.name}\` has left of its time limit.`;
        throw new CairnError("TIME_LIMIT", message);
      }
      await setTimeout(milliseconds, undefined, { signal });
      return undefined;
    },
  });
}
