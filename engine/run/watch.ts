import type { Variables } from '../values/render'
import type { Place } from './session'

/** Who looks on at a turn, for people who debug a flow. */
export interface Watch {
  /** whether the turn is to end before this block, which has not begun */
  pausesAt?: (place: Place) => boolean
  /** told before each step, by its number in the trace, what the variables are then */
  onStep?: (step: number, variables: Variables) => void
}
