/**
 * The tables of apiextensions-apiserver's own tests: what they ask of it and what it answers, written down while
 * they run. Its module is taken from Go's cache into a scratch folder, where the functions that tests ask
 * get a line that says so; nothing of it is copied into this repository.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseJson, type JsonObject, type JsonValue } from '../../../src/text/documents/index.js';
import { folder, moduleFiles } from './module-files.js';

const library = 'k8s.io/apiextensions-apiserver';

export interface Refused {
  readonly type: string;
  readonly field: string;
  readonly detail: string;
}

/** What a test asks, and what it is answered. */
export interface DefinitionQuestion {
  readonly table: 'definitions';
  readonly new: JsonObject;
  readonly old?: JsonObject;
  readonly answer: readonly Refused[];
}

export interface SchemaQuestion {
  readonly table: 'schemas';
  readonly schema: JsonObject | null;
  readonly path: string;
  readonly answer: readonly Refused[];
}

/** What becomes of a value. */
export interface ChangeQuestion {
  readonly table: 'pruning' | 'nulls' | 'metadata' | 'defaults';
  readonly schema: JsonObject | null;
  readonly isRoot: boolean;
  readonly value: JsonValue;
  readonly answer: JsonValue;
  readonly error?: readonly Refused[];
}

export interface ValueQuestion {
  readonly table: 'rules' | 'values' | 'lists';
  readonly path: string;
  readonly schema: JsonObject | null;
  readonly isRoot: boolean;
  readonly value: JsonValue;
  readonly old?: JsonValue;
  readonly isRatcheting?: boolean;
  /** It has values of Go that JSON does not have. */
  readonly isNoJSON?: boolean;
  /** What evaluations may cost. */
  readonly budget?: number;
  readonly answer: readonly Refused[];
}

export interface CostQuestion {
  readonly table: 'costs';
  readonly schema: JsonObject;
  /** As for expressions that are stored already. */
  readonly isStored: boolean;
  readonly answer: readonly { readonly error?: string; readonly cost: string }[];
}

export type TableQuestion =
  DefinitionQuestion | SchemaQuestion | ChangeQuestion | ValueQuestion | CostQuestion;

interface Hook {
  readonly file: string;
  /** With which the line of the function begins. */
  readonly signature: string;
  /** Go's names for what the function answers, where it has none. */
  readonly results?: string;
  /** Run when it begins; what it gives runs at its end. */
  readonly note: string;
}

const validation = 'pkg/apis/apiextensions/validation/validation.go';
const schemas = 'pkg/apiserver/schema';
const values = 'pkg/apiserver/validation/validation.go';
const rememberSchema = 'func() { asked.Remember(askedValidator, customResourceValidation) }';

const hooks: readonly Hook[] = [
  {
    file: validation,
    signature: 'func ValidateCustomResourceDefinition(',
    results: '(askedErrors field.ErrorList)',
    note: 'asked.Definition(obj, nil, &askedErrors)',
  },
  {
    file: validation,
    signature: 'func ValidateCustomResourceDefinitionUpdate(',
    results: '(askedErrors field.ErrorList)',
    note: 'asked.Definition(obj, oldObj, &askedErrors)',
  },
  {
    file: validation,
    signature: 'func validateCustomResourceDefinitionValidation(',
    results: '(askedErrors field.ErrorList)',
    note: 'asked.Schema(customResourceValidation, fldPath, &askedErrors)',
  },
  {
    file: `${schemas}/defaulting/algorithm.go`,
    signature: 'func Default(',
    note: 'asked.Changed("defaults", x, s.ToKubeOpenAPI(), false, nil)',
  },
  {
    file: `${schemas}/defaulting/prunenulls.go`,
    signature: 'func PruneNonNullableNullsWithoutDefaults(',
    note: 'asked.Changed("nulls", x, s.ToKubeOpenAPI(), false, nil)',
  },
  {
    file: `${schemas}/pruning/algorithm.go`,
    signature: 'func PruneWithOptions(',
    note: 'asked.Changed("pruning", obj, s.ToKubeOpenAPI(), isResourceRoot, nil)',
  },
  {
    file: `${schemas}/objectmeta/algorithm.go`,
    signature: 'func CoerceWithOptions(',
    results: '(askedError *field.Error, askedPaths []string)',
    note: 'asked.Changed("metadata", obj, s.ToKubeOpenAPI(), isResourceRoot, &askedError)',
  },
  {
    file: `${schemas}/listtype/validation.go`,
    signature: 'func ValidateListSetsAndMaps(',
    results: '(askedErrors field.ErrorList)',
    note: 'asked.Judged("lists", fldPath, s.ToKubeOpenAPI(), false, obj, nil, nil, &askedErrors)',
  },
  {
    file: `${schemas}/cel/validation.go`,
    signature: 'func (s *Validator) Validate(',
    note: 'asked.Judged("rules", fldPath, sts.ToKubeOpenAPI(), s != nil && s.isResourceRoot, obj, oldObj, map[string]any{"budget": costBudget, "isRatcheting": len(opts) > 0}, &errs)',
  },
  {
    file: `${schemas}/cel/compilation.go`,
    signature: 'func Compile(',
    results: '(askedResults []CompilationResult, askedError error)',
    note: `asked.Compiled(s.ToKubeOpenAPI(), fmt.Sprint(envLoader) == fmt.Sprint(StoredExpressionsEnvLoader()), func() []map[string]any {
		all := []map[string]any{}
		for _, each := range askedResults {
			answer := map[string]any{"cost": fmt.Sprint(each.MaxCost)}
			if each.Error != nil {
				answer["error"] = each.Error.Detail
			}
			all = append(all, answer)
		}
		return all
	})`,
  },
  {
    file: values,
    signature: 'func NewSchemaValidator(',
    results: '(askedValidator SchemaValidator, askedSpec *spec.Schema, askedError error)',
    note: rememberSchema,
  },
  {
    file: values,
    signature: 'func ValidateCustomResource(',
    results: '(askedErrors field.ErrorList)',
    note: 'asked.Judged("values", fldPath, asked.SchemaOf(validator), false, customResource, nil, nil, &askedErrors)',
  },
  {
    file: values,
    signature: 'func ValidateCustomResourceUpdate(',
    results: '(askedErrors field.ErrorList)',
    note: 'asked.Judged("values", fldPath, asked.SchemaOf(validator), false, customResource, old, map[string]any{"isRatcheting": len(options) > 0}, &askedErrors)',
  },
];

