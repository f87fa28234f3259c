/** The quantity of a unit, and one of it in milliseconds, bytes or parts of one. */
export const UNITS: Readonly<
  Record<string, { readonly of: "time" | "size" | "share" | "day" | "mass" | "plain"; readonly factor: number }>
> = {
  ...unit("time", 1, "ms msec msecs millisecond milliseconds millisekunden milisegundos millisecondes 毫秒"),
  ...unit("time", 1000, "s sec secs second seconds sekunde sekunden segundo segundos seconde secondes 秒 秒钟"),
  ...unit("time", 60_000, "m min mins minute minutes minuten minuto minutos 分钟 分"),
  ...unit("time", 3_600_000, "h hr hrs hour hours std stunde stunden hora horas heure heures 小时"),
  ...unit("day", 86_400_000, "d day days tag tage tagen día días dias jour jours 天"),
  ...unit("day", 604_800_000, "week weeks woche wochen semana semanas semaine semaines 周"),
  ...unit("day", 2_592_000_000, "month months monat monate monaten mes meses mois"),
  ...unit("day", 31_536_000_000, "year years jahr jahre jahren año años année"),
  ...unit("mass", 1, "kg kilo kilos kilogram kilograms kilogramm kilogrammes kilogramos"),
  ...unit("mass", 1000, "tonne tonnes tonnen toneladas"),
  ...unit("size", 1, "b byte bytes octets"),
  ...unit("size", 1024, "k kb kib kilobyte kilobytes ko"),
  ...unit("size", 1024 ** 2, "mb mib megabyte megabytes meg megs mo"),
  ...unit("size", 1024 ** 3, "gb gib gigabyte gigabytes gig gigs go"),
  ...unit("share", 0.01, "% percent pct prozent porciento pourcent"),
  ...unit(
    "plain",
    1,
    "unit units einheit einheiten unidad unidades unité unités credit credits calls requests characters chars items entries times samples words rounds",
  ),
};

function unit(of: "time" | "size" | "share" | "day" | "mass" | "plain", factor: number, names: string) {
  return Object.fromEntries(names.split(" ").map((name) => [name, { of, factor }]));
}
