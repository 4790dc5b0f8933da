/** A text that every store and every JSON reader takes: without NUL, and with no half of a surrogate pair. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD')
