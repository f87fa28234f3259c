import { CairnError } from "../../errors.ts";
import type { Json } from "../../store/store.ts";
import { createArgumentCheck } from "../../kernel/arguments.ts";
import { findSession, writeSession } from "../../kernel/conversation.ts";
import { defineSyscalls } from "../../kernel/dispatch.ts";

/** Bytes of JSON that one conversation may remember. */
export const SESSION_LIMIT = 256 * 1024;

const setArguments = createArgumentCheck<{ value: Json }>("session.set", {
  type: "object",
  required: ["value"],
  properties: { value: {} },
});

/** `ctx.session`: one value for each conversation, written with the call's own record or not at all. */
export function createSessionSyscalls(now: () => number) {
  return defineSyscalls({
    async "session.get"(call) {
      return (await findSession(call))?.value;
    },
    async "session.set"(call, args) {
      const { value } = setArguments(args);
      const size = Buffer.byteLength(JSON.stringify(value));
      if (size > SESSION_LIMIT) {
        throw new CairnError(
          "BAD_REQUEST",
          `\`ctx.session.set\`: ${size} bytes are more than the ${SESSION_LIMIT} that one conversation may remember.`,
        );
      }
      writeSession(call, now(), await findSession(call), value);
      return undefined;
    },
  });
}
