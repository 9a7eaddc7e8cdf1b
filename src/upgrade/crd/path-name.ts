/** The schema's author chooses names: one that holds separators would otherwise pass for another place. */
export function formatName(name: string): string {
  return name.replace(/[%.[\]]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

export function parseName(step: string): string {
  return step.replace(/%(25|2E|5B|5D)/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
