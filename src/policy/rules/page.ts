/** A rule as a person reads of it: the same lines in `explain` and in docs/rules. */
import {
  changesOf,
  definitionOfExample,
  effectWords,
  isAboutSchema,
  UpgradePair,
} from '../../upgrade/index.js';
import { type JsonValue, writeYaml } from '../../text/documents/index.js';
import { exampleDocuments, namesOf, type Rule } from '../../rule/index.js';

export interface PageLine {
  readonly label: string;
  readonly text: string;
  /** YAML, on lines of its own. */
  readonly isBlock?: true;
}

export function pageOf(rule: Rule): readonly PageLine[] {
  const { family, severity, checks, why, otherwise, source, instead, example } = rule;
  const proof = proofOf(rule);
  const changes = changesOf(rule.id);
  const lines: (PageLine | undefined)[] = [
    { label: 'checks', text: checks },
    changes.length === 0 ? undefined : { label: 'changes', text: changes.join(', ') },
    { label: 'why', text: why },
    otherwise === undefined ? undefined : { label: 'otherwise', text: otherwise },
    { label: 'default', text: `${severity}, family ${family}` },
    { label: 'source', text: source },
    blockOf('before', example.before),
    blockOf('after', example.after),
    example.says === '' ? undefined : { label: 'says', text: example.says },
    ...proof,
    { label: 'instead', text: instead },
    blockOf('accepted', example.accepted),
  ];
  return lines.filter((line) => line !== undefined);
}

/** The page as `explain` prints it. @param asked another name of it, which comes first */
export function printPage(rule: Rule, asked?: string): string {
  const lines = pageOf(rule).map(({ label, text, isBlock }) =>
    isBlock === true
      ? `  ${label}:\n${text.replaceAll(/^/gm, '    ')}\n`
      : `  ${`${label}:`.padEnd(11)}${text}\n`,
  );
  const names = new Set([...(asked === undefined ? [] : [asked]), ...namesOf(rule)]);
  return [`${[...names].join(', ')}\n`, ...lines].join('');
}

/** The effect of the example on objects, with a witness; only for rules about schemas. */
function proofOf({ subject, example: { before, after } }: Rule): PageLine[] {
  if (subject !== 'CustomResourceDefinition' || before === undefined || !isAboutSchema(before)) {
    return [];
  }
  const { effect, results } = UpgradePair.read(
    definitionOfExample(before),
    definitionOfExample(after),
  ).proof;
  const worst = results.find((result) => result.effect === effect);
  return [
    { label: 'proof', text: `${effectWords[effect]}: ${worst?.reason ?? 'nothing changes'}` },
    ...(worst?.witness === undefined
      ? []
      : [{ label: 'witness', text: print(worst.witness), isBlock: true } as const]),
  ];
}

function blockOf(label: string, yaml: string | undefined): PageLine | undefined {
  if (yaml === undefined || yaml === '') return undefined;
  return { label, text: exampleDocuments(yaml).map(print).join('\n---\n'), isBlock: true };
}

function print(value: JsonValue): string {
  const text = writeYaml(value).trimEnd();
  // An example of what is too large would fill the page.
  return text.replaceAll(
    /(\w)\1{99,}/g,
    (run, each: string) => `${each.repeat(8)}… (${run.length} characters)`,
  );
}
