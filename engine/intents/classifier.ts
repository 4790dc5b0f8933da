/** An intent trigger that a text fits. */
export interface Recognised {
  blockId: string
  /** 0 to 1 */
  confidence: number
}

/**
 * Which intent triggers a text fits, best first; what fits too little is left out. Pure: the same text gives the same answer, so
 * that a turn that is repeated goes the same way. `minConfidence` asks for what the classifier is less sure of.
 */
export type Classifier = (text: string, minConfidence?: number) => readonly Recognised[]
