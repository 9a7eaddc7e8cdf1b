/** YAML for people: what commands print, and what kubectl reads back as the same value. */
import jsyaml from 'js-yaml';
import { parseJson, stringifyJson } from './json.js';
import { resolveKubernetesScalar } from './scalars.js';
import { NumberText } from './value.js';

/** @param isAnother whether a text would be read as something else without quotes */
function schemaFor(isAnother: (text: string) => boolean): jsyaml.Schema {
  const exactNumber = new jsyaml.Type('tag:olm-guard.io,2026:number', {
    kind: 'scalar',
    instanceOf: NumberText,
    represent: (number: object) => (number as NumberText).text,
    // Only for writing: a text that would be read as such a value is quoted.
    resolve: (text: string | null) => text !== null && isAnother(text),
  });
  return jsyaml.DEFAULT_SCHEMA.extend({ implicit: [exactNumber] });
}

const isNoText = (text: string): boolean => resolveKubernetesScalar(text) !== undefined;
const blockSchema = schemaFor(isNoText);
// In brackets kubectl's parser ends a text at a question mark, and refuses some colons.
const flowSchema = schemaFor((text) => /[?:]/.test(text) || isNoText(text));

export interface YamlLayout {
  readonly indent?: number;
  /** Whether the items of a list stand right below its key, not indented. */
  readonly isFlat?: boolean;
  /** All in brackets, on one line. */
  readonly isFlow?: boolean;
}

/** Undefined properties are left out; numbers stand as written. @param replace each value by what is printed */
export function writeYaml(
  value: unknown,
  replace?: (key: string, value: unknown) => unknown,
  { indent = 2, isFlat = false, isFlow = false }: YamlLayout = {},
): string {
  return jsyaml.dump(parseJson(stringifyJson(value)), {
    schema: isFlow ? flowSchema : blockSchema,
    lineWidth: -1,
    noRefs: true,
    indent,
    noArrayIndent: isFlat,
    flowLevel: isFlow ? 0 : -1,
    replacer: replace,
  });
}
