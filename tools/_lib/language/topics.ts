import { toTerms } from "./tokenise.ts";

/** Words that people use for a topic without naming it: `topic: words`. Who asks for an umbrella asks for the weather. */
const TOPICS: Readonly<Record<string, string>> = {
  weather: `weather forecast temperature degrees cold colder hot hotter warm warmer cool chilly freezing freeze frost frosty icy ice mild
    heat heatwave sunny sunshine sun cloud clouds cloudy overcast grey clear sky skies rain rains raining rainy drizzle drizzling shower showers pour
    pouring downpour snow snows snowing snowy sleet hail storm storms stormy thunder thunderstorm lightning wind winds windy breeze breezy
    gale gusts fog foggy mist misty humid humidity muggy dry wet outside outdoors climate conditions umbrella umbrellas brolly raincoat jacket coat scarf gloves hat
    wellies sweater jumper hoodie coats jackets boots frozen temp temps meteo sunglasses sunscreen shorts barbecue picnic`,
};
const BY_TERM = new Map(
  Object.entries(TOPICS).flatMap(([topic, words]) => toTerms(words).map((term) => [term, toTerms(topic)] as const)),
);

/** The terms of a message, with the topics that they speak of. */
export function withTopics(terms: readonly string[]): readonly string[] {
  return [...new Set([...terms, ...terms.flatMap((term) => BY_TERM.get(term) ?? [])])];
}

/** All terms that speak of the topics of some terms. */
export function toTopicTerms(terms: Iterable<string>): readonly string[] {
  const topics = new Set(terms);
  return [...BY_TERM].flatMap(([term, of]) => (of.some((topic) => topics.has(topic)) ? [term] : []));
}
