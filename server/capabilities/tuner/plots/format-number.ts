/** To three digits, as text in a picture shows it. */
export function formatNumber(value: number): string {
  return String(Number(value.toPrecision(3)));
}
