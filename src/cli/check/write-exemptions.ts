/** `check crd --write-exemptions`: what is denied today becomes exemptions, each with a reason to be filled in. */
import { plural } from '../../text/plural.js';
import { firstNames } from '../../text/shortened.js';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import {
  invalidInput,
  isObject,
  own,
  parseDocuments,
  type JsonObject,
} from '../../text/documents/index.js';
import { editDocument } from '../../text/documents/edit.js';
import { writeRegularFile } from '../../text/documents/regular-file.js';
import { changeName } from '../../upgrade/index.js';
import { type JudgedSubject, reasonToFillIn } from '../../policy/index.js';
import { printError } from '../output.js';
import { policyOfRepository } from '../options/policy-option.js';

const days = 90;

/** Adds one exemption per definition and kind of change to the policy, whose comments stay. */
export async function writeExemptions(
  judged: readonly JudgedSubject[],
  named: string | undefined,
  now: Date,
): Promise<void> {
  const { file = named, place } = policyOfRepository(process.cwd());
  const target = named ?? file ?? place;
  if (target === undefined) {
    const message = 'there is no repository here for a .olm-guard.yaml; name a file by --policy';
    throw invalidInput(message);
  }
  if (target.startsWith('git:')) {
    const message = 'a commit cannot be written into; name a file by --policy';
    throw invalidInput(message, { file: target });
  }
  const shown = relative(process.cwd(), target);
  const until = new Date(now.getTime() + days * 24 * 3_600_000).toISOString().slice(0, 10);
  const exemptions = judged.flatMap(exemptionsOf);
  if (exemptions.length === 0)
    return printError(`olm-guard: nothing is denied; ${shown} is as it was`);
  const text = existsSync(target)
    ? await readFile(target, 'utf8')
    : 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
  const entries = exemptions.map(({ rule, name, paths }) => ({
    rules: [rule],
    names: [name],
    ...(paths && { paths: [...paths] }),
    reason: reasonToFillIn,
    until: `${until}T00:00:00Z`,
  }));
  await writeRegularFile(target, withExemptions(text, entries, shown));
  printError(`olm-guard: wrote ${plural(exemptions.length, 'exemption')} into ${shown}:`);
  for (const { rule, name, paths } of exemptions) {
    const where = paths === undefined ? 'anywhere' : `at and below ${firstNames(paths)}`;
    printError(`  ${rule} of ${name}, ${where}, until ${until}`);
  }
  printError(`olm-guard: replace each FILL IN in ${shown} by a reason; until then it is refused`);
}

/** @throws InvalidInputError for what is no policy */
function withExemptions(text: string, exemptions: readonly JsonObject[], file: string): string {
  const [document] = parseDocuments(text, { file, dialect: 'core' });
  if (!isObject(document?.value)) {
    throw invalidInput('is no policy: a mapping with apiVersion and kind', { file });
  }
  const before = own(document.value, 'exemptions');
  const wanted = {
    ...document.value,
    exemptions: [...(Array.isArray(before) ? before : []), ...exemptions],
  };
  const edited = editDocument(document, wanted, 'core');
  if (edited.isRewritten) {
    printError(`olm-guard: ${file} cannot be changed in place: written anew, without its comments`);
  }
  return edited.text;
}

interface WrittenExemption {
  readonly rule: string;
  readonly name: string;
  /** Undefined: the definition as a whole. */
  readonly paths: readonly string[] | undefined;
}

function exemptionsOf({ subject, findings }: JudgedSubject): WrittenExemption[] {
  const paths = new Map<string, Set<string> | undefined>();
  for (const finding of findings) {
    if (finding.severity !== 'error') continue;
    const name = changeName(finding) ?? finding.rule;
    const { exactPath: path = finding.path } = finding;
    // A finding without a path is about the definition as a whole.
    if (path === undefined) paths.set(name, undefined);
    else if (!paths.has(name)) paths.set(name, new Set([path]));
    else paths.get(name)?.add(path);
  }
  return [...paths].map(([rule, at]) => ({ rule, name: subject.name, paths: at && [...at] }));
}
