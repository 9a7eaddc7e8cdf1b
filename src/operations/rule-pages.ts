/** Every rule as a page for a person: what it checks, why it matters, and what to do instead. */
import { plantedRule } from '../check/decide.js';
import { rules } from '../rules/crd/index.js';
import { olmRules } from '../rules/olm/table.js';
import { exampleOf, type ExampleText } from './rule-example-text.js';

interface Page {
  readonly names: readonly string[];
  readonly lines: readonly (readonly [label: string, text: string])[];
}

const ofProfiles: readonly Page[] = [
  {
    names: ['ChangeValidator'],
    lines: [
      [
        'checks',
        'A field of a version that is on both sides changes; the rules about single keywords say how, and what none of them explains is refused as unknown.',
      ],
      ['why', 'What was accepted before may be refused afterwards.'],
      ['instead', 'Add a version with the new schema, and keep the old one as it is.'],
    ],
  },
  {
    names: ['ServedVersionValidator'],
    lines: [
      [
        'checks',
        'Two served versions of the new definition differ, and no webhook converts between them.',
      ],
      ['why', 'An object written through one version is read, and checked, through the other.'],
      ['instead', 'Serve versions that accept the same objects, or convert them by a webhook.'],
    ],
  },
  {
    names: ['unhandled'],
    lines: [
      ['checks', 'A field differs in a keyword that no rule of crdify knows.'],
      ['why', 'Nobody has thought about what the change does to stored objects.'],
      [
        'instead',
        'See what profile proof says about it: olm-guard check crd OLD NEW --profile proof.',
      ],
    ],
  },
  {
    names: ['Proof'],
    lines: [
      [
        'checks',
        'Whether every object that the old schema accepts passes the new one and keeps its data, as the API server prunes, defaults and validates.',
      ],
      [
        'why',
        'breaking: the witness is accepted today and refused after the upgrade. data-loss: values of the witness vanish. behavior: an unchanged manifest comes to mean something else. undecided: neither an object nor a proof was found, and the reason says what stopped it.',
      ],
      [
        'instead',
        'olm-guard check crd OLD NEW --fix FILE writes the new definition changed so that no object breaks.',
      ],
    ],
  },
];

/** Rules that only the webhook has: they are about who asks for what, not about two definitions. */
const ofTheGate: readonly Page[] = [
  {
    names: [plantedRule],
    lines: [
      [
        'checks',
        'A request sets a switch-off, widens one, or names an owner whose checks are switched off.',
      ],
      [
        'why',
        'What is stored switches checks off for later changes: a release that brings it would open the gate to the next one. It counts only when it was set by itself, which metadata.managedFields tells.',
      ],
      [
        'instead',
        'kubectl annotate customresourcedefinition NAME olm-guard.io/disable=crd-upgrade-safety',
      ],
    ],
  },
];

function pages(): Page[] {
  return [
    ...ofProfiles,
    ...ofTheGate,
    ...rules.map((rule): Page => ({
      names: rule.kind === 'definition' ? [rule.validator, rule.name] : [rule.name],
      lines: [
        ['checks', rule.checks],
        ['why', rule.why],
        ...Object.entries(rule.upstream).map(([profile, source]) => [profile, source] as const),
      ],
    })),
    ...olmRules.map(({ name, prevents, explain, source }): Page => ({
      names: [name],
      lines: [
        ['why', explain],
        ['otherwise', prevents],
        ['source', source],
      ],
    })),
  ];
}

export function ruleNamesExplained(): string[] {
  return pages().flatMap(({ names }) => names);
}

/** An example pair, what it does, the object that shows it, and what to do instead. */
function linesOf(example: ExampleText | undefined): Page['lines'] {
  if (example === undefined) return [];
  return (['old', 'new', 'proof', 'witness', 'instead'] as const).flatMap((label) => {
    const text = example[label];
    return text === undefined ? [] : [[label, text] as const];
  });
}

/** YAML, on lines of its own. */
const blocks: ReadonlySet<string> = new Set(['old', 'new', 'witness']);

/** Undefined for a name that no rule has. */
export function explainRule(name: string): string | undefined {
  const page = pages().find(({ names }) => names.includes(name));
  if (page === undefined) return undefined;
  const example = exampleOf([name, ...page.names]);
  const lines = [...page.lines, ...linesOf(example)]
    // The page's own advice comes before the example's, and advice comes last.
    .filter(([label], index, all) => all.findIndex((each) => each[0] === label) === index)
    .sort((left, right) => Number(left[0] === 'instead') - Number(right[0] === 'instead'))
    .map(([label, text]) =>
      blocks.has(label)
        ? `  ${label}:\n${text.replaceAll(/^/gm, '    ')}\n`
        : `  ${`${label}:`.padEnd(11)}${text}\n`,
    );
  return [`${page.names.join(', ')}\n`, ...lines].join('');
}
