/** In Kubernetes' texts. Source: apimachinery pkg/api/validate/content (v0.36). */
import { append } from '../long-lists.js';

const nameFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const namePattern = new RegExp(`^${nameFormat}$`);

const valueFormat = `(${nameFormat})?`;
const valueRule = `a valid label must be an empty string or consist of ${nameRule.slice('must consist of '.length)}`;
const valuePattern = new RegExp(`^${valueFormat}$`);

const domainLabelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const domainFormat = `${domainLabelFormat}(\\.${domainLabelFormat})*`;
const domainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const domainPattern = new RegExp(`^${domainFormat}$`);

const nameExample = described(nameRule, nameFormat, ['MyName', 'my.name', '123-abc']);
const valueExample = described(valueRule, valueFormat, ['MyValue', 'my_value', '12345']);
const domainExample = described(domainRule, domainFormat, ['example.com']);

const maxNameBytes = 63;
const maxDomainBytes = 253;

/** Errors in a label's key; empty when there are none. */
export function labelKeyProblems(key: string): string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${nameExample} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const problems: string[] = [];
  const name = parts[parts.length - 1] ?? '';
  if (parts.length === 2) append(problems, prefixProblems(parts[0] ?? ''));
  if (name === '') problems.push('name part must be non-empty');
  else if (bytes(name) > maxNameBytes) problems.push(`name part ${tooLong(maxNameBytes)}`);
  if (!namePattern.test(name)) problems.push(`name part ${nameExample}`);
  return problems;
}

function prefixProblems(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  const problems: string[] = [];
  if (bytes(prefix) > maxDomainBytes) problems.push(`prefix part ${tooLong(maxDomainBytes)}`);
  if (!domainPattern.test(prefix)) {
    problems.push(`prefix part ${domainExample}`);
  }
  return problems;
}

/** Errors in a label's value; empty when there are none. */
export function labelValueProblems(value: string): string[] {
  const problems: string[] = [];
  if (bytes(value) > maxNameBytes) problems.push(tooLong(maxNameBytes));
  if (!valuePattern.test(value)) {
    problems.push(valueExample);
  }
  return problems;
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}

function tooLong(limit: number): string {
  return `must be no more than ${limit} bytes`;
}

function described(rule: string, format: string, examples: readonly string[]): string {
  // Kubernetes puts ", " behind every example and " or " between them, hence the doubled blank.
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${shown}regex used for validation is '${format}')`;
}
