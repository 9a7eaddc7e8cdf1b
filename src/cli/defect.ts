import { sayLines } from './output.js';

/** With its stack: bad input never comes here. */
export function printInternalError(error: unknown): void {
  const defect = error instanceof Error ? (error.stack ?? error.message) : String(error);
  sayLines(`olm-guard: a defect of olm-guard itself, please report it: ${defect}\n`);
}
