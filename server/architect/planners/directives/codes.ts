import type { Json } from "../../../store/store.ts";

/** Codes of ISO 639-1 and ISO 4217 with the words for what they stand for. */
const LANGUAGES = `
en english englisch inglés anglais 英语 英文
de german deutsch alemán allemand 德语
fr french französisch francés français 法语
it italian italienisch italiano italien 意大利语
es spanish spanisch español espagnol 西班牙语
pt portuguese portugiesisch portugués portugais 葡萄牙语
nl dutch niederländisch neerlandés néerlandais 荷兰语
pl polish polnisch polaco polonais 波兰语
sv swedish schwedisch sueco suédois 瑞典语
da danish dänisch danés danois 丹麦语
no norwegian norwegisch noruego norvégien 挪威语
fi finnish finnisch finlandés finnois 芬兰语
cs czech tschechisch checo tchèque 捷克语
tr turkish türkisch turco turc 土耳其语
ru russian russisch ruso russe 俄语
uk ukrainian ukrainisch ucraniano ukrainien 乌克兰语
el greek griechisch griego grec 希腊语
ar arabic arabisch árabe arabe 阿拉伯语
zh chinese chinesisch chino chinois 中文 汉语
ja japanese japanisch japonés japonais 日语
ko korean koreanisch coreano coréen 韩语
cy welsh walisisch galés gallois 威尔士语
ga irish irisch irlandés irlandais 爱尔兰语
gd gaelic gälisch gaélico gaélique
ca catalan katalanisch catalán
hu hungarian ungarisch húngaro hongrois 匈牙利语
ro romanian rumänisch rumano roumain 罗马尼亚语
bg bulgarian bulgarisch búlgaro bulgare
hr croatian kroatisch croata croate
sr serbian serbisch serbio serbe
sk slovak slowakisch eslovaco slovaque
lt lithuanian litauisch lituano lituanien
lv latvian lettisch letón letton
vi vietnamese vietnamesisch vietnamita vietnamien 越南语
`;
const CURRENCIES = `
EUR euro euros 欧元
USD dollar dollars dólar dólares 美元
GBP pound pounds sterling pfund libra livre 英镑
CHF franc francs franken franco 法郎
JPY yen 日元
SEK krona kronor 瑞典克朗
DKK krone kroner 丹麦克朗
PLN zloty 兹罗提
CNY yuan renminbi 人民币
`;

const LISTS = [LANGUAGES, CURRENCIES].map((rows) => {
  const byWord = new Map<string, string>();
  for (const row of rows.trim().split("\n")) {
    const [code = "", ...words] = row.split(" ");
    for (const word of [code.toLowerCase(), ...words]) byWord.set(word, code);
  }
  return byWord;
});

/** Tells whether values are codes of one list, so that another one has to be, too. */
export function areCodes(values: readonly Json[]): boolean {
  const texts = values.map((value) => String(value).toLowerCase());
  return LISTS.some((list) => texts.length > 1 && texts.every((text) => list.get(text)?.toLowerCase() === text));
}

/** Codes of languages that are words of English, too. */
const ENGLISH: ReadonlySet<string> = new Set(["it", "no"]);

/** Tells whether a small word is the code of a language, which no word of English is: `de`, `es`. */
export function isForeignCode(word: string): boolean {
  return word.length === 2 && !ENGLISH.has(word) && LISTS[0]?.get(word) === word;
}

/** The code that a word stands for, where some values are codes of one list: `es` for "Spanish" beside `en` and `de`. */
export function toCode(word: string, values: readonly Json[]): string | undefined {
  const texts = values.map((value) => String(value).toLowerCase());
  const code = listOf(texts)?.get(word);
  if (code === undefined || texts.includes(code.toLowerCase())) return undefined;
  const isUpper = values.every((value) => String(value) === String(value).toUpperCase());
  return isUpper ? code.toUpperCase() : code.toLowerCase();
}

/** A value beside codes as the code that it stands for: `es` for "Spanish" beside `en` and `de`; undefined where it can be none. */
export function toKnownForm(value: Json, known: readonly Json[]): Json | undefined {
  if (!areCodes(known)) return value;
  const text = String(value);
  const isLong = text.length > Math.max(...known.map((one) => String(one).length));
  const word = text.toLowerCase();
  return findCode(word, known) ?? toCode(word, known) ?? (isLong ? undefined : value);
}

/** Tells whether a word is one for a code: "Spanish", "francs". */
export function isCodeWord(word: string): boolean {
  return word.length > 3 && LISTS.some((list) => list.has(word));
}

/** The one of some codes of one list that a word stands for: `fr` for "French". */
export function findCode(word: string, values: readonly Json[]): Json | undefined {
  const texts = values.map((value) => String(value).toLowerCase());
  const code = listOf(texts)?.get(word)?.toLowerCase();
  return code === undefined ? undefined : values.find((value) => String(value).toLowerCase() === code);
}

function listOf(codes: readonly string[]): ReadonlyMap<string, string> | undefined {
  return LISTS.find((one) => codes.length > 1 && codes.every((text) => one.has(text)));
}
