/** `--policy FILE`, as every check takes it. */
import { defaultPolicy, type Policy } from '../../check/policy.js';

/** @throws InvalidInputError when the file cannot be read or is no policy. */
export async function loadPolicy(file: string | undefined): Promise<Policy> {
  if (file === undefined) return defaultPolicy;
  const [{ readPolicy }, { ruleNames }] = await Promise.all([
    import('../server/policy-file.js'),
    import('../../operations/rules.js'),
  ]);
  return readPolicy(file, ruleNames);
}
