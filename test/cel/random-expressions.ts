/**
 * Pseudo-random expressions over every function, operator and macro of Kubernetes' CEL, most of which
 * check: now and then a value of another type stands where one is wanted, as itself or as dyn. The
 * same seed gives the same expressions.
 */
import { kubernetes, typeText, types, type CelType } from '../../src/cel/index.js';
import type { Overload } from '../../src/cel/overloads.js';
import { listOfType, mapOfType, optionalOf } from '../../src/cel/types.js';
import type { Random } from '../apiserver/random-schemas.js';

/** Variables of an expression by name. */
export type Variables = ReadonlyMap<string, CelType>;

const texts = [
  "''", "'a'", "'ab'", "'abc'", "'a.b.c'", "'Ab'", "' x '", "'é😀'", "'a\\nb\"\\\\'", "'1'", "'-12'", "'1.5'", "'1e3'",
  "'true'", "'0x1F'", "'NaN'", "'100m'", "'1Gi'", "'10.0.0.1'", "'::1'", "'10.0.0.0/8'", "'fe80::/10'",
  "'1.2.3'", "'v1.2'", "'1.2.3-rc.1+b'", "'http://a.b:80/c?d=e&d=f#g'", "'1h'", "'-1.5s'", "'2024-02-29T01:02:03Z'",
  "'2024-01-01T00:00:00.123456789+02:00'", "'0001-01-01T00:00:00Z'", "'9999-12-31T23:59:59Z'", "'+02:00'", "'Europe/Berlin'",
  "'UTC'", "'%s'", "'%d %s'", "'%.3f'", "'%x'", "'%e'", "'%b %o'", "'%%'", "'[a-z]+'", "'(a)(b)?'", "'^a.*$'", "'(?i)A'", "'a|('",
  "'dns1123Label'", "'uuid'", "'none'", "'my-name'", "'YWJj'", "r'\\d'", "'\\u00ff'", '"""a"b"""',
] as const; // prettier-ignore

const literals: Readonly<Record<string, readonly [string, ...string[]]>> = {
  bool: ['true', 'false'],
  int: [
    '0', '1', '2', '3', '-1', '5', '10', '60', '0x10', '9223372036854775807', '-9223372036854775808',
    '4611686018427387905', '9007199254740993', '1700000000', '-62135596800', '253402300799', '253402300800',
  ],
  uint: ['0u', '1u', '2u', '7u', '18446744073709551615u', '9223372036854775808u'],
  double: [
    '0.0', '1.0', '1.5', '-0.5', '.5', '2.0', '1e3', '1e100', '-0.0', '0.1', '123456789.125', '9007199254740992.0',
    '9223372036854775807.0', '1e-7', "double('NaN')", "double('Infinity')", "double('-inf')", '1e21', '0.000001',
  ],
  string: texts,
  bytes: ["b''", "b'a'", "b'abc'", "b'\\xff'", "b'\\303\\277'", "b'é'", "bytes('ab')"],
  null: ['null'],
  timestamp: [
    "timestamp('2024-02-29T01:02:03Z')", "timestamp('2024-01-01T00:00:00.5+02:00')", 'timestamp(0)',
    "timestamp('0001-01-01T00:00:00Z')", "timestamp('9999-12-31T23:59:59.999999999Z')", 'timestamp(1700000000)',
  ],
  duration: [
    "duration('1h')", "duration('0s')", "duration('-1.5s')", "duration('1h2m3.004s')", "duration('2562047h47m16s')",
  ],
  type: ['int', 'string', 'type(1)', 'list', 'type(null)', 'map', 'type', 'google.protobuf.Timestamp', 'optional_type'],
  'kubernetes.URL': ["url('http://a.b:80/c?d=e&d=f#g')", "url('https://[::1]:1/%20x')", "url('/a b')"],
  'kubernetes.Quantity': ["quantity('1')", "quantity('100m')", "quantity('1Gi')", "quantity('-2e3')", "quantity('9223372036854775807')"],
  'kubernetes.Semver': ["semver('1.2.3')", "semver('v1.2', true)", "semver('1.2.3-rc.1')", "semver('0.0.0')"],
  'kubernetes.NamedFormat': ['format.dns1123Label()', 'format.uuid()', 'format.byte()', 'format.date()', 'format.qualifiedName()', 'format.datetime()', 'format.uri()', 'format.labelValue()'],
  'net.IP': ["ip('10.0.0.1')", "ip('::1')", "ip('0.0.0.0')", "ip('fe80::1')", "ip('224.0.0.1')"],
  'net.CIDR': ["cidr('10.0.0.0/8')", "cidr('10.1.2.3/16')", "cidr('::/0')", "cidr('fe80::1/64')"],
}; // prettier-ignore

