import type { PlaygroundDebug } from '../../server/contracts/playground'

export interface StepNames {
  title: string
  group: string
  /** the label of the port it left by; null for the plain next */
  exit: string | null
}

export type Step = PlaygroundDebug['path'][number]
