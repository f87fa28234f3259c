/** Words that multiply what is there. */
export const FACTORS: Readonly<Record<string, number>> = {
  double: 2,
  doubled: 2,
  twice: 2,
  triple: 3,
  halbiert: 0.5,
  halbieren: 0.5,
  verdoppelt: 2,
  dobla: 2,
  doble: 2,
  quadruple: 4,
  halve: 0.5,
  halved: 0.5,
  verdopple: 2,
  verdoppeln: 2,
  halbiere: 0.5,
  duplica: 2,
  duplicar: 2,
  double_: 2,
  doublez: 2,
  doubler: 2,
  加倍: 2,
  翻倍: 2,
  减半: 0.5,
};
/** Two weeks in one word. */
export const FORTNIGHT = /^(?:fortnight|quincena|quinzaine)$/;
/** Parts of something, in percent: "half of the conversations". */
export const PARTS: Readonly<Record<string, number>> = { half: 50, quarter: 25, fifth: 20, tenth: 10 };
