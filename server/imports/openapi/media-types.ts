/** Finds the JSON among the contents of a body, by media type: the plain type before those like it. */
export function findJson(content: readonly (readonly [type: string, media: unknown])[]) {
  return content.find(([type]) => type === "application/json") ?? content.find(([type]) => isJson(type));
}

/** Says whether a body of a media type is text that a model can read. */
export function isText(type: string): boolean {
  return /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:xml|yaml|javascript|x-ndjson|ndjson)\b)/i.test(type.trim());
}

/** Says whether a body of a media type is read and written as JSON. */
function isJson(type: string): boolean {
  return /^(?:application\/(?:[\w.+-]+\+)?json|text\/json|\*\/\*|application\/\*)(?:\s*;|$)/i.test(type.trim());
}
