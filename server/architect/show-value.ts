/** A value in backquotes, as messages name it; a long one is cut. */
export function showValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `\`${text.length > SHOWN ? `${text.slice(0, SHOWN)}…`.toWellFormed() : text}\``;
}

const SHOWN = 80;
