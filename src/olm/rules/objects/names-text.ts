const shown = 5;

/** `a, b and 3 more`. */
export function namesText(names: readonly string[]): string {
  const more = names.length - shown;
  const listed = names.slice(0, shown).join(', ');
  return more > 0 ? `${listed} and ${more} more` : listed;
}
