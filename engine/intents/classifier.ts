/** An intent trigger that matches a text. */
export interface Recognised {
  blockId: string
  /** 0 to 1 */
  confidence: number
}

/**
 * Returns the intent triggers that a text matches, best first, without weak matches. Pure: a repeated turn gets the
 * same answer. A lower `minConfidence` returns weaker matches too.
 */
export type Classifier = (text: string, minConfidence?: number) => readonly Recognised[]
