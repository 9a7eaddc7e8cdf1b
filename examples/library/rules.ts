/** A validation rule as two minors of Kubernetes have it: its cost, and what it says of an object. */
import { CelError, compile, minors } from 'olm-guard/cel';

const schema = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    names: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 63 } },
  },
};
const rule = compile("self.replicas <= 3 || self.names.exists(name, name == 'large')", { schema, kubernetes: '1.30' }); // prettier-ignore

export const cost: bigint = rule.estimatedCost;
export const holds = [
  { replicas: 3, names: [] },
  { replicas: 4, names: ['small'] },
].map((self) => rule.evaluate({ self }));

/** The first minor that knows the expression, and why the one before refuses it. */
export function knownSince(expression: string): { minor?: string | undefined; refusal?: string } {
  const refusals = minors.map((kubernetes) => {
    try {
      compile(expression, { schema, kubernetes });
      return undefined;
    } catch (error) {
      if (!(error instanceof CelError) || error.code !== 'E_EXPRESSION') throw error;
      return error.message;
    }
  });
  const first = refusals.indexOf(undefined);
  return { minor: minors[first], ...(refusals[first - 1] && { refusal: refusals[first - 1] }) };
}
