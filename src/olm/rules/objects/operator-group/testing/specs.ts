export const isStatic = { targetNamespaces: ['ns'], staticProvidedAPIs: true };

export const prod = { selector: { matchLabels: { env: 'prod' } } };
