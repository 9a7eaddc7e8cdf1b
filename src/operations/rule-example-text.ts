/** The example of a rule about CustomResourceDefinitions, with what the proof says about it. */
import { dump } from 'js-yaml';
import { proveUpgrade } from '../proof/proof.js';
import { exampleOfSpec } from '../rules/crd/example-definition.js';
import { ruleExamples } from '../rules/crd/rule-examples.js';
import { stringifyJson, type JsonValue } from '../text/documents/index.js';

export interface ExampleText {
  /** YAML: the schema of `spec`, or the part of the definition that matters. */
  readonly old: string;
  readonly new: string;
  /** What it does to objects; none where it is not about their schema. */
  readonly proof?: string;
  /** YAML: a whole object that shows it. */
  readonly witness?: string;
  readonly instead: string;
}

/** The example of the first of these names that has one. */
export function exampleOf(names: readonly string[]): ExampleText | undefined {
  const name = names.find((each) => ruleExamples.has(each));
  const example = name === undefined ? undefined : ruleExamples.get(name);
  if (example === undefined) return undefined;
  const { old, new: next, instead } = example;
  const texts = { old: yaml(old), new: yaml(next), instead };
  if (example.of === 'definition') return texts;
  const { effect, results } = proveUpgrade(exampleOfSpec(old), exampleOfSpec(next));
  const worst = results.find((result) => result.effect === effect);
  return {
    ...texts,
    proof: `${effect}: ${worst?.reason ?? 'nothing changes'}`,
    ...(worst?.witness === undefined ? {} : { witness: yaml(worst.witness) }),
  };
}

function yaml(value: JsonValue): string {
  return dump(JSON.parse(stringifyJson(value)), { lineWidth: -1, noRefs: true }).trimEnd();
}
