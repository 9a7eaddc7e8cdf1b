/** docs/rules.md: every rule by the name that its findings carry, from the tables themselves. */
import { basename } from 'node:path';
import { bundleRules } from '../src/rules/bundle/index.js';
import { rules } from '../src/rules/crd/index.js';
import { validationRules, warningRules } from '../src/catalogs/index.js';
import { plantedRule } from '../src/check/decide.js';
import { docsFor } from '../src/finding.js';
import { exampleOf } from '../src/operations/rule-example-text.js';
import { familyOfRule } from '../src/operations/rules.js';
import { olmRules } from '../src/rules/olm/table.js';
import { lintRules, resolutionRules } from '../src/resolver/index.js';
import { scanRules } from '../src/rules/cluster/rules.js';
import { catalogDiffRules } from '../src/rules/catalog-diff/index.js';
import { testsOfRules } from './rule-tests.js';

const introduction = `# Rules

Made from the code by \`npm run docs\`. Every finding carries the name of its rule; a policy names rules, or the family of a rule, in \`modes\` and exemptions.
`;

interface Explained {
  readonly name: string;
  readonly family: string;
  readonly severity: string;
  readonly explain: string;
}

export function rulesDocument(): string {
  const written = new Set<string>();
  const section = (name: string, lines: readonly string[]): string => {
    written.add(name);
    return `### ${name}\n\n${lines.join('\n\n')}\n`;
  };
  const explained = ({ name, family, severity, explain }: Explained): string =>
    section(name, [explain, `By default: ${severity}. Family \`${family}\`.`]);
  const testOf = testsOfRules();
  const testLink = (name: string): string => {
    const file = testOf(name);
    return `[${basename(file, '.test.ts')}](../${file})`;
  };
  const parts = [
    introduction,
    '## OLM’s objects\n',
    'Each rule has a table of cases in the test that is named here, and a case that is denied, warned about and allowed by a real API server in [test/cluster/olm-rules.test.ts](../test/cluster/olm-rules.test.ts).\n',
    table(
      ['Rule', 'Request', 'By default', 'What OLM would say or do later', 'Source', 'Test'],
      olmRules.map(({ name, kind, requests, mode, prevents, source }) => [
        link(name),
        `${kind} ${requests.join(', ')}`,
        mode,
        prevents,
        source,
        testLink(name),
      ]),
    ),
    ...olmRules.map(({ name, family, explain }) =>
      section(name, [explain, `Family \`${family}\`.`]),
    ),
    '## A scan of the whole\n',
    'Each has its cases in [src/rules/cluster/rules.test.ts](../src/rules/cluster/rules.test.ts).\n',
    table(
      ['Rule', 'Severity', 'What would be said or go wrong later', 'Source'],
      scanRules.map(({ name, severity, prevents, source }) => [
        link(name),
        severity,
        prevents,
        source,
      ]),
    ),
    ...scanRules.map(({ name, family, explain }) =>
      section(name, [explain, `Family \`${family}\`.`]),
    ),
    '## CRD upgrade safety\n',
    table(
      ['Rule', 'In OLM v1 (4.17)', 'In crdify', 'Refuses'],
      rules.map(({ name, upstream, checks }) => [
        link(name),
        upstream['olm-v1'] ?? '',
        upstream.crdify ?? '',
        checks,
      ]),
    ),
    ...rules.flatMap((rule) => {
      const lines = [`Refuses: ${rule.checks}`, rule.why, ...example([rule.name])];
      const validator = rule.kind === 'definition' ? [section(rule.validator, lines)] : [];
      return [...validator, section(rule.name, lines)];
    }),
    '## Catalogs\n',
    ...Object.entries({ ...validationRules, ...warningRules }).map(([name, says]) =>
      section(name, [`Checks that ${says}.`]),
    ),
    ...Object.entries(catalogDiffRules).map(([name, { severity, explain }]) =>
      section(name, [explain, `By default: ${severity}.`]),
    ),
    '## Bundles\n',
    ...[...Object.values(bundleRules), ...Object.values(lintRules)].map(explained),
    '## Resolution\n',
    ...Object.values(resolutionRules).map(explained),
    '## Others\n',
    ...[...familyOfRule]
      .filter(([name]) => !written.has(name))
      .map(([name, family]) =>
        section(name, [others.get(name) ?? `Family \`${family}\`.`, ...example([name])]),
      ),
  ];
  return parts.join('\n');
}

/** Names that stand for a comparison rather than for one rule. */
const others = new Map([
  [
    'StoredObjectsRefused',
    'Objects that are stored now would be refused by the new definition: every later write to them fails.',
  ],
  [
    'StoredObjectsLoseData',
    'Objects that are stored now hold fields that the new definition drops with their next write.',
  ],
  [
    'StoredObjectsUnchecked',
    'Stored objects could not be read, or not all in the time that the policy gives; what was not looked at is named.',
  ],
  ['StoredObjectsDeleted', 'The deletion of the definition takes its stored objects with it.'],
  [
    'StoredVersionMigration',
    'Objects are stored in a version that the new definition no longer has.',
  ],
  [
    plantedRule,
    'A request sets a switch-off, widens one, or names an owner that has one: `olm-guard.io/disable`, `core.rukpak.io/safe-crd-upgrade-validation`, or the field of a ClusterExtension. It is a warning that says whether it counts from the next change on. It is an error, which no switch-off excuses, when it would count and the policy gives it to another group, or when the same request changes more than annotations.',
  ],
  [
    'ChangeValidator',
    'OLM v1 gathers the rules about single fields under this name: enum, required, bounds, default and type, in that order, for each version that is on both sides.',
  ],
  [
    'ServedVersionValidator',
    'Served versions of one definition are compared with each other by the rules about fields, the older with the newer, unless a conversion webhook stands between them.',
  ],
  [
    'unhandled',
    'What crdify has no rule for: a change of the schema that none of its rules explains is refused.',
  ],
  [
    'Proof',
    'Of the profile proof: a difference with the object that shows what it breaks, the proof that it breaks nothing, or why neither was found.',
  ],
]);

/** An example pair, what it does, the object that shows it, and what to do instead. */
function example(names: readonly string[]): string[] {
  const found = exampleOf(names);
  if (found === undefined) return [];
  const { old, new: next, proof, witness, instead } = found;
  const block = (title: string, text: string): string => `${title}\n\n\`\`\`yaml\n${text}\n\`\`\``;
  return [
    block('For example, before:', old),
    block('and after:', next),
    ...(proof === undefined ? [] : [`Proof: ${proof}.`]),
    ...(witness === undefined ? [] : [block('The object that shows it:', witness)]),
    `Instead: ${instead}`,
  ];
}

function link(name: string): string {
  return `[${name}](${docsFor(name).slice('docs/rules.md'.length)})`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}
