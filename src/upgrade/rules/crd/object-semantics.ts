import { isObject, own, sameJson, type JsonObject } from '../../../text/documents/index.js';

/** Whether an upgrade changes nothing by which objects are read or written: then no proof is needed. */
export function hasSameObjectSemantics(old: JsonObject, next: JsonObject): boolean {
  const [was, is] = [own(old, 'spec'), own(next, 'spec')];
  return (
    isObject(was) &&
    isObject(is) &&
    ['versions', 'conversion', 'preserveUnknownFields'].every((field) =>
      sameJson(own(was, field), own(is, field)),
    )
  );
}
