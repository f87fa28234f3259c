/** What the kitchen can cook. A real one would ask its recipe book. */
export interface Dish {
  readonly dish_no: string;
  readonly name: string;
  readonly course: string;
  readonly diets: readonly string[];
  readonly contains: readonly string[];
  readonly season: string;
  readonly cost: number;
  readonly minutes: number;
  readonly hot: boolean;
  /** Grams of raw goods on a plate. */
  readonly grams: number;
  readonly liked: number;
}

const GREEN = ["vegetarian", "vegan"];

export const DISHES: readonly Dish[] = [
  {
    dish_no: "D-104",
    name: "Pumpkin soup",
    course: "starter",
    diets: GREEN,
    contains: [],
    season: "autumn",
    cost: 3.2,
    minutes: 50,
    hot: true,
    grams: 280,
    liked: 0.8,
  },
  {
    dish_no: "D-110",
    name: "Tomato salad",
    course: "starter",
    diets: GREEN,
    contains: [],
    season: "summer",
    cost: 2.6,
    minutes: 15,
    hot: false,
    grams: 190,
    liked: 0.6,
  },
  {
    dish_no: "D-201",
    name: "Goulash",
    course: "main",
    diets: [],
    contains: ["gluten"],
    season: "winter",
    cost: 7.4,
    minutes: 180,
    hot: true,
    grams: 450,
    liked: 0.9,
  },
  {
    dish_no: "D-215",
    name: "Trout with herbs",
    course: "main",
    diets: [],
    contains: ["milk"],
    season: "spring",
    cost: 9.8,
    minutes: 40,
    hot: true,
    grams: 360,
    liked: 0.7,
  },
  {
    dish_no: "D-222",
    name: "Lentil stew",
    course: "main",
    diets: GREEN,
    contains: ["celery"],
    season: "winter",
    cost: 4.1,
    minutes: 60,
    hot: true,
    grams: 420,
    liked: 0.5,
  },
  {
    dish_no: "D-301",
    name: "Nut cake",
    course: "dessert",
    diets: ["vegetarian"],
    contains: ["nuts", "egg", "gluten"],
    season: "autumn",
    cost: 2.9,
    minutes: 75,
    hot: false,
    grams: 140,
    liked: 0.9,
  },
];
