/** Fields in which tools tell their result as a text, the most likely first. */
const SUMMARIES = ["summary", "text", "message", "answer"];
const DEPTH = 3;
const ITEMS = 5;
const TEXT_LIMIT = 2_000;
const VALUE_LIMIT = 200;
/** The server adds these to every result; they say nothing about its content. */
const OWN = new Set(["conversation_id", "logs_uri"]);

/** A tool's result as text: its own summary if it has one near the top, else its values in a few lines. */
export function renderResult(result: unknown): string {
  const summary = findSummary([result], DEPTH);
  const text = summary ?? (renderValue(result, 0) || "Done.");
  return text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}…` : text;
}

/** Level by level, so that the outermost summary wins. */
function findSummary(level: readonly unknown[], depth: number): string | undefined {
  if (depth === 0 || level.length === 0) return undefined;
  const objects = level.filter(isObject);
  for (const name of SUMMARIES) {
    const text = objects
      .map((object) => object[name])
      .find((value) => typeof value === "string" && value.trim() !== "");
    if (typeof text === "string") return text;
  }
  return findSummary(
    objects.flatMap((object) => Object.values(object)),
    depth - 1,
  );
}

function renderValue(value: unknown, depth: number): string {
  if (Array.isArray(value)) return renderList(value, depth);
  if (!isObject(value)) return typeof value === "string" ? shorten(value) : JSON.stringify(value ?? null);
  const entries = Object.entries(value).filter(([name, part]) => !(depth === 0 && OWN.has(name)) && part !== undefined);
  if (depth >= DEPTH) return shorten(JSON.stringify(value));
  return entries.map(([name, part]) => renderEntry(name, part, depth)).join(depth === 0 ? "\n" : ", ");
}

function renderEntry(name: string, part: unknown, depth: number): string {
  const label = name.replaceAll("_", " ");
  const text = renderValue(part, depth + 1);
  return text.includes("\n") ? `${label}:\n${text}` : `${label}: ${text}`;
}

function renderList(items: readonly unknown[], depth: number): string {
  if (items.length === 0) return "none";
  const shown = items.slice(0, ITEMS).map((item) => renderValue(item, Math.max(1, depth) + 1));
  const more = items.length - shown.length;
  if (items.every((item) => !isObject(item)) && more === 0) return shown.join(", ");
  return [...shown.map((text) => `- ${text}`), ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}

function shorten(text: string): string {
  return text.length > VALUE_LIMIT ? `${text.slice(0, VALUE_LIMIT)}…` : text;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
