import { InvalidArgumentError, Option } from 'commander';

export function collectValues(value: string, all: readonly string[]): string[] {
  return [...all, value];
}

/** An option that may be given several times; `without` says in the help what holds when it is not. */
export function repeatable(flags: string, description: string, without = 'none'): Option {
  return new Option(flags, description).argParser(collectValues).default([], without);
}

/** `-o`; the first format is the default. */
export function outputOption([first = 'text', ...others]: readonly string[]): Option {
  return new Option('-o, --output <format>', 'how to print')
    .choices([first, ...others])
    .default(first);
}

export function logLevelOption(): Option {
  return new Option('--log-level <level>', 'minimum level to log')
    .choices(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info');
}

export function notNegative(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number < 0) {
    throw new InvalidArgumentError('give a number that is not negative');
  }
  return number;
}

export function positive(value: string): number {
  const number = notNegative(value);
  if (number === 0) throw new InvalidArgumentError('give a number above 0');
  return number;
}

export interface NetworkOptions {
  readonly network?: boolean;
}

export const networkOption = [
  '--network',
  'fetch what kustomizations refer to elsewhere; only where you trust their author',
] as const;
