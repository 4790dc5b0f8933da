/** Removes NUL and lone surrogates, which databases and JSON readers reject. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD')
