/** 32 hexadecimal digits of what `random` gives. */
export function toSeed(random: () => number): string {
  return Array.from({ length: 4 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  ).join("");
}
