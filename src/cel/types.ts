/** Types that expressions are checked against: cel-go/common/types/types.go. */

type TypeKind =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'object'
  | 'opaque'
  | 'parameter'
  | 'string'
  | 'timestamp'
  | 'type'
  | 'uint';

export interface CelType {
  readonly kind: TypeKind;
  /** The output of `type(x)` for a value; for a parameter the name of the variable. */
  readonly name: string;
  /** The item of a list, key and value of a map, the content of an optional or a type. */
  readonly parameters: readonly CelType[];
  /** Fields of an object, by escaped name; absent for objects without any. */
  readonly fields?: ReadonlyMap<string, CelType>;
}

function simple(kind: TypeKind, name: string = kind): CelType {
  return { kind, name, parameters: [] };
}

export const types = {
  dyn: simple('dyn'),
  /** google.protobuf.Any: like dyn, but no comprehension ranges over it. */
  any: simple('any', 'google.protobuf.Any'),
  /** The type of an expression with a mistake; it fits everywhere, so that the mistake is reported once. */
  error: simple('error'),
  bool: simple('bool'),
  int: simple('int'),
  uint: simple('uint'),
  double: simple('double'),
  string: simple('string'),
  bytes: simple('bytes'),
  null: simple('null', 'null_type'),
  timestamp: simple('timestamp', 'google.protobuf.Timestamp'),
  duration: simple('duration', 'google.protobuf.Duration'),
  type: simple('type'),
};

export function listOfType(item: CelType): CelType {
  return { kind: 'list', name: 'list', parameters: [item] };
}

export function mapOfType(key: CelType, value: CelType): CelType {
  return { kind: 'map', name: 'map', parameters: [key, value] };
}

export function opaqueType(name: string, ...parameters: CelType[]): CelType {
  return { kind: 'opaque', name, parameters };
}

export function optionalOf(content: CelType): CelType {
  return opaqueType('optional_type', content);
}

export function typeOfType(of: CelType): CelType {
  return { kind: 'type', name: 'type', parameters: [of] };
}

/** @param fields absent for a type whose values have none that rules can name */
export function objectType(name: string, fields?: ReadonlyMap<string, CelType>): CelType {
  return { kind: 'object', name, parameters: [], fields };
}

export function parameterType(name: string): CelType {
  return simple('parameter', name);
}

export function isOptional(type: CelType): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type' && type.parameters.length > 0;
}

export function withoutOptional(type: CelType): CelType {
  return isOptional(type) ? (type.parameters[0] as CelType) : type;
}

export function isDynamic({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'any';
}

/** @param sameVariables whether the names of type variables count, too */
export function sameType(one: CelType, other: CelType, sameVariables = true): boolean {
  if (one === other) return true;
  if (one.kind !== other.kind || one.parameters.length !== other.parameters.length) return false;
  if ((sameVariables || one.kind !== 'parameter') && one.name !== other.name) return false;
  return one.parameters.every((parameter, index) =>
    sameType(parameter, other.parameters[index] as CelType, sameVariables),
  );
}

const printedKinds = new Map<TypeKind, string>([
  ['any', 'any'],
  ['duration', 'duration'],
  ['error', '!error!'],
  ['null', 'null'],
  ['timestamp', 'timestamp'],
]);

export function typeText({ kind, name, parameters }: CelType): string {
  const printed = printedKinds.get(kind) ?? name;
  return parameters.length === 0 ? printed : `${printed}(${parameters.map(typeText).join(', ')})`;
}
