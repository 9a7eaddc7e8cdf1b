/** `NoScopeChange` → `no-scope-change`: the file of a rule, without its ending. */
export function fileNameOf(id: string): string {
  return id
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])/g, '-')
    .toLowerCase();
}
