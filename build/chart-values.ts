/** Schema and reference of the chart's values, made of the comments in chart/values.yaml. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  commentsIn,
  isObject,
  parseDocuments,
  type JsonObject,
  type Path,
} from '../src/text/documents/index.js';
import { publishedPolicySchema } from './policy-schema.js';
import { table } from './rules-document.js';

const text = readFileSync(join(import.meta.dirname, '..', 'chart', 'values.yaml'), 'utf8');

interface Value {
  readonly path: string;
  readonly fallback: unknown;
  readonly description: string;
  /** What a line `@schema` adds to what the default says. */
  readonly schema: object;
  /** Of a map that has described values. */
  readonly children?: readonly Value[];
}

const [document] = parseDocuments(text);
if (!isObject(document?.value)) throw new Error('chart/values.yaml is no map');
const comments = new Map(
  commentsIn(text)
    .filter(({ isAlone }) => isAlone)
    .map((comment) => [comment.line, comment.text.slice(1).trim()]),
);

/** The lines right above a value: of several paragraphs the last is about it. */
function commentAbove(path: Path): string[] {
  const lines: string[] = [];
  for (let line = (document?.placeOf(path).line ?? 0) - 1; ; line--) {
    const comment = comments.get(line);
    if (comment === undefined || comment === '') return lines;
    lines.unshift(comment);
  }
}

/** @throws Error for a value without a description */
function valuesOf(map: JsonObject, above: readonly string[] = []): Value[] {
  return Object.entries(map).map(([name, fallback]) => {
    const keys = [...above, name];
    const path = keys.join('.');
    const lines = commentAbove(keys);
    const schema = lines.find((line) => line.startsWith('@schema '))?.slice('@schema '.length);
    const description = lines.filter((line) => !line.startsWith('@schema ')).join(' ');
    const isDescribed = description !== '';
    const children = isObject(fallback) && !isDescribed ? valuesOf(fallback, keys) : undefined;
    if (!isDescribed && children === undefined) throw new Error(`${path} has no description`);
    return {
      path,
      fallback,
      description,
      schema: schema === undefined ? {} : (JSON.parse(schema) as object),
      children,
    };
  });
}

const values = valuesOf(document.value);

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return 'integer';
  return typeof value;
}

function schemaOf({ fallback, description, schema, children }: Value): object {
  if (children !== undefined) return closed(children);
  return { description, type: typeOf(fallback), ...schema };
}

function closed(children: readonly Value[]): object {
  const properties: Record<string, object> = {};
  for (const each of children) properties[each.path.split('.').at(-1) ?? ''] = schemaOf(each);
  return { type: 'object', additionalProperties: false, properties };
}

/** Draft 7, which is what Helm reads. */
export function valuesSchema(): object {
  const { properties } = publishedPolicySchema() as unknown as {
    properties: Record<string, object>;
  };
  // The chart writes apiVersion and kind itself.
  const policy = Object.fromEntries(
    Object.entries(properties).filter(([name]) => name !== 'apiVersion' && name !== 'kind'),
  );
  const whole = closed(values) as { properties: Record<string, { description: string }> };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the olm-guard chart',
    ...whole,
    properties: {
      global: { type: 'object' },
      ...whole.properties,
      policy: {
        description: whole.properties['policy']?.description,
        type: ['object', 'null'],
        additionalProperties: false,
        properties: policy,
      },
    },
  };
}

const leavesOf = (value: Value): readonly Value[] => value.children?.flatMap(leavesOf) ?? [value];

/** chart/README.md */
export function valuesDocument(): string {
  const rows = values.flatMap(leavesOf).map(({ path, fallback, description }) => {
    const shown = JSON.stringify(fallback);
    const fits = shown.length <= 60 ? `\`${shown}\`` : 'see [values.yaml](values.yaml)';
    return [`\`${path}\``, fits, description];
  });
  return `# olm-guard

The chart of the gate. \`npm run docs\` makes it from [manifests/](../manifests), and this page and values.schema.json from the comments in [values.yaml](values.yaml).

\`\`\`sh
helm install olm-guard chart --namespace olm-guard --create-namespace
helm test olm-guard --namespace olm-guard
\`\`\`

\`helm test\` runs \`olm-guard doctor\` in a pod. [values/](values) has files for platforms; their first lines say what they change.

## Values

${table(['Value', 'Default', 'Description'], rows)}`;
}

/** What values.yaml says where nobody says otherwise. */
export const defaultValues = document.value as unknown as {
  readonly exemptGroups: readonly string[];
};
