/** SPEC.md 5: URL fields of blocks must start with https:// or http://. */
export const EXTERNAL_URL = /^https?:\/\//i

export const isExternalUrl = (value: string): boolean => EXTERNAL_URL.test(value)
