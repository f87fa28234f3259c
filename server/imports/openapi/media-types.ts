/** Says whether a body of a media type is read and written as JSON. */
export function isJson(type: string): boolean {
  return /^(?:application\/(?:[\w.+-]+\+)?json|text\/json|\*\/\*|application\/\*)(?:\s*;|$)/i.test(type.trim());
}

/** Says whether a body of a media type is text that a model can read. */
export function isText(type: string): boolean {
  return /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:xml|yaml|javascript|x-ndjson|ndjson)\b)/i.test(type.trim());
}