/** Only minors from 1.34 or so on have it. */
const ofVersion: Hook = {
  file: values,
  signature: 'func NewSchemaValidatorForVersion(',
  results: '(askedValidator SchemaValidator, askedSpec *spec.Schema, askedError error)',
  note: rememberSchema,
};

const packages = [
  './pkg/apis/apiextensions/validation/...',
  './pkg/apiserver/schema/...',
  './pkg/apiserver/validation/...',
  './pkg/registry/customresourcedefinition/...',
];

function go(
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const { status, stdout, stderr } = spawnSync('go', args, {
    cwd,
    env: { ...process.env, GOFLAGS: '-mod=mod', ...more },
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`go ${args.join(' ')}: ${stderr}${stdout.slice(-5000)}`);
  return stdout;
}

function hook(root: string, { file, signature, results, note }: Hook): void {
  const path = join(root, file);
  const lines = readFileSync(path, 'utf8').split('\n');
  const at = lines.findIndex((line) => line.startsWith(signature));
  if (at < 0) throw new Error(`${file} has no line ${signature}`);
  let line = lines[at] as string;
  if (results !== undefined) {
    line = line.replace(/\) (?:\([^()]*\)|[^() ]+) \{$/, () => `) ${results} {`);
  }
  line = line.replace('_ *schema.Structural, obj', 'sts *schema.Structural, obj');
  lines.splice(at, 1, line, `\tdefer ${note}()`);
  const clause = lines.findIndex((each) => each.startsWith('package '));
  const imports = `import "${library}/pkg/asked"`;
  if (!lines.includes(imports)) lines.splice(clause + 1, 0, imports);
  writeFileSync(path, lines.join('\n'));
}

/** What the tests of a minor ask; runs them, which takes minutes. */
export function tableQuestions(minor: string): TableQuestion[] {
  if (process.env['BQ'])
    return readFileSync(`/tmp/b-q-${minor}.jsonl`, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((l) => parseJson(l) as unknown as TableQuestion);
  const moduleFile = moduleFiles.get(minor) ?? 'go.mod';
  go(['mod', 'download', `-modfile=${moduleFile}`, library], folder);
  const source = go(['list', `-modfile=${moduleFile}`, '-m', '-f', '{{.Dir}}', library], folder);
  const scratch = mkdtempSync(join(tmpdir(), 'olm-guard-tables-'));
  try {
    const root = join(scratch, 'module');
    cpSync(source.trim(), root, { recursive: true });
    // Go's cache is read-only.
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      chmodSync(join(root, name), 0o755);
    }
    mkdirSync(join(root, 'pkg', 'asked'));
    cpSync(join(folder, 'asked', 'asked.go'), join(root, 'pkg', 'asked', 'asked.go'));
    for (const each of hooks) hook(root, each);
    if (readFileSync(join(root, values), 'utf8').includes(ofVersion.signature))
      hook(root, ofVersion);
    const file = join(scratch, 'questions.jsonl');
    go(['test', '-count=1', '-vet=off', ...packages], root, { OLM_GUARD_QUESTIONS: file });
    // Names of types are drawn, and what a deadline interrupts says so in more or fewer words.
    const text = readFileSync(file, 'utf8')
      .replaceAll(/\bselfType\d+/g, 'selfType')
      .replaceAll(/(operation interrupted)[^"]*/g, '$1');
    const lines = text.split('\n').slice(0, -1);
    return [...new Set(lines)].map((line) => parseJson(line) as unknown as TableQuestion);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
