/** What stands on the shelves, and whose cards are void. A real library would ask its system. */
export interface Item {
  readonly record: string;
  readonly title: string;
  readonly author: string;
  readonly medium: string;
  readonly subject: string;
  readonly isbn: string;
  readonly year: number;
  readonly pages: number;
  readonly shelfmark: string;
  readonly branches: readonly string[];
  readonly copiesIn: number;
}

export const STOCK: readonly Item[] = [
  {
    record: "R004712",
    title: "The Cyberiad",
    author: "Stanislaw Lem",
    medium: "audiobook",
    subject: "robots",
    isbn: "9780156027595",
    year: 1974,
    pages: 295,
    shelfmark: "SF LEM 1",
    branches: ["harbour"],
    copiesIn: 0,
  },
  {
    record: "R004711",
    title: "Solaris",
    author: "Stanislaw Lem",
    medium: "book",
    subject: "planets",
    isbn: "9780156027601",
    year: 1970,
    pages: 224,
    shelfmark: "SF LEM 2",
    branches: ["central", "hillside"],
    copiesIn: 2,
  },
  {
    record: "R008080",
    title: "Bread at Home",
    author: "Marta Quist",
    medium: "book",
    subject: "baking",
    isbn: "9781234567897",
    year: 2021,
    pages: 180,
    shelfmark: "KO QUI",
    branches: ["central", "bookBus"],
    copiesIn: 1,
  },
];

export const VOID_CARDS: readonly string[] = ["L-0000000"];

export function digits(card: string): string {
  return card.slice(2);
}