const scalars = [
  types.bool, types.int, types.uint, types.double, types.string, types.bytes, types.timestamp, types.duration,
] as const; // prettier-ignore
const others: readonly string[] = Object.keys(literals).filter((name) => /[.]/.test(name));

const sortable = new Set(['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes']); // prettier-ignore

interface Callable {
  readonly overload: Overload;
  readonly name: string;
}

const callable: readonly Callable[] = [...kubernetes.functions].flatMap(({ name, overloads }) =>
  /@(?!in)|_\?_:_|_&&_|_\|\|_|_\[|_\?\._/.test(name) ||
  overloads.some(({ parameters, result }) =>
    [...parameters, result].some(({ name: of }) => of.includes('authorization')),
  )
    ? []
    : overloads.map((overload) => ({ overload, name })),
);

export class Expressions {
  private names = 0;

  constructor(
    private readonly random: Random,
    private readonly variables: Variables,
    /** How often another type stands where one is wanted. */
    private readonly mixing = 0.04,
  ) {}

  /** An expression of the type, most of the time. */
  of(wanted: CelType, depth: number, scope: Variables = this.variables): string {
    const { random } = this;
    if (random.chance(this.mixing)) {
      const other = this.of(this.anyType(1), depth - 1, scope);
      return random.chance(0.75) ? `dyn(${other})` : other;
    }
    if (wanted.kind === 'dyn') {
      const made = this.of(this.anyType(1), depth, scope);
      return random.chance(0.5) ? `dyn(${made})` : made;
    }
    if (depth <= 0 || random.chance(0.12)) return this.leaf(wanted, depth, scope);
    const kind = random.next();
    if (kind < 0.08) return this.choice(wanted, depth, scope);
    if (kind < 0.14) return this.item(wanted, depth, scope);
    if (kind < 0.34) return this.comprehension(wanted, depth, scope);
    return this.call(wanted, depth, scope);
  }

  anyType(depth: number): CelType {
    const { random } = this;
    const kind = random.next();
    if (depth <= 0 || kind < 0.55) return random.pick(scalars);
    if (kind < 0.7) return listOfType(this.anyType(depth - 1));
    if (kind < 0.8) return mapOfType(random.pick([types.string, types.int, types.uint, types.bool]), this.anyType(depth - 1)); // prettier-ignore
    if (kind < 0.87) return optionalOf(this.anyType(depth - 1));
    if (kind < 0.9) return types.null;
    if (kind < 0.93) return types.type;
    const name = random.pick(others as [string, ...string[]]);
    const known = callable.find(({ overload }) => overload.result.name === name);
    return known?.overload.result ?? types.string;
  }

  private leaf(type: CelType, depth: number, scope: Variables): string {
    const { random } = this;
    const known = [...scope].flatMap(([name, of]) => this.pathsTo(type, name, of));
    const [first, ...rest] = known;
    if (first !== undefined && random.chance(0.6)) return random.pick([first, ...rest]);
    const [content, second] = type.parameters;
    if (type.kind === 'list' && content !== undefined) {
      const optional = optionalOf(content);
      const items = random.times([0, 1, 2, 2, 3], () =>
        random.chance(0.07)
          ? `?${this.of(optional, depth - 1, scope)}`
          : this.of(content, depth - 1, scope),
      );
      return `[${items.join(', ')}]`;
    }
    if (type.kind === 'map' && content !== undefined && second !== undefined) {
      const entries = random.times([0, 1, 2, 2], () =>
        random.chance(0.07)
          ? `?${this.of(content, 0, scope)}: ${this.of(optionalOf(second), depth - 1, scope)}`
          : `${this.of(content, 0, scope)}: ${this.of(second, depth - 1, scope)}`,
      );
      return `{${entries.join(', ')}}`;
    }
    if (type.name === 'optional_type' && content !== undefined) {
      const kind = random.next();
      if (kind < 0.3) return 'optional.none()';
      const of = kind < 0.8 ? 'of' : 'ofNonZeroValue';
      return `optional.${of}(${this.of(content, depth - 1, scope)})`;
    }
    const named = literals[type.name] ?? literals[type.kind];
    return named === undefined ? 'null' : random.pick(named);
  }

  /** Ways from a variable to values of a type. */
  private pathsTo(wanted: CelType, path: string, type: CelType): string[] {
    if (typeText(type) === typeText(wanted)) return [path];
    if (type.fields === undefined) return [];
    return [...type.fields].flatMap(([name, of]) => this.pathsTo(wanted, `${path}.${name}`, of));
  }

  private choice(type: CelType, depth: number, scope: Variables): string {
    const condition = this.of(types.bool, depth - 1, scope);
    return `(${condition} ? ${this.of(type, depth - 1, scope)} : ${this.of(type, depth - 1, scope)})`;
  }

  /** Something of a list, a map or an object. */
  private item(type: CelType, depth: number, scope: Variables): string {
    const { random } = this;
    const isOptional = type.name === 'optional_type';
    const content = isOptional ? (type.parameters[0] as CelType) : type;
    if (random.chance(0.5)) {
      const list = this.of(listOfType(content), depth - 1, scope);
      const place = random.chance(0.7)
        ? random.pick(['0', '1', '2'])
        : this.of(types.int, depth - 1, scope);
      return `${list}[${isOptional ? '?' : ''}${place}]`;
    }
    const key = random.pick([types.string, types.int, types.uint, types.bool]);
    const map = this.of(mapOfType(key, content), depth - 1, scope);
    if (key === types.string && random.chance(0.4)) return `${map}.${isOptional ? '?' : ''}a`;
    return `${map}[${isOptional ? '?' : ''}${this.of(key, depth - 1, scope)}]`;
  }

  private comprehension(wanted: CelType, depth: number, scope: Variables): string {
    const { random } = this;
    const name = random.chance(0.1) ? 'x' : `v${this.names++}`;
    const item = this.anyType(1);
    const list = listOfType(item);
    const range = (): string => this.of(list, depth - 1, scope);
    const within = new Map([...scope, [name, item]]);
    const body = (of: CelType, names: Variables = within): string => this.of(of, depth - 1, names);
    if (wanted.kind === 'bool') {
      const kind = random.next();
      if (kind < 0.12) return this.presence(depth, scope);
      const quantifier = random.pick(['all', 'exists', 'exists_one', 'existsOne']);
      if (kind < 0.6) return `${range()}.${quantifier}(${name}, ${body(types.bool)})`;
      const second = `${name}w`;
      const isMap = random.chance(0.5);
      const over = isMap ? mapOfType(types.string, item) : list;
      const names = new Map([...scope, [name, isMap ? types.string : types.int], [second, item]]);
      if (isMap && random.chance(0.4)) {
        const keys = new Map([...scope, [name, types.string]]);
        return `${this.of(over, depth - 1, scope)}.${quantifier}(${name}, ${body(types.bool, keys)})`;
      }
      const of = quantifier === 'exists_one' ? 'existsOne' : quantifier;
      return `${this.of(over, depth - 1, scope)}.${of}(${name}, ${second}, ${body(types.bool, names)})`;
    }
    if (wanted.kind === 'list') {
      const [content = types.dyn] = wanted.parameters;
      const kind = random.next();
      if (kind < 0.35) return `${range()}.map(${name}, ${body(content)})`;
      if (kind < 0.5) return `${range()}.map(${name}, ${body(types.bool)}, ${body(content)})`;
      if (kind < 0.65) {
        const names = new Map([...scope, [name, types.int], [`${name}w`, item]]);
        const filter = random.chance(0.4) ? `${body(types.bool, names)}, ` : '';
        return `${range()}.transformList(${name}, ${name}w, ${filter}${body(content, names)})`;
      }
      const names = new Map([...scope, [name, content]]);
      const of = this.of(wanted, depth - 1, scope);
      if (kind < 0.85) return `${of}.filter(${name}, ${body(types.bool, names)})`;
      return `${of}.sortBy(${name}, ${body(random.pick(scalars), names)})`;
    }
    if (wanted.kind === 'map') {
      const [key = types.string, content = types.dyn] = wanted.parameters;
      const names = new Map([...scope, [name, key], [`${name}w`, item]]);
      const over = this.of(mapOfType(key, item), depth - 1, scope);
      const filter = random.chance(0.3) ? `${body(types.bool, names)}, ` : '';
      if (random.chance(0.7)) {
        return `${over}.transformMap(${name}, ${name}w, ${filter}${body(content, names)})`;
      }
      return `${over}.transformMapEntry(${name}, ${name}w, ${filter}{${body(key, names)}: ${body(content, names)}})`;
    }
    if (wanted.name === 'optional_type') {
      const [content = types.dyn] = wanted.parameters;
      const of = this.of(optionalOf(item), depth - 1, scope);
      if (random.chance(0.5)) return `${of}.optMap(${name}, ${body(content)})`;
      return `${of}.optFlatMap(${name}, ${body(wanted)})`;
    }
    return this.call(wanted, depth, scope);
  }

  private presence(depth: number, scope: Variables): string {
    const { random } = this;
    const paths = [...scope].flatMap(([name, of]) => [...(of.fields ?? [])].map(([field]) => `${name}.${field}`)); // prettier-ignore
    const [first, ...rest] = paths;
    if (first !== undefined && random.chance(0.7)) return `has(${random.pick([first, ...rest])})`;
    const map = this.of(mapOfType(types.string, this.anyType(1)), depth - 1, scope);
    return `has(${map}.${random.pick(['a', '?a', 'ab'])})`;
  }

  private call(wanted: CelType, depth: number, scope: Variables): string {
    const { random } = this;
    if (wanted.kind === 'bool' && random.chance(0.25)) {
      const sides = [0, 1].map(() => this.of(types.bool, depth - 1, scope));
      return `(${sides.join(random.pick([' && ', ' || ']))})`;
    }
    const fitting = callable.filter(({ overload }) => fits(overload.result, wanted));
    const [first, ...rest] = fitting;
    if (first === undefined) return this.leaf(wanted, depth, scope);
    const { overload, name } = random.pick([first, ...rest]);
    const bound = new Map<string, CelType>();
    bind(overload.result, wanted, bound);
    const args = overload.parameters.map((parameter) =>
      this.of(this.substitute(parameter, bound), depth - 1, scope),
    );
    const [left = '', right = ''] = args;
    // cel-go makes as many numbers as it is asked for.
    if (name === 'lists.range') return `lists.range(${random.pick(['-1', '0', '2', '3', '4u'])})`;
    const infix = /^_(.+)_$/.exec(name)?.[1] ?? (name === '@in' ? 'in' : undefined);
    if (infix !== undefined) return `(${left} ${infix} ${right})`;
    if (name === '!_' || name === '-_') return `${name[0]}(${left})`;
    if (overload.isMember) return `${left}.${name}(${args.slice(1).join(', ')})`;
    return `${name}(${args.join(', ')})`;
  }

  private substitute(type: CelType, bound: Map<string, CelType>): CelType {
    if (type.kind === 'parameter') {
      const known = bound.get(type.name);
      if (known !== undefined) return known;
      const made = this.anyType(1);
      bound.set(type.name, made);
      return made;
    }
    if (type.kind === 'dyn') return sortable.has(type.name) ? type : this.anyType(1);
    if (type.parameters.length === 0) return type;
    return { ...type, parameters: type.parameters.map((part) => this.substitute(part, bound)) };
  }
}

function fits(result: CelType, wanted: CelType): boolean {
  if (result.kind === 'parameter') return true;
  if (result.kind !== wanted.kind || result.name !== wanted.name) return false;
  if (result.kind === 'type') return true;
  return result.parameters.every((part, index) =>
    fits(part, wanted.parameters[index] ?? types.dyn),
  );
}

function bind(result: CelType, wanted: CelType, into: Map<string, CelType>): void {
  if (result.kind === 'parameter') into.set(result.name, wanted);
  else {
    for (const [index, part] of result.parameters.entries()) {
      bind(part, wanted.parameters[index] ?? types.dyn, into);
    }
  }
}
