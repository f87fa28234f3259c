/** Who goes to the school, and what is cooked. A real school would ask its system. */
export interface Pupil {
  readonly pupil_id: string;
  readonly name: string;
  readonly form: string;
  readonly born: string;
  readonly bus_line?: string;
}

export const PUPILS: readonly Pupil[] = [
  { pupil_id: "P-10417", name: "Mira Aydin", form: "7b", born: "2013-05-02", bus_line: "12" },
  { pupil_id: "P-10502", name: "Jonas Kern", form: "5a", born: "2015-11-20" },
  { pupil_id: "P-10388", name: "Paula Kern", form: "9c", born: "2011-08-14", bus_line: "4" },
];

export interface Dish {
  readonly dish: string;
  readonly price: number;
  readonly diets: readonly string[];
  readonly allergens: readonly string[];
}

export const DISHES: readonly Dish[] = [
  { dish: "lentil soup", price: 3.2, diets: ["vegetarian", "vegan"], allergens: ["celery"] },
  { dish: "meatballs", price: 4.1, diets: [], allergens: ["gluten", "egg"] },
];

export const digits = (pupil: string): string => pupil.slice(2);
export const compact = (date: string): string => date.replaceAll("-", "");
