import { isObject } from "../../../json/is-object.ts";

/** Characters of the endpoint's own words that are shown. */
const SHOWN = 300;

const KEY = "It does not accept the key; check `CAIRN_MODEL_KEY`.";
/** What somebody who runs the service can do, by the status of an answer. */
const ADVICE: Readonly<Record<number, string>> = {
  401: KEY,
  402: "Its account has no credit left.",
  403: "It does not accept the key, or not for this model; check `CAIRN_MODEL_KEY` and `CAIRN_MODEL_NAME`.",
  404: "It has no such address or no such model; check `CAIRN_MODEL_URL`, to which `/chat/completions` is added, and `CAIRN_MODEL_NAME`.",
  405: "It has no such address; check `CAIRN_MODEL_URL`, to which `/chat/completions` is added.",
  413: "The request is too large for it.",
  429: "It is busy, or its quota is used up.",
};

/** Explains an answer without success: its status, what can be done, and the endpoint's own words from its body. */
export function explainRefusal(status: number, body: string, toPlain: (text: string) => string): string {
  const words = toPlain(findWords(body)).replaceAll(/\s+/g, " ").trim();
  const shown = words.length > SHOWN ? `${words.slice(0, SHOWN).toWellFormed()} …` : words;
  // Google says so with 400.
  const isKey = status === 400 && /\bapi.?key\b/i.test(words);
  return [
    `answered with ${status}.`,
    (isKey ? KEY : ADVICE[status]) ?? (status >= 500 ? "The fault is its own." : ""),
    shown === "" ? "" : `It says: ${shown}`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** Finds the message of an error in the forms that endpoints give it: `error.message`, `message`, `detail`, or a list of one. */
function findWords(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return "";
  }
  for (let depth = 0; depth < 4; depth++) {
    if (typeof value === "string") return value;
    if (Array.isArray(value)) value = value[0];
    else if (isObject(value)) value = value["error"] ?? value["message"] ?? value["detail"] ?? value["msg"];
    else return "";
  }
  return typeof value === "string" ? value : "";
}
