export const text = { type: 'string' } as const;
export const optionalText = { type: ['string', 'null'] } as const;
export const optionalFlag = { type: ['boolean', 'null'] } as const;
export const optionalTexts = { type: ['array', 'null'], items: text } as const;
const optionalLabels = { type: ['object', 'null'], additionalProperties: text } as const;

/** A Kubernetes object, whole: read as an API server reads it. */
export const kubernetesObject = {
  type: 'object',
  additionalProperties: true,
  required: ['metadata'],
  properties: {
    metadata: {
      type: 'object',
      additionalProperties: true,
      required: ['name'],
      properties: {
        name: text,
        namespace: optionalText,
        annotations: optionalLabels,
        labels: optionalLabels,
      },
    },
    spec: { type: ['object', 'null'] },
    status: { type: ['object', 'null'] },
  },
} as const;

export const kubernetesObjects = { type: 'array', items: kubernetesObject } as const;

export const labelSelector = {
  type: ['object', 'null'],
  additionalProperties: true,
  properties: {
    matchLabels: optionalLabels,
    matchExpressions: {
      type: ['array', 'null'],
      items: {
        type: 'object',
        additionalProperties: true,
        properties: { key: text, operator: text, values: optionalTexts },
      },
    },
  },
} as const;

export const namespaces = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name'],
    properties: { name: text, labels: optionalLabels },
  },
} as const;

export const apis = {
  type: ['array', 'null'],
  items: {
    type: 'object',
    properties: {
      group: optionalText,
      version: optionalText,
      kind: optionalText,
      plural: optionalText,
    },
  },
} as const;

export const installModes = {
  type: ['array', 'null'],
  items: {
    type: 'object',
    properties: { type: optionalText, supported: optionalFlag },
  },
} as const;

export const memberInput = {
  type: 'object',
  required: ['clusterServiceVersion', 'operatorGroups'],
  properties: {
    clusterServiceVersion: kubernetesObject,
    operatorGroups: kubernetesObjects,
    namespaces,
  },
} as const;
