import { CairnError } from "../../../../errors.ts";
import { PHRASES } from "../../directives/phrases.ts";
import { readDeeds } from "../../directives/read-deeds.ts";
import { toRejection } from "../../../guard/refuse.ts";
import { ALREADY, type Reader, work } from "../try-choices.ts";
import type { Outcome } from "./plan-list.ts";

/** Reads a text that says in so many words what is to be done; undefined where it does not, or where that cannot be done. */
export async function readDirective(text: string, reader: Reader): Promise<Outcome | undefined> {
  try {
    const read = readDeeds({ message: text, attachments: [] }, reader.ground, PHRASES);
    if (read === undefined || read.rest !== "") return undefined;
    return { plan: await work(reader, read.deeds), deeds: read.deeds };
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return error.message.startsWith(ALREADY) ? { plan: toRejection(error) } : undefined;
  }
}
