/** What the shop sells. A real shop would ask its warehouse. */
export interface Product {
  readonly sku: string;
  readonly name: string;
  readonly category: string;
  readonly price: number;
  readonly stock: number;
  readonly since: string;
  readonly margin: number;
  readonly badge?: string;
  readonly material: string;
  /** Width, height and depth in centimetres. */
  readonly size: readonly [number, number, number];
}

export const PRODUCTS: readonly Product[] = [
  {
    sku: "LAMP-0101",
    name: "Desk lamp Fjell",
    category: "lamps",
    price: 79,
    stock: 12,
    since: "2025-10-01",
    margin: 0.4,
    badge: "bestseller",
    material: "steel",
    size: [18, 45, 18],
  },
  {
    sku: "LAMP-0102",
    name: "Floor lamp Birch",
    category: "lamps",
    price: 189,
    stock: 0,
    since: "2026-04-12",
    margin: 0.5,
    badge: "new",
    material: "birch",
    size: [40, 150, 40],
  },
  {
    sku: "TEXT-0201",
    name: "Wool blanket Moor",
    category: "textiles",
    price: 95,
    stock: 30,
    since: "2024-09-15",
    margin: 0.35,
    material: "wool",
    size: [140, 1, 200],
  },
  {
    sku: "FURN-0301",
    name: "Side table Oak",
    category: "furniture",
    price: 240,
    stock: 4,
    since: "2025-02-20",
    margin: 0.3,
    material: "oak",
    size: [45, 50, 45],
  },
  {
    sku: "KITC-0401",
    name: "Kitchen towel set",
    category: "kitchen",
    price: 24,
    stock: 80,
    since: "2026-01-05",
    margin: 0.6,
    badge: "sale",
    material: "linen",
    size: [50, 1, 70],
  },
];

/** In units of the currency for one euro. */
export const RATES: Readonly<Record<string, number>> = { EUR: 1, USD: 1.1, GBP: 0.85 };
