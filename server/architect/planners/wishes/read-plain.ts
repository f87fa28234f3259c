import type { Message } from "../../message/message.ts";
import { readMessage } from "../../message/read-message.ts";
import { fromStated } from "./from-stated.ts";
import { quoteGiven } from "./quote-given.ts";
import { withoutCounts } from "./without-counts.ts";
import { withoutCourtesy } from "./without-courtesy.ts";

/** Reads a message without what stands between its wishes and a plain one: courtesy, numbers of items, and texts without quotation marks. */
export function readPlain(text: string): Message {
  return readMessage(fromStated(withoutCounts(quoteGiven(withoutCourtesy(text.toWellFormed())))));
}
