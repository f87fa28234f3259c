import { fold } from "../language/tokenise.ts";

/**
 * Words that people use for the values interfaces tend to have. The first of a line is not special: any of them stands for
 * any other.
 */
const GROUPS: readonly (readonly string[])[] = `
imperial, fahrenheit, °F, mph, miles per hour, US units
metric, celsius, centigrade, °C, km/h, kmh, SI units
C, celsius, centigrade, °C
F, fahrenheit, °F
K, kelvin
celsius, centigrade, °C
fahrenheit, °F
km, kilometer, kilometre
mi, mile
m, meter, metre
ft, foot, feet
cm, centimeter, centimetre
mm, millimeter, millimetre
in, inch, inches
kg, kilogram, kilo
lb, lbs, pound
g, gram
oz, ounce
l, liter, litre
gal, gallon
usd, dollar, US dollar, $
eur, euro, €
gbp, pound, pound sterling, £
jpy, yen, ¥
chf, franc, Swiss franc
inr, rupee, ₹
en, english
de, german
fr, french
es, spanish
it, italian
pt, portuguese
nl, dutch
ja, japanese
zh, chinese
ko, korean
asc, ascending, oldest first, smallest first
desc, descending, newest first, largest first
urgent, high, critical, important
low, minor
done, closed, finished, complete, completed
open, unresolved, pending
add, plus, sum
subtract, minus
multiply, times, multiplied
divide, divided
`
  .trim()
  .split("\n")
  .map((line) => line.split(", "));

const BY_WORD = new Map<string, string[]>();
for (const group of GROUPS) {
  for (const word of group) {
    const others = group.filter((other) => other !== word);
    BY_WORD.set(fold(word), [...(BY_WORD.get(fold(word)) ?? []), ...others]);
  }
}

export function findSynonyms(word: string): readonly string[] {
  return BY_WORD.get(fold(word)) ?? [];
}
