export interface City {
  readonly name: string;
  readonly admin1?: string;
  readonly country: string;
  readonly code: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timezone: string;
}

/** What the geocoding stand-in knows. Of cities with the same name the first is the one meant without a qualifier. */
const CITIES: readonly City[] = (
  [
    ["Paris", "Île-de-France", "France", "FR", 48.85341, 2.3488, "Europe/Paris"],
    ["Paris", "Texas", "United States", "US", 33.66094, -95.55551, "America/Chicago"],
    ["London", "England", "United Kingdom", "GB", 51.50853, -0.12574, "Europe/London"],
    ["London", "Ontario", "Canada", "CA", 42.98339, -81.23304, "America/Toronto"],
    ["Berlin", "Land Berlin", "Germany", "DE", 52.52437, 13.41053, "Europe/Berlin"],
    ["Munich", "Bavaria", "Germany", "DE", 48.13743, 11.57549, "Europe/Berlin"],
    ["Hamburg", "Hamburg", "Germany", "DE", 53.55073, 9.99302, "Europe/Berlin"],
    ["Vienna", "Vienna", "Austria", "AT", 48.20849, 16.37208, "Europe/Vienna"],
    ["Zurich", "Zurich", "Switzerland", "CH", 47.36667, 8.55, "Europe/Zurich"],
    ["Rome", "Lazio", "Italy", "IT", 41.89193, 12.51133, "Europe/Rome"],
    ["Madrid", "Madrid", "Spain", "ES", 40.4165, -3.70256, "Europe/Madrid"],
    ["Lisbon", "Lisbon", "Portugal", "PT", 38.72509, -9.1498, "Europe/Lisbon"],
    ["Lyon", "Auvergne-Rhône-Alpes", "France", "FR", 45.74846, 4.84671, "Europe/Paris"],
    ["Amsterdam", "North Holland", "Netherlands", "NL", 52.37403, 4.88969, "Europe/Amsterdam"],
    ["Oslo", "Oslo", "Norway", "NO", 59.91273, 10.74609, "Europe/Oslo"],
    ["Reykjavik", "Capital Region", "Iceland", "IS", 64.13548, -21.89541, "Atlantic/Reykjavik"],
    ["Helsinki", "Uusimaa", "Finland", "FI", 60.16952, 24.93545, "Europe/Helsinki"],
    ["Istanbul", "Istanbul", "Türkiye", "TR", 41.01384, 28.94966, "Europe/Istanbul"],
    ["Cairo", "Cairo", "Egypt", "EG", 30.06263, 31.24967, "Africa/Cairo"],
    ["Nairobi", "Nairobi County", "Kenya", "KE", -1.28333, 36.81667, "Africa/Nairobi"],
    ["Cape Town", "Western Cape", "South Africa", "ZA", -33.92584, 18.42322, "Africa/Johannesburg"],
    ["Dubai", "Dubai", "United Arab Emirates", "AE", 25.07725, 55.30927, "Asia/Dubai"],
    ["Delhi", "Delhi", "India", "IN", 28.65195, 77.23149, "Asia/Kolkata"],
    ["Kathmandu", "Bagmati Province", "Nepal", "NP", 27.70169, 85.3206, "Asia/Kathmandu"],
    ["Singapore", undefined, "Singapore", "SG", 1.28967, 103.85007, "Asia/Singapore"],
    ["Tokyo", "Tokyo", "Japan", "JP", 35.6895, 139.69171, "Asia/Tokyo"],
    ["Seoul", "Seoul", "South Korea", "KR", 37.566, 126.9784, "Asia/Seoul"],
    ["Sydney", "New South Wales", "Australia", "AU", -33.86785, 151.20732, "Australia/Sydney"],
    ["Auckland", "Auckland", "New Zealand", "NZ", -36.84853, 174.76349, "Pacific/Auckland"],
    ["Honolulu", "Hawaii", "United States", "US", 21.30694, -157.85833, "Pacific/Honolulu"],
    ["San Francisco", "California", "United States", "US", 37.77493, -122.41942, "America/Los_Angeles"],
    ["Chicago", "Illinois", "United States", "US", 41.85003, -87.65005, "America/Chicago"],
    ["New York", "New York", "United States", "US", 40.71427, -74.00597, "America/New_York"],
    ["Mexico City", "Mexico City", "Mexico", "MX", 19.42847, -99.12766, "America/Mexico_City"],
    ["Rio de Janeiro", "Rio de Janeiro", "Brazil", "BR", -22.90642, -43.18223, "America/Sao_Paulo"],
    ["Buenos Aires", "Buenos Aires F.D.", "Argentina", "AR", -34.61315, -58.37723, "America/Argentina/Buenos_Aires"],
  ] as const
).map(([name, admin1, country, code, latitude, longitude, timezone]) => ({
  name,
  ...(admin1 === undefined ? {} : { admin1 }),
  country,
  code,
  latitude,
  longitude,
  timezone,
}));

/** As the real service does it: the name before the comma, a country or region after it, anything further ignored. */
export function searchCities(query: string): readonly City[] {
  const [name = "", qualifier = ""] = query.split(",").map(fold);
  if (name.length < 2) return [];
  return CITIES.filter((city) =>
    name.length === 2 ? fold(city.name) === name : fold(city.name).startsWith(name),
  ).filter(
    ({ admin1 = "", country, code }) => qualifier === "" || [admin1, country, code].map(fold).includes(qualifier),
  );
}

/** The zone whose clocks are used at these coordinates: that of a city nearby, else of the open sea. */
export function findTimezone(latitude: number, longitude: number): string {
  const near = CITIES.find((city) => Math.hypot(city.latitude - latitude, city.longitude - longitude) < 1);
  const hours = Math.round(longitude / 15);
  return near?.timezone ?? `Etc/GMT${hours === 0 ? "" : hours > 0 ? `-${hours}` : `+${-hours}`}`;
}

function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").trim().toLowerCase();
}
