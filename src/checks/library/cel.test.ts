/** The CEL of Kubernetes as other programs use it, with what a stranger could hand it. */
import { expect } from 'chai';
import { CelError, compile, minors, parse, type CelEnvironment } from './cel.js';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 63 },
    replicas: { type: 'integer' },
    labels: { type: 'object', maxProperties: 4, additionalProperties: { type: 'string' } },
    since: { type: 'string', format: 'date-time' },
  },
};

/** Code and first line of the only error that there is. */
function errorOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(error).to.be.instanceOf(CelError);
    const { code, message } = error as CelError;
    return `${code} ${message.split('\n', 1)[0] ?? ''}`;
  }
  return 'none';
}

describe('olm-guard/cel', () => {
  it('gives types, costs and values', () => {
    const rule = compile("self.replicas > 3 && self.name.startsWith('a')", { schema });
    expect(rule).to.include({ type: 'bool', estimatedCost: 6n });
    expect(rule.evaluate({ self: { replicas: 4, name: 'a' } })).to.equal(true);
    expect(rule.evaluate({ self: { replicas: 3, name: 'a' } })).to.equal(false);
  });

  it('gives values of other types as JavaScript values', () => {
    const values = { self: { since: '2024-01-01T00:00:00Z', replicas: 2, labels: { a: 'b' } } };
    const valueOf = (text: string): unknown => compile(text, { schema }).evaluate(values);
    expect(valueOf('[self.replicas, self.replicas + 1]')).to.deep.equal([2n, 3n]);
    expect(valueOf('self.labels')).to.deep.equal(new Map([['a', 'b']]));
    expect(valueOf('self.since')).to.deep.equal({
      type: 'google.protobuf.Timestamp',
      text: '2024-01-01T00:00:00Z',
    });
    expect(valueOf('[1u, 2u][0]')).to.deep.equal({
      type: 'uint',
      text: '1',
    });
  });

  it('knows the value before, and variables of any type', () => {
    const rule = compile('self.replicas >= oldSelf.replicas', { schema });
    expect(rule.evaluate({ self: { replicas: 1 }, oldSelf: { replicas: 2 } })).to.equal(false);
    const optional = compile('oldSelf.hasValue()', { schema, optionalOldSelf: true });
    expect(optional.evaluate({ self: {} })).to.equal(false);
    expect(optional.evaluate({ self: {}, oldSelf: {} })).to.equal(true);
    const policy = compile("object.spec.replicas <= 3 && request.operation == 'CREATE'", {
      variables: ['object', 'request'],
    });
    expect(
      policy.evaluate({ object: { spec: { replicas: 3 } }, request: { operation: 'CREATE' } }),
    ).to.equal(true);
    const whole = { schema: { type: 'object' }, resource: true };
    expect(compile('self.metadata.name', whole).evaluate({ self: { metadata: { name: 'a' } } })).to.equal('a'); // prettier-ignore
  });

  it('differs by minor as API servers do', () => {
    expect(minors).to.include.members(['1.29', '1.37']);
    const knownIn = (text: string, environment: CelEnvironment = {}): string[] =>
      minors.filter((kubernetes) => errorOf(() => compile(text, { ...environment, kubernetes })) === 'none'); // prettier-ignore
    expect(knownIn('1 == 1')).to.deep.equal(minors);
    expect(knownIn("ip('::1') == ip('::1')")[0]).to.equal('1.31');
    expect(knownIn("ip('::1') == ip('::1')", { stored: true })[0]).to.equal('1.30');
    const quantity = "quantity(self.name) == quantity('1')";
    const costs = minors.map(
      (kubernetes) => compile(quantity, { schema, kubernetes }).estimatedCost,
    );
    expect(new Set(costs).size).to.be.above(1);
  });

  it('parses what no schema knows', () => {
    const tree = parse('a.b + has(c.d)');
    expect(tree).to.include({ kind: 'call', name: '_+_', position: 4 });
    expect(tree.children.map(({ kind, name }) => [kind, name])).to.deep.equal([
      ['select', 'b'],
      ['select', 'd'],
    ]);
    expect(parse('1').value).to.equal(1n);
  });

  describe('of strange input', () => {
    const doubling = 'optional.of(1)' + '.optMap(a, a)'.repeat(40);
    const sharing = '[1]' + '.map(x, [x, x])'.repeat(60);
    const shared = Array.from({ length: 40 }).reduce<unknown[]>((inner) => [inner, inner], []);
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const cases: [what: string, run: () => unknown, error: string][] = [
      ['no text', () => compile(undefined as never), 'E_INPUT the expression must be a string'],
      ['an unknown minor', () => compile('1', { kubernetes: '1.3' }), 'E_INPUT "1.3" is no minor'],
      ['a schema that is none', () => compile('1', { schema: [] }), 'E_INPUT $.schema: must be an object'],
      ['a keyword of the wrong type', () => compile('1', { schema: { type: 3 } }), 'E_INPUT '],
      ['a schema without a type', () => compile('self', { schema: {} }), 'E_INPUT rules cannot see'],
      ['a syntax error', () => compile('1 +'), 'E_EXPRESSION ERROR: <input>:1:4: Syntax error'],
      ['a syntax error, parsed', () => parse('('), 'E_EXPRESSION ERROR: <input>'],
      ['an unknown field', () => compile('self.x', { schema }), "E_EXPRESSION ERROR: <input>:1:5: undefined field 'x'"],
      ['a pattern that is none', () => compile("'a'.matches('(')"), 'E_EXPRESSION '],
      ['nothing to read', () => compile('self.name', { schema }).evaluate({}), 'E_VALUE '],
      ['a missing key', () => compile('self.a').evaluate({ self: {} }), 'E_VALUE no such key: a'],
      ['an int that is none', () => compile('self.replicas', { schema }).evaluate({ self: { replicas: 'x' } }), 'E_VALUE '],
      ['a function for a value', () => compile('self').evaluate({ self: () => 1 }), 'E_INPUT '],
      ['no variables', () => compile('self').evaluate(null as never), 'E_INPUT '],
      ['a value within itself', () => compile('self').evaluate({ self: circle }), 'E_LIMIT '],
      ['a value that shares parts', () => compile('self').evaluate({ self: shared }), 'E_LIMIT '],
      ['deep parentheses', () => compile('('.repeat(50_000)), 'E_EXPRESSION '],
      ['a long text', () => compile('a'.repeat(1_000_000)), 'E_EXPRESSION ERROR: <input>:-1:0: expression code point size'],
      ['a doubling macro', () => compile(doubling), 'E_LIMIT optMap and optFlatMap'],
      ['a doubling macro, parsed', () => parse(doubling), 'E_LIMIT optMap and optFlatMap'],
      ['a value that doubles', () => compile(sharing).evaluate({}), 'E_LIMIT '],
      ['a loop of loops', () => compile('[1,2,3,4,5,6,7,8,9].all(a, ' + '[1,2,3,4,5,6,7,8,9].all(a, '.repeat(9) + 'true' + ')'.repeat(10)).evaluate({}), 'E_LIMIT '],
      ['few steps', () => compile('[1, 2, 3].all(a, a > 0)').evaluate({}, 3), 'E_LIMIT the rules need more steps'],
      ['steps that are no number', () => compile('[1].all(a, a > 0)').evaluate({}, NaN), 'E_LIMIT the rules need more steps'],
    ]; // prettier-ignore
    for (const [what, run, expected] of cases) {
      it(`says what is wrong with ${what}`, () => {
        expect(errorOf(run)).to.satisfy((error: string) => error.startsWith(expected));
      });
    }

    it('shortens what cel-go would print', () => {
      const many = `[${'unknown, '.repeat(1_500)}1]`;
      const { message } = (() => {
        try {
          return compile(many) as never;
        } catch (error) {
          return error as CelError;
        }
      })();
      expect(message.length).to.be.within(1_000, 10_001);
    });
  });
});
