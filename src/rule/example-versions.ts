/** Definitions of one and of two versions, for examples. */

export const oneVersion = `
      spec:
        versions:
          - name: v1
            served: true
            storage: true
            schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: integer } } } } } }`;

/** @param type of the one field in the second version; an integer in the first */
export function twoVersions(type: string): string {
  return `${oneVersion}
          - name: v2
            served: true
            storage: false
            schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: ${type} } } } } } }`;
}

/** Before the conversion of an example. */
export const sameInBothVersions = twoVersions('integer');
