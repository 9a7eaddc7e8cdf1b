/** Which test file has the table of each rule about OLM's objects, from the sources themselves. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'src/rules/olm';

/** @returns a function from the name of a rule to its file; @throws Error for a rule without a test */
export function testsOfRules(): (rule: string) => string {
  const files = readdirSync(join(import.meta.dirname, '..', folder))
    .filter((file) => file.endsWith('.ts'))
    .sort();
  const read = (file: string): string =>
    readFileSync(join(import.meta.dirname, '..', folder, file), 'utf8');
  const nameOfConstant = new Map<string, string>();
  for (const file of files.filter((each) => !each.endsWith('.test.ts'))) {
    for (const definition of read(file)
      .split(/^export const /m)
      .slice(1)) {
      const [, constant = '', name] = /^(\w+)[^;]{0,80}?\bname: '([^']+)'/.exec(definition) ?? [];
      if (name !== undefined) nameOfConstant.set(constant, name);
    }
  }
  const fileOfRule = new Map<string, string>();
  for (const file of files.filter((each) => each.endsWith('.test.ts'))) {
    for (const [, constant = ''] of read(file).matchAll(/^describeRule\((?:\w+\.)?(\w+),/gm)) {
      const name = nameOfConstant.get(constant);
      if (name !== undefined) fileOfRule.set(name, `${folder}/${file}`);
    }
  }
  return (rule) => {
    const file = fileOfRule.get(rule);
    if (file === undefined) throw new Error(`rule ${rule} has no table in ${folder}/*.test.ts`);
    return file;
  };
}
