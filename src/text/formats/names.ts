/** Names, labels and label keys: k8s.io/apimachinery/pkg/util/validation, with its texts. */
import { byteLength } from '../go/index.js';
import { append } from '../long-lists.js';

const labelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainFormat = `${labelFormat}(\\.${labelFormat})*`;
const label1035Format = '[a-z]([-a-z0-9]*[a-z0-9])?';
const keyFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const valueFormat = `(${keyFormat})?`;

// Written so that no text makes them backtrack: a dash or dot never ends a label.
const subdomain = /^[a-z0-9](?:[a-z0-9]|-+[a-z0-9]|\.[a-z0-9])*$/;
const label = /^[a-z0-9](?:[a-z0-9]|-+[a-z0-9])*$/;
const label1035 = /^[a-z](?:[a-z0-9]|-+[a-z0-9])*$/;
const key = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

function explain(message: string, format: string, ...examples: string[]): string {
  const quoted = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${quoted}regex used for validation is '${format}')`;
}

const tooLong = (most: number, unit = 'characters'): string =>
  `must be no more than ${most} ${unit}`;

/** `IsDNS1123Subdomain`: reasons against, none when it is one. Upstream counts bytes, and its texts disagree on the word. */
export function subdomainProblems(value: string, unit?: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > 253) problems.push(tooLong(253, unit));
  if (!subdomain.test(value)) {
    problems.push(
      explain(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        subdomainFormat,
        'example.com',
      ),
    );
  }
  return problems;
}

/** `IsDNS1123Label`. */
export function labelProblems(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > 63) problems.push(tooLong(63));
  if (label.test(value)) return problems;
  if (subdomain.test(value)) return [...problems, 'must not contain dots'];
  problems.push(
    explain(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      labelFormat,
      'my-name',
      '123-abc',
    ),
  );
  return problems;
}

/** `IsDNS1035Label`, which kinds must be in lower case. */
export function label1035Problems(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > 63) problems.push(tooLong(63));
  if (!label1035.test(value)) {
    problems.push(
      explain(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
        label1035Format,
        'my-name',
        'abc-123',
      ),
    );
  }
  return problems;
}

const keyMessage =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/** `IsQualifiedName`: a label key, or a finalizer's name. */
export function qualifiedNameProblems(value: string): string[] {
  if (value.length <= 63 && key.test(value)) return [];
  const parts = value.split('/');
  const explained = explain(keyMessage, keyFormat, 'MyName', 'my.name', '123-abc');
  if (parts.length > 2) {
    return [
      `a valid label key ${explained} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const problems: string[] = [];
  const name = parts[parts.length - 1] ?? '';
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') problems.push('prefix part must be non-empty');
    else
      append(
        problems,
        subdomainProblems(prefix, 'bytes').map((problem) => `prefix part ${problem}`),
      );
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (byteLength(name) > 63) problems.push(`name part ${tooLong(63, 'bytes')}`);
  if (!key.test(name)) problems.push(`name part ${explained}`);
  return problems;
}

/** `IsValidLabelValue`. */
export function labelValueProblems(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > 63) problems.push(tooLong(63, 'bytes'));
  if (value !== '' && !key.test(value)) {
    problems.push(
      explain(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        valueFormat,
        'MyValue',
        'my_value',
        '12345',
      ),
    );
  }
  return problems;
}

/** `ValidatePathSegmentName`, the only rule for names of embedded objects. */
export function pathSegmentProblems(value: string, isPrefix: boolean): string[] {
  if (!isPrefix && (value === '.' || value === '..')) return [`may not be '${value}'`];
  return ['/', '%']
    .filter((character) => value.includes(character))
    .map((character) => `may not contain '${character}'`);
}

/** A prefix is judged with its trailing dash, and the character before it, replaced: as upstream does. */
export function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
