/** Discovery of the gate as an extension API server, where reviews come through the API server. */

const apiGroup = 'admission.olm-guard.io';
const version = 'v1alpha1';
export const apiServiceName = `${version}.${apiGroup}`;

export const discoveryPath = `/apis/${apiGroup}/${version}`;

/** Where the API server posts reviews to itself, as `clientConfig.service` of the webhooks has it. */
export const reviewsPath = `${discoveryPath}/admissionreviews`;

export const discovery = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${apiGroup}/${version}`,
  resources: [
    {
      ...{ name: 'admissionreviews', singularName: 'admissionreview', namespaced: false },
      ...{ group: 'admission.k8s.io', version: 'v1', kind: 'AdmissionReview', verbs: ['create'] },
    },
  ],
};
