import { useState } from "react";
import { words } from "#words/try.ts";
import type { Question } from "../../service/tool-calls.ts";
import { isObject } from "../../parts/schema.ts";
import { Text } from "../../parts/text.tsx";
import { toInitial } from "./form/choose-kind.ts";
import { SchemaForm } from "./form/schema-form.tsx";

interface Props {
  readonly requests: Readonly<Record<string, Question>>;
  readonly onAnswer: (answers: Readonly<Record<string, unknown>>) => void;
}

/** Asks the reader what a tool asks, one question after the other, and answers all of them together. */
export function Questions({ requests, onAnswer }: Props) {
  const [answers, setAnswers] = useState<Readonly<Record<string, unknown>>>({});
  const [key, request] = Object.entries(requests).find(([name]) => !Object.hasOwn(answers, name)) ?? [];
  if (key === undefined || request === undefined) return null;
  const give = (answer: unknown) => {
    const all = { ...answers, [key]: answer };
    setAnswers(all);
    if (Object.keys(requests).every((name) => Object.hasOwn(all, name))) onAnswer(all);
  };
  return <Form key={key} request={request} onGive={give} />;
}

function Form({ request, onGive }: { readonly request: Question; readonly onGive: (answer: unknown) => void }) {
  const { message, requestedSchema: schema } = request.params;
  const [content, setContent] = useState(() => {
    const first = toInitial(schema, schema);
    return isObject(first) ? first : {};
  });
  return (
    <section className="notice">
      <h2>{words.asks}</h2>
      <Text block>{message}</Text>
      <SchemaForm
        schema={schema}
        value={content}
        onChange={setContent}
        onSubmit={() => onGive({ action: "accept", content })}
      >
        <button type="submit" className="primary">
          {words.answer}
        </button>
        <button type="button" onClick={() => onGive({ action: "decline" })}>
          {words.decline}
        </button>
      </SchemaForm>
    </section>
  );
}
