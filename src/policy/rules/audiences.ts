/** Whom a change of a definition affects, and the families of rules: the text about each as a whole. */
import { type Audience, families, type Family, namesOf, type Rule } from '../../rule/index.js';
import { rules } from './registry.js';
import { largest } from '../../text/long-lists.js';

/** In a sentence, for people. */
export const audiences: Readonly<Record<Audience, string>> = {
  objects: 'What is stored is refused from then on, or loses data.',
  clients: 'A request that worked gets another answer.',
  apply:
    'Server-side apply, field ownership, kubectl apply and the GitOps tools that use them meet conflicts or errors.',
  readers: 'A client written for the old definition may read values that it does not know.',
  display: 'People and tables see something else: columns, short names, categories, warnings.',
};

export interface Grouped {
  readonly name: string;
  /** `audience` or `family`. */
  readonly kind: 'audience' | 'family';
  readonly says?: string;
  readonly rules: readonly Rule[];
}

export function groupNamed(name: string): Grouped | undefined {
  const says = (audiences as Readonly<Record<string, string | undefined>>)[name];
  if (Object.hasOwn(audiences, name) && says !== undefined) {
    return {
      name,
      kind: 'audience',
      says,
      rules: rules.filter((rule) => audienceOf(rule) === name),
    };
  }
  if (!families.some((family) => family === name)) return undefined;
  const about = rules.filter(({ family }) => family === name);
  const [first] = about;
  const whole = first === undefined ? undefined : audienceOf(first);
  return {
    name,
    kind: 'family',
    rules: about,
    ...(whole === undefined || about.some((rule) => audienceOf(rule) !== whole)
      ? {}
      : { says: audiences[whole] }),
  };
}

export const groupNames: readonly string[] = [...Object.keys(audiences), ...families];

/** Rules about a definition's schema are about its stored objects. */
export function audienceOf({
  audience,
  family,
}: Pick<Rule, 'audience' | 'family'>): Audience | undefined {
  return audience ?? (objectFamilies.includes(family) ? 'objects' : undefined);
}

const objectFamilies: readonly Family[] = ['crd-upgrade-safety', 'stored-objects', 'rollback'];

/** As `explain` prints it. `mode`: what a policy makes of the family unless it says otherwise. */
export function printGroup(
  { name, kind, says, rules: about }: Grouped,
  mode: (family: Family) => string,
): string {
  const used = [...new Set(about.map(({ family }) => family))];
  const modes = used.map((family) => `${family}: ${mode(family)}`);
  const width = largest(
    about.map((rule) => namesOf(rule).join(', ').length),
    0,
  );
  return [
    `${kind} ${name}\n`,
    ...(says === undefined ? [] : [`  ${says}\n`]),
    `  by default: ${modes.join(', ')}\n\n`,
    ...about.map((rule) => `  ${namesOf(rule).join(', ').padEnd(width)}  ${rule.checks}\n`),
    `\n  olm-guard explain ${about[0]?.id ?? 'RULE'} tells all about one\n`,
  ].join('');
}
