import { expect, test } from 'vitest'
import { seededRandom } from '../support/documents'
import { drawnFiles, drawnSource } from '../support/drawnFlows'
import { readAgentflow } from './flowiseReader'
import { addRow, keptAs } from './table'
import { type Step, seededSteps, walkOurs } from './walk'

const WALKS = 40
const MESSAGES = 6

test.each(drawnFiles('flowise'))(
  '%s: forty visitors are led as Flowise leads them, node by node, and told the same',
  (name) => {
    const source = drawnSource('flowise', name)
    const { kept, report } = walkOurs(source, [])
    for (let walk = 1; walk <= WALKS; walk++) {
      const { run, isForm, compared } = readAgentflow(source, kept)
      const steps = seededSteps(seededRandom(walk), compared, isForm ? 1 : MESSAGES)
      const { runs } = walkOurs(source, steps)
      expect(runs.length).toBeGreaterThan(0)
      for (const [at, ours] of runs.entries()) {
        const place = { walk, message: at + 1 }
        expect({ ...place, ...ours }).toEqual({ ...place, ...run(steps[at] as Step) })
      }
    }
    addRow('Flowise', name, { equal: WALKS, walks: WALKS, why: keptAs(report) })
  },
)
