/** Every rule as a page for a person: what it checks, why it matters, and what to do instead. */
import type { Family, Severity } from '../finding.js';
import { lintRules, resolutionRules } from '../resolver/index.js';
import { bundleRules } from '../rules/bundle/index.js';
import { catalogDiffRules } from '../rules/catalog-diff/index.js';
import { validationRules, warningRules } from '../rules/catalog/index.js';
import { scanRules } from '../rules/cluster/rules.js';
import { printPage } from '../rules/page.js';
import { ruleNamed, rules } from '../rules/registry.js';
import { namesOf } from '../rules/rule.js';

/** A rule that does not tell of itself with an example yet. */
interface Told {
  readonly name: string;
  readonly why: string;
  readonly severity: Severity;
  readonly family: Family;
  readonly otherwise?: string;
  readonly source?: string;
}

const told: readonly Told[] = [
  ...scanRules.map(({ explain, prevents, ...rule }): Told => ({
    ...rule,
    why: explain,
    otherwise: prevents,
  })),
  ...[
    ...Object.values(bundleRules),
    ...Object.values(lintRules),
    ...Object.values(resolutionRules),
  ].map(({ explain, ...rule }): Told => ({ ...rule, why: explain })),
  ...Object.entries(catalogDiffRules).map(([name, { severity, explain }]): Told => ({
    name,
    severity,
    family: 'catalogs',
    why: explain,
  })),
  ...Object.entries({ ...validationRules, ...warningRules }).map(([name, says]): Told => ({
    name,
    severity: name in validationRules ? 'error' : 'warning',
    family: 'catalogs',
    why: `Checks that ${says}.`,
  })),
];

export function ruleNamesExplained(): string[] {
  return [...rules.flatMap(namesOf), ...told.map(({ name }) => name)];
}

/** Undefined for a name that no rule has. */
export function explainRule(name: string): string | undefined {
  const rule = ruleNamed(name);
  if (rule !== undefined) return printPage(rule);
  const page = told.find((each) => each.name === name);
  if (page === undefined) return undefined;
  const { why, otherwise, severity, family, source } = page;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['why', why],
    ['otherwise', otherwise],
    ['default', `${severity}, family ${family}`],
    ['source', source],
  ];
  const shown = lines.flatMap(([label, text]) =>
    text === undefined ? [] : [`  ${`${label}:`.padEnd(11)}${text}\n`],
  );
  return `${name}\n${shown.join('')}`;
}
