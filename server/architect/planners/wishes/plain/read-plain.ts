import type { Message } from "../../../message/message.ts";
import { readMessage } from "../../../message/read-message.ts";
import { fromStated, withMultiples } from "./from-stated.ts";
import type { Places } from "../places/places.ts";
import { quoteGiven } from "./quote-given.ts";
import { quoteNames } from "./quote-names.ts";
import { withAntecedents } from "./with-antecedents.ts";
import { withDefaults } from "./with-defaults.ts";
import { withField } from "./with-field.ts";
import { withoutCounts } from "./without-counts.ts";
import { withoutCourtesy } from "./without-courtesy.ts";

/** Reads a message without what stands between its wishes and a plain one: courtesy, numbers of items, texts without quotation marks, and words that stand for a name or a default. */
export function readPlain(text: string, places: Places): Message {
  const named = quoteNames(text.toWellFormed(), places);
  const plain = fromStated(withDefaults(withMultiples(withoutCounts(quoteGiven(withoutCourtesy(named))))));
  return readMessage(withAntecedents(withField(plain, places), places));
}
