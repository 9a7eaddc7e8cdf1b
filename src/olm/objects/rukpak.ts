/** The annotation with which the webhook of rukpak, an earlier part of OLM v1, was switched off for one definition. */
export const rukpakAnnotation = 'core.rukpak.io/safe-crd-upgrade-validation';
