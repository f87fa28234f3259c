import { useEffect, useRef, useState } from "react";
import { words } from "#words/try.ts";
import type { Question } from "../../service/tool-calls.ts";
import { isObject } from "../../parts/schema.ts";
import { Text } from "../../parts/text.tsx";
import { toInitial } from "./form/choose-kind.ts";
import { findMisfits } from "./form/find-misfits.ts";
import { SchemaForm } from "./form/schema-form.tsx";

type Answers = Readonly<Record<string, unknown>>;

interface Props {
  readonly requests: Readonly<Record<string, Question>>;
  /** Answers that the call has sent: a question that comes again with one was not answered as it asks. */
  readonly sent: Answers;
  readonly onAnswer: (answers: Answers) => void;
}

/** Asks the reader what a tool asks, one question after the other, and answers all of them together. */
export function Questions({ requests, sent, onAnswer }: Props) {
  const [answers, setAnswers] = useState<Answers>({});
  const [key, request] = Object.entries(requests).find(([name]) => !Object.hasOwn(answers, name)) ?? [];
  if (key === undefined || request === undefined) return null;
  const give = (answer: unknown) => {
    const all = { ...answers, [key]: answer };
    setAnswers(all);
    if (Object.keys(requests).every((name) => Object.hasOwn(all, name))) onAnswer(all);
  };
  return <Form key={key} request={request} refused={toContent(sent[key])} onGive={give} />;
}

interface FormProps {
  readonly request: Question;
  /** The answer that the service did not take; absent: it has none. */
  readonly refused: Answers | undefined;
  readonly onGive: (answer: unknown) => void;
}

function Form({ request, refused, onGive }: FormProps) {
  const { message, requestedSchema: schema } = request.params;
  const heading = useRef<HTMLHeadingElement>(null);
  const [content, setContent] = useState(() => {
    const first = refused ?? toInitial(schema, schema);
    return isObject(first) ? first : {};
  });
  const [misfits, setMisfits] = useState<readonly string[]>(refused === undefined ? [] : [words.misfits.refused]);
  useEffect(() => heading.current?.focus(), []);
  const submit = () => {
    const found = findMisfits(schema, content);
    setMisfits(found);
    if (found.length === 0) onGive({ action: "accept", content });
  };
  return (
    <section className="notice">
      <h2 ref={heading} tabIndex={-1}>
        {words.asks}
      </h2>
      <Text block>{message}</Text>
      <SchemaForm schema={schema} value={content} onChange={setContent} onSubmit={submit}>
        <button type="submit" className="primary">
          {words.answer}
        </button>
        <button type="button" onClick={() => onGive({ action: "decline" })}>
          {words.decline}
        </button>
      </SchemaForm>
      <div role="alert">
        {misfits.map((misfit) => (
          <p key={misfit} className="wrong">
            <Text>{misfit}</Text>
          </p>
        ))}
      </div>
    </section>
  );
}

function toContent(answer: unknown): Answers | undefined {
  return isObject(answer) && isObject(answer["content"]) ? answer["content"] : undefined;
}
