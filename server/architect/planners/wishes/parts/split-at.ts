const CONNECTED =
  /;\s+|,? and then |,? then |,? and also |,? but also |,? as well as |,? but |,? and |, |\. |\s+(?:und|aber|y|pero|et|mais)\s+|，|；|并且|并|和|、/u;

/** The parts of a sentence that "and" and the like join. */
export function splitOutsideQuotes(text: string): readonly string[] {
  return splitAt(text, CONNECTED);
}

/** The parts of a text that a pattern separates, where that is not in quotation marks. */
export function splitAt(text: string, pattern: RegExp): readonly string[] {
  const quotes: string[] = [];
  const signed = text.replaceAll(
    /"[^"]*"|`[^`]*`|“[^”]*”|(?<![\p{L}])'[^']*'(?![\p{L}])/gu,
    (quote) => `\u{e000}${quotes.push(quote) - 1}\u{e001}`,
  );
  return signed
    .split(new RegExp(pattern, "iu"))
    .map((piece) => piece.replaceAll(/\u{e000}(\d+)\u{e001}/gu, (_, at: string) => quotes[Number(at)] ?? "").trim())
    .filter((piece) => piece !== "");
}
