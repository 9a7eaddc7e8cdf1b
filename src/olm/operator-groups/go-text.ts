/** How Go prints values in the error texts that OLM and Kubernetes show. */

/** The verb `%v` of a list of texts: `[a b]`, without quotes. */
export function goList(texts: readonly string[]): string {
  return `[${texts.join(' ')}]`;
}

const jsonEscapes: ReadonlyMap<string, string> = new Map([
  ['<', '\\u003c'],
  ['>', '\\u003e'],
  ['&', '\\u0026'],
  ['\u2028', '\\u2028'],
  ['\u2029', '\\u2029'],
]);

/** Go's `json.Marshal` of a list of texts, where an empty list that was never set is `null`. */
export function goJsonList(texts: readonly string[]): string {
  if (texts.length === 0) return 'null';
  return JSON.stringify(texts).replace(
    /[<>&\u2028\u2029]/g,
    (character) => jsonEscapes.get(character) ?? character,
  );
}
