import { unrelatedEn } from './unrelatedEn'

/** Questions about other things than a chatbot's, in its language where there are some. @param language ISO 639-1 */
export const unrelatedIn = (_language: string | null): readonly string[] => unrelatedEn
