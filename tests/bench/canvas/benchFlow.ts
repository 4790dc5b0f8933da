import type { Flow } from '../../../engine/flow/schema'
import { largeFlow } from '../../support/largeFlow'

const WIDTH = 400
const HEIGHT = 760

/** Real kinds and texts, side by side as a tidied flow is: no two groups cover each other. */
export function benchFlow(groups: number): Flow {
  const flow = largeFlow(groups)
  const places = benchFlow.places(groups)
  return {
    ...flow,
    groups: flow.groups.map((group, at) => ({ ...group, position: places[at]?.position ?? group.position })),
  }
}

/** So that the whole is as wide as a screen is. */
const columns = (groups: number) => Math.max(4, Math.ceil(Math.sqrt((groups * HEIGHT * 1.6) / WIDTH)))

benchFlow.places = (groups: number) =>
  Array.from({ length: groups }, (_, at) => ({
    position: { x: (at % columns(groups)) * WIDTH, y: Math.floor(at / columns(groups)) * HEIGHT },
  }))

benchFlow.size = (groups: number) => ({
  width: columns(groups) * WIDTH,
  height: Math.ceil(groups / columns(groups)) * HEIGHT,
})
