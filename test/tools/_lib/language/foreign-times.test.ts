import { describe, expect, test } from "vitest";
import { replay } from "../../converse.ts";
import { toEnglish } from "../../../../tools/_lib/language/foreign.ts";

describe("a time in another language", () => {
  test.each([
    ["Wetter in Gent in zwei Wochen", "weather in Gent in 2 weeks"],
    ["Wetter in Gent in einer Stunde", "weather in Gent in 1 hours"],
    ["Wetter in Gent vor fünf Tagen", "weather in Gent 5 days ago"],
    ["Wetter in Gent am 12. August", "weather in Gent on 12 august"],
    ["Wetter in Gent um halb neun", "weather in Gent at half to 9"],
    ["Wetter in Gent um sieben Uhr", "weather in Gent at 7 o'clock"],
    ["El tiempo en Gante dentro de dos semanas", "the weather in Gante in 2 weeks"],
    ["El tiempo en Gante hace cuatro días", "the weather in Gante 4 days ago"],
    ["El tiempo en Gante a las tres y media de la tarde", "the weather in Gante at half past 3 pm"],
    ["El tiempo en Gante a las nueve menos cuarto", "the weather in Gante at quarter to 9"],
    ["El tiempo en Gante el 5 de agosto", "the weather in Gante 5 august"],
    ["Météo à Gand dans quatre jours", "weather in Gand in 4 days"],
    ["Météo à Gand il y a une semaine", "weather in Gand 1 weeks ago"],
    ["Météo à Gand à six heures et quart", "weather in Gand at quarter past 6"],
    ["根特四天后天气", "根特 in 4 days weather"],
    ["根特两小时前天气", "根特 2 hours ago weather"],
    ["根特8月12日天气", "根特 on 12 August weather"],
    ["根特十二月二十四号天气", "根特 on 24 December weather"],
    ["根特晚上九点半天气", "根特 at 21:30 weather"],
    ["根特早上九点天气", "根特 at 9:00 weather"],
  ])("is put into English: %s", (message, english) => {
    expect(toEnglish(message)).toBe(english);
  });

  const weather = (location: string, when: string) => ({ "runner.get_weather": { location, when } });

  test.each([
    ["Wetter in Gent in zwei Wochen", weather("Gent", "2026-07-15T12:00:00Z")],
    ["Wetter in Gent um halb neun", weather("Gent", "2026-07-01T20:30:00Z")],
    ["Wetter in Gent am 12. August um 15 Uhr", weather("Gent", "2026-08-12T15:00:00Z")],
    ["El tiempo en Gante dentro de cinco días", weather("Gante", "2026-07-06T12:00:00Z")],
    ["¿Qué tiempo hará en Gante el próximo martes a las 5 de la tarde?", weather("Gante", "2026-07-07T17:00:00Z")],
    ["Météo à Gand dans quatre jours", weather("Gand", "2026-07-05T12:00:00Z")],
    ["Météo à Gand il y a deux jours", weather("Gand", "2026-06-29T12:00:00Z")],
    ["明天下午四点根特天气", weather("根特", "2026-07-02T16:00:00Z")],
    ["8月12日根特天气", weather("根特", "2026-08-12T12:00:00Z")],
    ["昨天根特下午3点半的气温", weather("根特", "2026-06-30T15:30:00Z")],
  ])("is looked up: %s", async (message, call) => {
    expect(await replay([message])).toEqual([call]);
  });
});
