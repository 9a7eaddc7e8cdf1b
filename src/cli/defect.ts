import { sayLines } from './output.js';

export function printInternalError(error: unknown): void {
  const defect = error instanceof Error ? (error.stack ?? error.message) : String(error);
  sayLines(`olm-guard: a defect of olm-guard itself, please report it: ${defect}\n`);
}
