/** Every rule as a page for a person: what it checks, why it matters, and what to do instead. */
import { olmRules } from '../rules/olm/table.js';
import { printPage } from '../rules/page.js';
import { ruleNamed, rules } from '../rules/registry.js';
import { namesOf } from '../rules/rule.js';

export function ruleNamesExplained(): string[] {
  return [...rules.flatMap(namesOf), ...olmRules.map(({ name }) => name)];
}

/** Undefined for a name that no rule has. */
export function explainRule(name: string): string | undefined {
  const rule = ruleNamed(name);
  if (rule !== undefined) return printPage(rule);
  const ofOlm = olmRules.find((each) => each.name === name);
  if (ofOlm === undefined) return undefined;
  const { explain, prevents, source } = ofOlm;
  return `${name}\n  why:       ${explain}\n  otherwise: ${prevents}\n  source:    ${source}\n`;
}
