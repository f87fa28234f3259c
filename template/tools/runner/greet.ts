import type { Handler } from "cairn-gitops/host-api";

interface Input {
  name: string;
  language: "de" | "en" | "es" | "fr";
}

const GREETINGS = {
  de: (name: string) => `Hallo, ${name}!`,
  en: (name: string) => `Hello, ${name}!`,
  es: (name: string) => `¡Hola, ${name}!`,
  fr: (name: string) => `Bonjour, ${name} !`,
};

// The input already matches the manifest, defaults included; what comes back is checked against it too.
const greet: Handler<Input> = ({ name, language }, ctx) => {
  ctx.log.info("greeting", { language });
  return { greeting: GREETINGS[language](name) };
};

export default greet;
