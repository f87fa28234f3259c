import { MONTHS } from "../time/calendar.ts";

type Groups = Readonly<Record<string, string | undefined>>;
type Name = keyof typeof NUMBERS;

/** A way to say a time whose words come in another order, or hang together in another way, than in English. */
export interface Turn {
  readonly pattern: RegExp;
  readonly english: (groups: Groups) => string;
}

/** From 1 on; several spellings of a number with bars. */
const NUMBERS = {
  German: "ein|eine|einer|einem|einen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
  Spanish: "un|una|uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
  French: "un|une deux trois quatre cinq six sept huit neuf dix onze douze",
  Chinese: "一 二|两 三 四 五 六 七 八 九",
} as const;
/** Minutes, hours, days, weeks, months, years. */
const UNITS = {
  German: "minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?",
  Spanish: "minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|años?",
  French: "minutes?|heures?|jours?|semaines?|mois|ans?|années?",
  Chinese: "分钟|个?小时|天|个?(?:周|星期|礼拜)|个?月|年",
} as const;
const ENGLISH = ["minutes", "hours", "days", "weeks", "months", "years"];

const AGO = (language: Name) => (groups: Groups) => `${toSpan(language, groups)} ago`;
const AHEAD = (language: Name) => (groups: Groups) => `in ${toSpan(language, groups)}`;

export const GERMAN_TIMES: readonly Turn[] = [
  turn(`vor ${amount("German")}`, AGO("German")),
  turn(`in ${amount("German")}`, AHEAD("German")),
  turn(
    `(?<lead>um halb|halb|um viertel nach|um viertel vor|viertel nach|viertel vor|um) ${number("German")}(?<uhr> uhr)?`,
    ({ lead, uhr = "", ...groups }) => `${lead} ${toNumber("German", groups)}${uhr}`,
  ),
  turn(String.raw`(?<date>\d{1,2})\. (?=jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)`, ({ date }) => `${date} `),
];
export const SPANISH_TIMES: readonly Turn[] = [
  turn(`hace ${amount("Spanish")}`, AGO("Spanish")),
  turn(`(?:dentro de|en) ${amount("Spanish")}`, AHEAD("Spanish")),
  turn(
    `a las? ${number("Spanish")}(?<part> y media| y cuarto| menos cuarto)?`,
    (groups) => `at ${toPart(groups["part"]?.trim(), "y media", "menos cuarto")}${toNumber("Spanish", groups)}`,
  ),
  turn(String.raw`(?<date>\d{1,2}) de (?!las?\s)(?=\p{L})`, ({ date }) => `${date} `),
];
export const FRENCH_TIMES: readonly Turn[] = [
  turn(`il y a ${amount("French")}`, AGO("French")),
  turn(`dans ${amount("French")}`, AHEAD("French")),
  turn(`à ${number("French")} heures?(?<part> et demie| et quart| moins le quart)?`, (groups) => {
    const part = groups["part"]?.trim();
    const hour = toNumber("French", groups);
    return part === undefined ? `at ${hour} o'clock` : `at ${toPart(part, "et demie", "moins le quart")}${hour}`;
  }),
];
const HAN_NUMBER = String.raw`\d{1,4}|[二三]?十[一二三四五六七八九]?|[一二两三四五六七八九]`;
const HAN = `(?<number>${HAN_NUMBER})`;
export const CHINESE_TIMES: readonly Turn[] = [
  turn(
    `${HAN}(?<unit>${UNITS.Chinese})(?:之|以)?(?<side>后|前)`,
    (groups) => ` ${groups["side"] === "前" ? AGO("Chinese")(groups) : AHEAD("Chinese")(groups)} `,
  ),
  turn(
    String.raw`(?:(?<year>\d{4})年)?(?<month>${HAN_NUMBER})月(?<date>${HAN_NUMBER})[日号]`,
    ({ year = "", month, date }) =>
      ` on ${toNumber("Chinese", { number: date })} ${MONTHS[toNumber("Chinese", { number: month }) - 1] ?? ""} ${year} `,
  ),
  turn(
    String.raw`(?<half>凌晨|早上|上午|中午|下午|晚上)?${HAN}点(?:钟|(?<part>半)|(?<minute>\d{1,2})分?)?`,
    ({ half = "", part, minute = part ? "30" : "00", ...groups }) => {
      const hour = toNumber("Chinese", groups);
      const isLate = hour < 12 && (/[下晚]/.test(half) || (half === "中午" && hour < 6));
      return ` at ${hour + (isLate ? 12 : 0)}:${minute.padStart(2, "0")} `;
    },
  ),
];

function turn(pattern: string, english: Turn["english"]): Turn {
  const spaced = pattern.replaceAll(/ (?![?*+{])/g, String.raw`\s+`);
  const isHan = /\p{Script=Han}/u.test(pattern);
  return {
    pattern: new RegExp(
      isHan ? spaced : String.raw`(?<![\p{L}\p{M}\p{N}_])(?:${spaced})(?:(?<=\s)|(?![\p{L}\p{M}\p{N}_]))`,
      "giu",
    ),
    english,
  };
}

function number(language: Name): string {
  return String.raw`(?<number>\d{1,3}|${NUMBERS[language].split(" ").join("|")})`;
}

function amount(language: Name): string {
  return `${number(language)} (?<unit>${UNITS[language]})`;
}

/** "Drei Wochen" as "3 weeks". */
function toSpan(language: Name, groups: Groups): string {
  const unit = groups["unit"] ?? "";
  const units = UNITS[language].split(/\|(?![^(]*\))/);
  const at = units.findIndex((pattern) => new RegExp(`^(?:${pattern})$`, "iu").test(unit));
  return `${toNumber(language, groups)} ${ENGLISH[Math.min(at, ENGLISH.length - 1)] ?? ""}`;
}

function toNumber(language: Name, groups: Groups): number {
  const word = (groups["number"] ?? "").toLowerCase();
  if (/^\d+$/.test(word)) return Number(word);
  const [tens, ones] = word.includes("十") ? word.split("十") : [];
  if (tens !== undefined) {
    const one = toNumber(language, { number: ones });
    return (tens === "" ? 1 : toNumber(language, { number: tens })) * 10 + one;
  }
  return NUMBERS[language].split(" ").findIndex((names) => names.split("|").includes(word)) + 1;
}

/** "Y media" as "half past ", by the language's words for it and for a quarter before. */
function toPart(part: string | undefined, half: string, before: string): string {
  if (part === undefined) return "";
  if (part === before) return "quarter to ";
  return part === half ? "half past " : "quarter past ";
}
