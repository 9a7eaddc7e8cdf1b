/** `NoScopeChange` → `no-scope-change`: the file in which a rule stands, without its ending. */
export function fileNameOf(id: string): string {
  return id
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])/g, '-')
    .toLowerCase();
}
