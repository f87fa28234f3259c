/** What is shown and kept. A real museum would ask its system. */
export interface Tour {
  readonly tour_id: string;
  readonly name: string;
  readonly theme: string;
  readonly audiences: readonly string[];
  readonly languages: readonly string[];
  readonly starts: string;
  readonly places: number;
  readonly price: number;
  readonly step_free: boolean;
  readonly new: boolean;
}

export const TOURS: readonly Tour[] = [
  {
    tour_id: "T-0412",
    name: "From clay to kiln",
    theme: "pottery",
    audiences: ["families", "school_groups"],
    languages: ["en", "de"],
    starts: "11:30",
    places: 15,
    price: 8.5,
    step_free: true,
    new: false,
  },
  {
    tour_id: "T-0431",
    name: "The locked depot",
    theme: "backstage",
    audiences: [],
    languages: ["en"],
    starts: "14:00",
    places: 8,
    price: 14,
    step_free: false,
    new: true,
  },
  {
    tour_id: "T-0440",
    name: "Potters and bargemen",
    theme: "town_history",
    audiences: ["families"],
    languages: ["en", "fr"],
    starts: "10:15",
    places: 20,
    price: 7,
    step_free: true,
    new: false,
  },
];

export interface Piece {
  readonly inventory_no: string;
  readonly title: string;
  readonly material: string;
  readonly year: number;
  readonly gallery: string;
}

export const PIECES: readonly Piece[] = [
  { inventory_no: "KS.1987.14", title: "Salt-glazed jug", material: "stoneware", year: 1687, gallery: "kiln_room" },
  { inventory_no: "KS.2003.2", title: "Tea bowl with hare", material: "earthenware", year: 1742, gallery: "attic" },
  { inventory_no: "KS.1951.307", title: "Bargeman's flask", material: "glass", year: 1810, gallery: "river_hall" },
];

/** The part of an inventory number that goes into other numbers: 1987-14. */
export function tail(inventory: string): string {
  return inventory.slice(3).replaceAll(".", "-");
}
