import { expect, test } from 'vitest'
import { seededRandom } from '../support/documents'
import { drawnFiles, drawnSource } from '../support/drawnFlows'
import { readDifyApp } from './difyReader'
import { addRow, keptAs } from './table'
import { type Step, seededSteps, type Visited, walkOurs } from './walk'

const WALKS = 40
const MESSAGES = 6

/** Dify runs branches that are side by side at once: their nodes have no order among each other. */
const sorted = ({ nodes, said }: Visited): Visited => ({ nodes: [...nodes].sort(), said: [...said].sort().join('') })

test.each(drawnFiles('dify'))('%s: forty visitors are led as Dify leads them, and told the same', (name) => {
  const source = drawnSource('dify', name)
  const { kept, report } = walkOurs(source, [])
  /** walks in which an error ended a run there, that had done something else by then */
  const cut = new Set<number>()
  for (let walk = 1; walk <= WALKS; walk++) {
    const reader = readDifyApp(source, kept)
    const steps = seededSteps(seededRandom(walk), reader.compared, MESSAGES)
    const { runs } = walkOurs(source, steps)
    expect(runs.length).toBeGreaterThan(0)
    for (const [at, ours] of runs.entries()) {
      const { failed, ...theirs } = reader.run(steps[at] as Step, steps[0]?.text ?? '')
      const place = { walk, message: at + 1 }
      if (!failed) expect({ ...place, ...sorted(ours) }).toEqual({ ...place, ...sorted(theirs) })
      else {
        const more = ours.nodes.filter((node) => !theirs.nodes.includes(node))
        expect({ ...place, more }).toEqual({ ...place, more: [] })
        // what a branch beside the error had done by then is chance there, and so is what the conversation remembers of it
        if (JSON.stringify(sorted(ours)) !== JSON.stringify(sorted(theirs))) cut.add(walk)
        if (ours.nodes.length < theirs.nodes.length) break
      }
    }
  }
  const why =
    cut.size > 0
      ? [`${cut.size}: an error ended a run there; which of its side by side branches had come how far is chance`]
      : []
  addRow('Dify', name, { equal: WALKS - cut.size, walks: WALKS, why: [...why, ...keptAs(report)] })
})
