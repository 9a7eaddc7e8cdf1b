import { type Command, InvalidArgumentError, Option } from 'commander';

/** Arguments and options of a command by their flags: the line of each in the help, and how it is read. */
export type Flags = Readonly<Record<string, string | ((option: Option) => Option)>>;

export function withFlags(command: Command, flags: Flags): Command {
  for (const [flag, line] of Object.entries(flags)) {
    if (typeof line !== 'string') command.addOption(line(new Option(flag)));
    else if (flag.startsWith('-')) command.option(flag, line);
    else command.argument(flag, line);
  }
  return command;
}

function described(option: Option, line: string): Option {
  option.description = line;
  return option;
}

export function collectValues(value: string, all: readonly string[]): string[] {
  return [...all, value];
}

/** May be given several times; `without` says in the help what holds when it is not. */
export const several =
  (line: string, without = 'none') =>
  (option: Option): Option =>
    described(option, line).argParser(collectValues).default([], without);

export const oneOf =
  (choices: readonly string[], line: string, usual?: string) =>
  (option: Option): Option =>
    described(option, line)
      .choices([...choices])
      .default(usual);

export const usually =
  (usual: unknown, line: string, read?: (value: string) => unknown) =>
  (option: Option): Option => {
    if (read !== undefined) option.argParser(read);
    return described(option, line).default(usual);
  };

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

export const required =
  (line: string) =>
  (option: Option): Option =>
    described(option, line).makeOptionMandatory();

/** Flags that several commands have. */
export const flags = {
  policy: { '--policy <file>': 'what to deny, warn about and exempt' },
  /** The same for commands that decide as the webhook does. */
  webhookPolicy: { '--policy <file>': 'what to deny, warn about and exempt, as the webhook would' },
  profile: (profiles: readonly string[], about = 'which rules decide'): Flags => ({
    '--profile <name>': oneOf(profiles, `${about} (default: the policy's, else olm-v1)`),
  }),
  strict: {
    '--strict':
      'deny everything that the profile refuses, as its reference does (enforce: all, ratchet: false)',
  },
  all: {
    '--all':
      'list everything: also each change that is proven harmless, and more lines than a page',
  },
  acknowledge: {
    '--acknowledge <reason>':
      'warn in place of denying, with this reason; what Kubernetes itself refuses stays denied',
  },
  /** @param validated what the minors are asked about */
  kubernetes: (validated = 'NEW'): Flags => ({
    '--kubernetes <minors>': `Kubernetes versions to validate ${validated} against: 1.35, 1.30..1.36, 1.33+, a list, or cluster for the cluster's own (default: the policy's, else the newest decides and older ones warn)`,
  }),
  unchecked: (line: string, usual: 'fail' | 'warn'): Flags => ({
    '--unchecked <fail|warn>': oneOf(['fail', 'warn'], line, usual),
  }),
  network: {
    '--network': 'fetch what kustomizations refer to elsewhere; only where you trust their author',
  },
  state: { '--state <folder>': 'the cluster as YAML files, as kubectl get -o yaml writes it' },
  kubeconfig: (cluster = 'connect to this cluster (default: as kubectl)'): Flags => ({
    '--kubeconfig <file>': cluster,
    '--context <name>': 'context of the kubeconfig (default: its current one)',
  }),
  inCluster: { '--in-cluster': 'connect to the cluster that this pod runs in' },
  /** `-o`; the first format is the default. */
  output: (formats: readonly string[]): Flags => ({
    '-o, --output <format>': oneOf(formats, 'how to print', formats[0]),
  }),
  certificate: {
    '--tls-cert-file <file>': 'serving certificate and chain, PEM; read again on change',
    '--tls-private-key-file <file>': 'its private key, PEM; read again on change',
  },
  /** @param open what may be under way at the end */
  shutdown: (open: string): Flags => ({
    '--shutdown-delay <seconds>': usually(
      0,
      'how long to report not ready before the port closes',
      notNegative,
    ),
    '--shutdown-grace <seconds>': usually(30, `time for open ${open} to finish`, notNegative),
  }),
  logLevel: {
    '--log-level <level>': oneOf(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'minimum level to log',
      'info',
    ),
  },
} as const satisfies Record<string, Flags | ((...given: never[]) => Flags)>;
