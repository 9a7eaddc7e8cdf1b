/** YAML for people: what commands print, and what kubectl reads back as the same value. */
import jsyaml from 'js-yaml';
import { parseJson, stringifyJson } from './json.js';
import { NumberText } from './value.js';

const exactNumber = new jsyaml.Type('tag:olm-guard.io,2026:number', {
  kind: 'scalar',
  instanceOf: NumberText,
  represent: (number: object) => (number as NumberText).text,
  // For writing alone: no text is read as one, so that none is quoted because of it.
  resolve: () => false,
});
const schema = jsyaml.DEFAULT_SCHEMA.extend({ implicit: [exactNumber] });

/**
 * Ends with a line end. Properties that are undefined are left out, as JSON leaves them out; numbers
 * stand as they were written, also those that JavaScript would round.
 *
 * @param replace each value by what is printed for it
 */
export function writeYaml(
  value: unknown,
  replace?: (key: string, value: unknown) => unknown,
): string {
  return jsyaml.dump(parseJson(stringifyJson(value)), {
    schema,
    lineWidth: -1,
    noRefs: true,
    ...(replace === undefined ? {} : { replacer: replace }),
  });
}
