/** k8s.io/apimachinery meta.UnsafeGuessKindToResource: lower case, and an English plural. */
export function guessPlural(kind: string): string {
  const name = kind.toLowerCase();
  if (name.endsWith('endpoints')) return name;
  if (name.endsWith('s')) return `${name}es`;
  if (name.endsWith('y')) return `${name.slice(0, -1)}ies`;
  return `${name}s`;
}
