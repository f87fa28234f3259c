/**
 * Puts values in the place of `{{name}}`; a name without one leaves nothing. In JSON a value is escaped as inside of a
 * string, so that no value breaks it.
 */
export function fillPlaceholders(text: string, values: ReadonlyMap<string, string>, mimeType = "text/plain"): string {
  const isJson = /[/+]json$/.test(mimeType);
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values.get(name) ?? "";
    return isJson ? JSON.stringify(value).slice(1, -1) : value;
  });
}
