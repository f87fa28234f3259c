import { describe, expect, test } from "vitest";
import { toEnglish } from "../../../../tools/_lib/language/foreign.ts";

describe("a request in another language", () => {
  test.each([
    ["regnet es gerade in hamburg", "rain now in hamburg"],
    ["Wie wird das Wetter morgen früh in Köln?", "weather tomorrow morning in Köln?"],
    ["Brauche ich am Sonntag in Dresden einen Schirm?", "on sunday in Dresden umbrella?"],
    ["¿Hará frío el sábado por la noche en Burgos?", "cold saturday at night in Burgos?"],
    ["Temperatura en Miami en grados Fahrenheit", "temperature in Miami in degrees Fahrenheit"],
    ["Quel temps fera-t-il demain à Lyon ?", "weather tomorrow in Lyon?"],
    ["Merci beaucoup, bonne journée", "thanks,"],
    ["北京明天天气怎么样?", "北京 tomorrow weather ?"],
    ["这个周末广州会热吗?", "this weekend 广州 hot ?"],
  ])("is put into English, and names stay: %s", (message, english) => {
    expect(toEnglish(message).replace(" ?", "?")).toBe(english.replace(" ?", "?"));
  });

  test.each([
    "What is the weather in Sol, Spain?",
    "no",
    "die hard in Paris",
    "add a note: Milch kaufen",
    "Is it cold in Wien tomorrow?",
    "decision_77",
    "",
  ])("is not seen in English: %s", (message) => {
    expect(toEnglish(message)).toBe(message);
  });

  test("keeps what stands in quotes", () => {
    expect(toEnglish('Zeig mir bitte "morgen ist Regen"')).toBe('"morgen ist Regen"');
  });
});
