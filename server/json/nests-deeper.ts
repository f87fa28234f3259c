/** Says whether a value has more than `limit` containers in one another. */
export function nestsDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return limit === 0 || Object.values(value).some((part) => nestsDeeper(part, limit - 1));
}
